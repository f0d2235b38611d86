import { readIssue } from "../../domain/work/issues/change.sql.ts";
import type { Call, InCall } from "./call.ts";
import { load } from "./load.ts";
import type { Operation } from "./operation.ts";

export type Shown = Record<string, unknown>;

/**
 * The object that a call is about to change, as clients are shown it: what GET of the same path returns, or what the
 * operation's own `current` returns where there is no such GET. Read only for calls that compare with it: those with
 * `If-Match`, and those that send back fields which cannot be written.
 * @throws Refusal not_found if there is none
 */
export async function readCurrent(operation: Operation, call: Call, ctx: InCall): Promise<Shown> {
  const { params } = call;
  // What was located may have changed since; in a transaction it is locked by now.
  const here = operation.head === "I" ? { ...ctx, issue: await readIssue(ctx, ctx.issue.id) } : ctx;
  if (operation.current) {
    const { on } = await load({ ...operation, on: operation.current }, here, params);
    return on as Shown;
  }
  const { reading } = call;
  if (!reading) throw new Error(`${operation.id} has neither a GET of its path nor \`current\`.`);
  const { on, parent } = await load(reading, here, params);
  const answer = await reading.handle({ ctx: here, query: {}, on, parent, params });
  return reading.returns.parse(answer) as Shown;
}
