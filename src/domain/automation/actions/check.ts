import { requireScopes } from "../../access/identity/set-up-by.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import { declarationOf } from "./catalogue.ts";
import type { Checking, Problem } from "./define.ts";
import type { ActionInput } from "./inputs.ts";
import { scopesOfAction } from "./scopes.ts";

/** A parameter that names an object which does not exist, or that contains an unknown path. */
export type ActionProblem = Problem & {
  /** Index of the action. */
  index: number;
};

/** Checks that the caller may set up these actions. @throws Refusal insufficient_scope */
export function checkScopes({ principal }: InWorkspace, actions: readonly ActionInput[]): void {
  for (const action of actions) requireScopes(principal, scopesOfAction(action), `The action ${action.type}`);
}

/**
 * Looks up what actions name: each object has to exist, and the caller has to see it.
 * @param at.path JSON pointer of the list of actions
 * @param at.projectId the project that the actions are for; null for all
 */
export async function checkActions(
  ctx: InWorkspace,
  actions: readonly ActionInput[],
  { path, projectId }: { path: string; projectId: string | null },
): Promise<ActionProblem[]> {
  const problems: ActionProblem[] = [];
  const checking: Checking = { ...ctx, projectId };
  for (const [index, action] of actions.entries()) {
    const found = await declarationOf(action.type).check(checking, action);
    problems.push(...found.map((problem) => ({ ...problem, index, path: `${path}/${index}${problem.path}` })));
  }
  return problems;
}
