import type { Writing } from "../../domain/kernel/context.ts";
import { Refusal } from "../../domain/kernel/errors.ts";
import { lockHead } from "../../domain/kernel/locks.sql.ts";
import type { Call, InCall } from "./call.ts";
import { readCurrent } from "./current.ts";
import { checkIsMatch, checkMatch, etagOf, hasEtag } from "./etag.ts";
import type { Operation } from "./operation.ts";

/** Compares `If-Match` with the locked object. @throws Refusal invalid_parameter, precondition_failed */
export async function checkUnchanged(operation: Operation, call: Call, ctx: InCall & Writing): Promise<void> {
  checkIsMatch(call.ifMatch);
  // The loader of `on` has locked its object already.
  if (!operation.on) await lockHead(ctx, operation.head);
  const current = await readCurrent(operation, call, ctx).catch((error) => {
    // There is no object that the client could have read.
    throw error instanceof Refusal && error.is("not_found") ? new Refusal("precondition_failed") : error;
  });
  const data = hasEtag(operation) ? operation.returns.parse(current) : current;
  checkMatch(call.ifMatch, etagOf(current, JSON.stringify({ data })), (current as { version?: unknown }).version);
}
