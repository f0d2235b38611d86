import { z } from "zod";
import type { Operator } from "./operator.ts";

/** The result of a command, for programs and for people. */
export type Result = { json: Record<string, unknown>; text: string };

/** The declaration of a command. Parsing, validation and help derive from it. */
export type Command = {
  /** As typed, e.g. `workspace create`. */
  name: string;
  summary: string;
  /** Options that may also be given without a name, in this order. */
  positionals: readonly string[];
  /** Schemas of the options, in snake case. Descriptions become help. */
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

/** The command line is wrong: shown with the command's usage, exit code 2. */
export class UsageError extends Error {}

/** The command cannot be run: shown without a stack trace, exit code 1. */
export class Failure extends Error {}

/** `rate_limit` as people type it: `--rate-limit`. */
export const flagOf = (option: string): string => `--${option.replaceAll("_", "-")}`;

/** A whole number, parsed from text. */
export const wholeNumber = z
  .string()
  .regex(/^-?\d{1,9}$/, "must be a whole number")
  .transform(Number);
