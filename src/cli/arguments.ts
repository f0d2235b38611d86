import { type ParseArgsConfig, parseArgs } from "node:util";
import { closest } from "../domain/text.ts";
import { type Command, flagOf, UsageError } from "./command.ts";

export type Parsed = { json: boolean; help: boolean; words: string[] };

/** Finds the command in what was typed; the flags that every command has may stand anywhere. */
export function findCommand(args: readonly string[], commands: readonly Command[]) {
  const json = args.includes("--json");
  const help = args.includes("--help") || args.includes("-h");
  const rest = args.filter((arg) => arg !== "--json" && arg !== "--help" && arg !== "-h");
  const command = commands.find(({ name }) => name === rest.slice(0, 2).join(" "));
  return { json, help, command, rest: command ? rest.slice(2) : rest };
}

/** @throws UsageError */
export function unknownCommand(words: readonly string[], commands: readonly Command[]): never {
  const typed = words.slice(0, 2).join(" ");
  const meant = closest(
    typed,
    commands.map(({ name }) => name),
  );
  throw new UsageError(`There is no command ${typed}.${meant ? ` Did you mean ${meant}?` : ""}`);
}

/** What was typed, checked. @throws UsageError that names every wrong option */
export function readInput(command: Command, args: readonly string[]): unknown {
  const names = Object.keys(command.input.shape);
  const typed = tokens(args, names);
  const parsed = command.input.safeParse(typed.values);
  const wrong = parsed.success ? [] : parsed.error.issues.map((issue) => problem(String(issue.path[0]), typed.values, issue));
  const free = command.positionals.filter((name) => typed.values[name] === undefined);
  if (typed.extra.length > free.length) throw new UsageError(`${typed.extra.at(-1)} is one word too many.`);
  if (wrong.length > 0) throw new UsageError(wrong.join("\n"));
  return parsed.data;

  function tokens(raw: readonly string[], options: string[]) {
    const config = Object.fromEntries(options.map((name) => [flagOf(name).slice(2), { type: "string" }]));
    const { values, positionals } = parse(raw, config as ParseArgsConfig["options"], options);
    const named = Object.fromEntries(Object.entries(values).map(([name, value]) => [name.replaceAll("-", "_"), value]));
    const open = command.positionals.filter((name) => named[name] === undefined);
    const placed = Object.fromEntries(positionals.slice(0, open.length).map((word, at) => [open[at], word]));
    return { values: { ...named, ...placed } as Record<string, unknown>, extra: positionals.slice(open.length) };
  }
}
