import { schemasOf } from "../openapi/schemas.ts";
import { addAnswers, checkWait, WAIT } from "./answers.ts";
import { anyOperation } from "./any-operation.ts";
import { buyCredits } from "./buy-credits.ts";
import type { Callable } from "./callable.ts";
import { operationTool } from "./operation-tool.ts";
import { OPERATION_TOOLS } from "./operation-tools.ts";
import type { Tool } from "./tool.ts";

/** All tools, in the order in which clients see them. */
export function toolsOf(callables: ReadonlyMap<string, Callable>): readonly Tool[] {
  const declared = OPERATION_TOOLS.map((one) => ({ one, callable: callables.get(one.operation)! }));
  const adds = { ...WAIT, check: checkWait, add: addAnswers(callables.get("getAgentSessionAnswers")!) };
  const schemas = schemasOf(declared.map(({ callable }) => callable.operation));
  return [
    ...declared.map(({ one, callable }) =>
      operationTool(one.name === "update_session" ? { ...one, adds } : one, callable, schemas),
    ),
    buyCredits(callables),
    ...anyOperation(callables),
  ];
}
