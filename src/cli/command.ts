import { z } from "zod";
import type { Operator } from "./operator.ts";

/** What a command did: for programs, and for people. */
export type Result = { json: Record<string, unknown>; text: string };

/** The declaration of one command. Parsing, checks and help derive from it. */
export type Command = {
  /** As typed, e.g. `workspace create`. */
  name: string;
  summary: string;
  /** Options that may also come without their name, in this order. */
  positionals: readonly string[];
  /** Checks what is typed, by option, in snake case; descriptions become help. */
  input: z.ZodObject;
  run: (operator: Operator, input: never) => Promise<Result>;
};

export const command = <Shape extends z.ZodRawShape>(
  name: string,
  declaration: {
    summary: string;
    positionals?: readonly (keyof Shape & string)[];
    options: Shape;
    run: (operator: Operator, input: z.output<z.ZodObject<Shape>>) => Promise<Result>;
  },
): Command => ({
  name,
  summary: declaration.summary,
  positionals: declaration.positionals ?? [],
  input: z.object(declaration.options),
  run: declaration.run,
});

/** Typed wrongly: answered with the command's usage, exit code 2. */
export class UsageError extends Error {}

/** Cannot be done: its message is all that a person needs, exit code 1. */
export class Failure extends Error {}

/** `rate_limit` as people type it: `--rate-limit`. */
export const flagOf = (option: string): string => `--${option.replaceAll("_", "-")}`;

/** A whole number as typed. */
export const wholeNumber = z
  .string()
  .regex(/^-?\d{1,9}$/, "must be a whole number")
  .transform(Number);
