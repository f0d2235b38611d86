import type { z } from "zod";
import type { InIssue } from "../../access/identity/issue-row.ts";
import type { Scope } from "../../access/identity/scopes.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import type { Acting, Effect, Running } from "./action.ts";

/** How actions are declared. Each family of actions has a file that declares them with these functions. */

/** The transaction of an action on one issue. */
export type OnIssue = Acting & InIssue;

/** Who saves actions, and the project that they are for. Null: all projects. */
export type Checking = InWorkspace & { readonly projectId: string | null };

/** What is wrong with a parameter. `path` is a JSON pointer that begins at the action. */
export type Problem = { path: string; code: string; message: string };

type Declared<Input, Ctx> = {
  /** The scopes that a key needs to do the same by itself. It needs them to set the action up, too. */
  scopes: readonly Scope[];
  /** What is wrong with the parameters. Looks up the objects that they name. */
  check: (ctx: Checking, action: Input) => Promise<Problem[]>;
  /** @throws Refusal if the rights of the person or the rules of the board do not allow it */
  run: (ctx: Ctx, action: Input, running: Running) => Promise<Effect>;
  /** What the action does, in words, for the dry run. */
  says: (action: Input, running: Running) => string;
  /** Whether guests may do it in their projects. */
  guests?: boolean;
};

export type Definition<Input extends z.ZodObject = z.ZodObject, Ctx = never> = Declared<z.output<Input>, Ctx> & {
  readonly input: Input;
  /** Actions on issues have targets. Others run once. */
  readonly on: "issues" | "run";
};

/** An action that changes issues. It takes a `target`. */
export const onIssues = <Input extends z.ZodObject>(
  input: Input,
  declared: Declared<z.output<Input>, OnIssue>,
): Definition<Input, OnIssue> => ({ on: "issues", input, ...declared });

/** An action that runs once, whether or not the run is about an issue. */
export const onRun = <Input extends z.ZodObject>(
  input: Input,
  declared: Declared<z.output<Input>, Acting>,
): Definition<Input, Acting> => ({ on: "run", input, ...declared });

type Refining = {
  addIssue(issue: { code: "custom"; path: string[]; message: string; params: { code: string } }): void;
};

/** Reports a parameter that another one makes necessary. */
export const reportRequired = (ctx: Refining, field: string, message: string): void =>
  ctx.addIssue({ code: "custom", path: [field], message, params: { code: "required" } });

export const done = (detail: string): Effect => ({ result: "done", detail });
export const skipped = (detail: string): Effect => ({ result: "skipped", detail });
