import { parseArgs } from "node:util";
import type { z } from "zod";
import { closest } from "../domain/kernel/text.ts";
import { type Command, flagOf, UsageError } from "./command.ts";

/** Parses the command line. The common flags may be anywhere. */
export function readCall(args: readonly string[], commands: readonly Command[]) {
  const json = args.includes("--json");
  const help = args.includes("--help") || args.includes("-h");
  const words = args.filter((arg) => arg !== "--json" && arg !== "--help" && arg !== "-h");
  const command = commands.find(({ name }) => name === words.slice(0, 2).join(" "));
  return { json, help, command, words };
}

/** @throws UsageError */
export function refuseCommand(words: readonly string[], commands: readonly Command[]): never {
  const names = commands.map(({ name }) => name);
  const typed = words.slice(0, 2).join(" ");
  const meant = closest(typed, names);
  throw new UsageError(`There is no command ${typed}.${meant ? ` Did you mean ${meant}?` : ""}`);
}

/** Validates the options of a command. @throws UsageError with a line for each error */
export function readInput(command: Command, args: readonly string[]): unknown {
  const typed = readTyped(command, args);
  const parsed = command.input.safeParse(typed);
  if (parsed.success) return parsed.data;
  throw new UsageError(parsed.error.issues.map((issue) => problem(issue, typed)).join("\n"));
}

function readTyped({ input, positionals }: Command, args: readonly string[]): Record<string, unknown> {
  const flags = Object.keys(input.shape).map(flagOf);
  const { values, positionals: words } = parse(flags, joined(args, flags));
  const typed = Object.fromEntries(Object.entries(values).map(([name, value]) => [name.replaceAll("-", "_"), value]));
  const open = positionals.filter((name) => typed[name] === undefined);
  if (words.length > open.length) throw new UsageError(`Unexpected argument ${words[open.length]}.`);
  return { ...typed, ...Object.fromEntries(words.map((word, at) => [open[at], word])) };
}

/** Rewrites `--amount -5` as `--amount=-5`, because a negative number is not an option. Rejects unknown options. */
function joined(args: readonly string[], flags: readonly string[]): string[] {
  const result: string[] = [];
  for (const arg of args) {
    const flag = arg.split("=")[0]!;
    if (/^-\d/.test(arg) && flags.includes(result.at(-1) ?? "")) result.push(`${result.pop()}=${arg}`);
    else if (flag.startsWith("-") && !flags.includes(flag)) refuseFlag(flag, flags);
    else result.push(arg);
  }
  return result;
}

function refuseFlag(flag: string, flags: readonly string[]): never {
  const meant = closest(flag, flags);
  throw new UsageError(`Unknown option ${flag}.${meant ? ` Did you mean ${meant}?` : ""}`);
}

function parse(flags: readonly string[], args: string[]) {
  const options = Object.fromEntries(flags.map((flag) => [flag.slice(2), { type: "string" as const }]));
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function problem(issue: z.core.$ZodIssue, typed: Record<string, unknown>): string {
  const option = String(issue.path[0]);
  return typed[option] === undefined ? `${flagOf(option)} is required.` : `${flagOf(option)}: ${issue.message}`;
}
