import { Refusal } from "../../domain/kernel/errors.ts";
import { admitAgain, contextOf } from "./access.ts";
import { baseContext, type Call, type Runtime } from "./call.ts";
import type { LostAccess, Streaming } from "./handler.ts";
import { load } from "./load.ts";
import type { Operation } from "./operation.ts";

/** What a stream may need of its call. It keeps nothing else of it, because thousands of streams may be open. */
export function streamingOf(operation: Operation, runtime: Runtime, call: Call): Streaming {
  const { requestId, secret, visitor, params, address, path } = call;
  const caller = { requestId, secret, ...(visitor ? { visitor } : {}), params, address, path, onRate: () => {} };
  return {
    lastEventId: call.headers("last-event-id")[0] || null,
    lostAccess: () => lostAccess(operation, runtime, caller),
  };
}

type Caller = Pick<Call, "requestId" | "secret" | "visitor" | "params" | "address" | "path" | "onRate">;

/** Why a caller may no longer make a call that was admitted before. Null if it may. */
async function lostAccess(operation: Operation, runtime: Runtime, caller: Caller): Promise<LostAccess | null> {
  const base = baseContext(runtime, caller.requestId);
  try {
    const located = await admitAgain(runtime, operation, caller, base);
    if (!located) return "key_revoked";
    await load(operation, contextOf(base, located), caller.params);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return "no_access";
    throw error;
  }
}
