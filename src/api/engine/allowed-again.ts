import { Refusal } from "../../domain/kernel/errors.ts";
import { admitAgain, contextOf } from "./access.ts";
import { baseContext, type Call, type Caller, type Runtime } from "./call.ts";
import type { Access, Streaming } from "./handler.ts";
import { load } from "./load.ts";
import type { Operation } from "./operation.ts";

/** What a stream may need of its call. It keeps nothing else of it, because thousands of streams may be open. */
export function streamingOf(operation: Operation, runtime: Runtime, call: Call): Streaming {
  const { requestId, secret, visitor, params, address, userAgent, path } = call;
  const identity = { requestId, secret, ...(visitor ? { visitor } : {}), address, userAgent };
  const caller = { ...identity, params, path, onRate: () => {} };
  return {
    lastEventId: call.headers("last-event-id")[0] || null,
    checkAccess: () => checkAccess(operation, runtime, caller),
  };
}

type StreamCaller = Caller & Pick<Call, "secret" | "visitor" | "params" | "path" | "onRate">;

/** Checks whether a caller may still make a call that was admitted before. */
async function checkAccess(operation: Operation, runtime: Runtime, caller: StreamCaller): Promise<Access> {
  const base = baseContext(runtime, caller);
  try {
    const located = await admitAgain(runtime, operation, caller, base);
    if (!located) return { lost: "key_revoked" };
    await load(operation, contextOf(base, located), caller.params);
    return { lost: null, until: located.credential.token_expires_at };
  } catch (error) {
    if (error instanceof Refusal) return { lost: "no_access" };
    throw error;
  }
}
