import { z } from "zod";
import { type Command, flagOf } from "./command.ts";

const CALL = "npm run -s cli --";

/** Help for all commands. */
export const usage = (commands: readonly Command[]): string => `Usage: ${CALL} <command> [options]

${columns(commands.map(({ name, summary }) => [name, summary]))}

${CALL} <command> --help shows a command's options. --json prints one JSON object (npm's -s suppresses its banner).
Commands use the installation of DATABASE_URL and REDIS_URL, or of DATA_DIR/dev.json (npm run dev) if they are not set.
Exit codes: 0 success, 1 failure, 2 usage error.`;

/** Help for one command. */
export function usageOf({ name, summary, positionals, input }: Command): string {
  const options = Object.entries(input.shape as Record<string, z.ZodType>);
  const words = positionals.map((option) => ` <${option}>`).join("");
  const rows = options.map(([option, schema]) => [`${flagOf(option)} <${valuesOf(schema)}>`, explain(schema)] as const);
  return `${summary}.

Usage: ${CALL} ${name}${words} [options]

${columns([...rows, ["--json", "print one JSON object"]])}`;
}

function explain(schema: z.ZodType): string {
  const byDefault = schema instanceof z.ZodDefault ? ` (default: ${schema.def.defaultValue})` : "";
  const required = schema.safeParse(undefined).success ? "" : " (required)";
  return (schema.description ?? "") + byDefault + required;
}

function valuesOf(schema: z.ZodType): string {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return valuesOf(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodEnum ? schema.options.join("|") : "value";
}

export function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd()).join("\n");
}
