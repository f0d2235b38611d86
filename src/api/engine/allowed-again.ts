import { Refusal } from "../../domain/kernel/errors.ts";
import { admitAgain, contextOf } from "./access.ts";
import { baseContext, type Call, type Caller, type Runtime } from "./call.ts";
import type { LostAccess, Streaming } from "./handler.ts";
import { load } from "./load.ts";
import type { Operation } from "./operation.ts";

/** What a stream may need of its call. It keeps nothing else of it, because thousands of streams may be open. */
export function streamingOf(operation: Operation, runtime: Runtime, call: Call): Streaming {
  const { requestId, secret, visitor, params, address, userAgent, path } = call;
  const identity = { requestId, secret, ...(visitor ? { visitor } : {}), address, userAgent };
  const caller = { ...identity, params, path, onRate: () => {} };
  return {
    lastEventId: call.headers("last-event-id")[0] || null,
    lostAccess: () => lostAccess(operation, runtime, caller),
  };
}

type StreamCaller = Caller & Pick<Call, "secret" | "visitor" | "params" | "path" | "onRate">;

/** Why a caller may no longer make a call that was admitted before. Null if it may. */
async function lostAccess(operation: Operation, runtime: Runtime, caller: StreamCaller): Promise<LostAccess | null> {
  const base = baseContext(runtime, caller);
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
