import { readIssue } from "../../domain/work/issues/change.sql.ts";
import type { Call, InCall } from "./call.ts";
import { load } from "./load.ts";
import type { Operation } from "./operation.ts";

export type Shown = Record<string, unknown>;

/**
 * The object that a call is about to change, as the API shows it: the reply of GET on the same path, or of the
 * operation's `current` if there is no such GET. The engine reads it only for calls with `If-Match` and for bodies
 * that contain read-only fields.
 * @throws Refusal not_found
 */
export async function readCurrent(operation: Operation, call: Call, ctx: InCall): Promise<Shown> {
  const { params } = call;
  // The issue may have changed since the access check. In a transaction it is locked by now.
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
