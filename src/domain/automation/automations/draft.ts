import { actsFor, requireScopes } from "../../access/identity/set-up-by.ts";
import type { ProjectAccess } from "../../kernel/belongs.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import { isSame } from "../../kernel/difference.ts";
import { firstErrors, refuse } from "../../kernel/errors.ts";
import { checkActions, checkScopes } from "../actions/check.ts";
import type { ActionInput } from "../actions/inputs.ts";
import { scopesOfConditions } from "../actions/scopes.ts";
import { restored } from "../seen/definitions.ts";
import { checkConditions, readConditions } from "./check-conditions.ts";
import { readConfig } from "./config.ts";
import type { AutomationCreateInput, AutomationPatchInput } from "./inputs.ts";
import { oneProject, projectOfConditions } from "./project.ts";
import { SCOPE_OF_TRIGGER } from "./triggers.ts";
import type { Rule } from "./view.ts";

/** An automation as a body describes it, with ids for what it names. */

/**
 * A new automation.
 * @param project the project that the body's `project_id` names
 * @throws Refusal insufficient_scope, validation_failed, invalid_reference, mutually_exclusive
 */
export async function draft(
  ctx: InWorkspace,
  { description, trigger_config, ...body }: AutomationCreateInput,
  project: ProjectAccess | null,
): Promise<Rule> {
  const input = restoredRule(body, null);
  checkMaySetUp(ctx, input);
  const given = input.project_id == null ? undefined : project!.id;
  const conditions = await readConditions(ctx, input.conditions);
  const projectId = oneProject(given, await projectOfConditions(ctx, conditions));
  await checkConditions(ctx, conditions, projectId);
  await refuseProblems(ctx, input.actions, projectId);
  return {
    ...input,
    conditions,
    description: description || null,
    trigger_config: await readConfig(ctx, input.trigger, trigger_config, { projectId }),
    project_id: projectId,
    disabled_reason: input.enabled ? null : "user",
    ...actsFor(ctx.principal),
  };
}

/** Checks that the caller may have this done, and learn what starts it. @throws Refusal insufficient_scope */
export function checkMaySetUp(
  ctx: InWorkspace,
  { trigger, conditions, actions }: Pick<Rule, "trigger" | "conditions" | "actions">,
): void {
  requireScopes(ctx.principal, [SCOPE_OF_TRIGGER[trigger]], `The trigger ${trigger}`);
  requireScopes(ctx.principal, scopesOfConditions(conditions), "A condition");
  checkScopes(ctx, actions);
}

/**
 * The fields of an automation after a change. What stays the same is not looked up again, because the objects that it
 * names may be gone.
 * @throws Refusal validation_failed, invalid_reference, mutually_exclusive
 */
export async function redraft(
  ctx: InWorkspace,
  before: Rule,
  { description, project_id, ...body }: Omit<AutomationPatchInput, "enabled">,
  project: ProjectAccess | null,
): Promise<Partial<Rule>> {
  const sent = restoredRule(body, before);
  const input = { ...sent, conditions: await readConditions(ctx, sent.conditions) };
  const given = project_id === undefined || project_id === null ? project_id : project!.id;
  const { conditions = before.conditions, actions = before.actions, trigger = before.trigger } = input;
  const projectId = await projectAfter(ctx, before, given, conditions);
  const moves = projectId !== before.project_id;
  // Parameters belong to a trigger.
  const unchanged = trigger === before.trigger ? before.trigger_config : {};
  const config = input.trigger_config ?? unchanged;
  const rereads = moves || trigger !== before.trigger || !isSame(config, before.trigger_config);
  if (moves || !isSame(conditions, before.conditions)) await checkConditions(ctx, conditions, projectId);
  if (moves || !isSame(actions, before.actions)) await refuseProblems(ctx, actions, projectId);
  return {
    ...Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)),
    ...(description === undefined ? {} : { description: description || null }),
    project_id: projectId,
    trigger_config: rereads ? await readConfig(ctx, trigger, config, { projectId }) : before.trigger_config,
  };
}

/** The fields of a body, with the stored values in the places of those that its sender was not shown. */
function restoredRule<Body extends Partial<Pick<Rule, "actions">>>(body: Body, before: Rule | null): Body {
  const fields = ["actions", "conditions", "trigger_config"] as const;
  const sent = body as Partial<Record<(typeof fields)[number], unknown>>;
  const given = fields.filter((field) => sent[field] !== undefined);
  return {
    ...body,
    ...Object.fromEntries(given.map((field) => [field, restored(sent[field], before?.[field], `/${field}`)])),
  };
}

/** The project after a change. One that the earlier conditions had set goes with them. */
async function projectAfter(
  ctx: InWorkspace,
  before: Rule,
  given: string | null | undefined,
  conditions: Rule["conditions"],
): Promise<string | null> {
  if (isSame(conditions, before.conditions) && (given === undefined || given === before.project_id)) {
    return before.project_id;
  }
  const named = await projectOfConditions(ctx, conditions);
  if (given !== undefined || named !== null) return oneProject(given, named);
  return (await projectOfConditions(ctx, before.conditions)) === null ? before.project_id : null;
}

/** @throws Refusal validation_failed; invalid_reference if nothing else is wrong */
async function refuseProblems(ctx: InWorkspace, actions: readonly ActionInput[], projectId: string | null) {
  const problems = await checkActions(ctx, actions, { path: "/actions", projectId });
  const [first] = problems;
  if (!first) return;
  const errors = problems.map(({ path, code, message }) => ({ path, code, message }));
  const message = firstErrors(problems.map(({ path, message }) => `${path.slice(1)}: ${message}`));
  if (errors.some(({ code }) => code !== "invalid_reference")) refuse("validation_failed", { message, errors });
  refuse("invalid_reference", { message, path: first.path, errors });
}
