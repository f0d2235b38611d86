import { Refusal } from "../../domain/kernel/errors.ts";
import { admitAgain, contextOf } from "./access.ts";
import { baseContext, type Call, type Runtime } from "./call.ts";
import { load } from "./load.ts";
import type { Operation } from "./operation.ts";

/** Whether a caller may still make a call that was admitted before. */
export async function allowedAgain(operation: Operation, runtime: Runtime, call: Call): Promise<boolean> {
  const base = baseContext(runtime, call.requestId);
  try {
    const located = await admitAgain(runtime, operation, call, base);
    if (!located) return false;
    await load(operation, contextOf(base, located), call.params);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
