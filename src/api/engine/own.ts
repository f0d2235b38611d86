import type { Reply } from "./call.ts";
import { encode } from "./encode.ts";
import type { OwnAnswer } from "./handler.ts";
import { inputOf, type Request } from "./request.ts";

/**
 * Runs an operation with mode `own`. It opens its own transactions, because its outside calls decide what it stores.
 */
export async function runOwn(request: Request): Promise<Reply> {
  const { operation, runtime, call, ctx, body } = request;
  const { input, query } = inputOf(request, operation.writes ? [] : ["fields"]);
  const raw = {
    headers: call.headers,
    bodyText: operation.body ? body.text : "",
    path: call.path,
    idempotencyKey: call.idempotencyKey,
  };
  const outside = { ...ctx, database: runtime.database, entities: runtime.entities };
  const answer = (await operation.handle({ ctx: outside, query, body: input, params: call.params, raw })) as OwnAnswer;
  return {
    status: answer.status,
    headers: answer.headers,
    body: encode(operation, answer.data, ctx, call.query.fields).body,
  };
}
