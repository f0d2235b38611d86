import type { Callable } from "./callable.ts";
import { operationTool } from "./operation-tool.ts";
import { OPERATION_TOOLS } from "./operation-tools.ts";
import type { Tool } from "./tool.ts";

/** All tools, in the order in which clients see them. */
export function toolsOf(callables: ReadonlyMap<string, Callable>): readonly Tool[] {
  return OPERATION_TOOLS.map((declared) => operationTool(declared, callables.get(declared.operation)!));
}
