import { actFor } from "../../src/domain/access/identity/act-as.ts";
import { BY_PERSON } from "../../src/domain/access/identity/set-up-by.ts";
import type { Running } from "../../src/domain/automation/actions/action.ts";
import { checkActions } from "../../src/domain/automation/actions/check.ts";
import { ActionInput } from "../../src/domain/automation/actions/inputs.ts";
import { applyAction, targetsOf } from "../../src/domain/automation/actions/run.ts";
import { backgroundOf } from "../../src/domain/events/background.ts";
import { newId } from "../../src/domain/kernel/ids.ts";
import { actingAs, transact } from "../support/acting.ts";
import type { World } from "../support/world.ts";

/** Runs actions as the engine of automations does. */

export const RULE = { kind: "automation" as const, id: newId(), name: "Triage" };
export const ROOT = newId();

/** The context of a rule that acts for a person. */
export async function forPerson({ app, workspace }: World, userId: string) {
  const cause = { automation_id: RULE.id, root_event_id: ROOT, depth: 1 };
  const base = backgroundOf(app.resources, new Date().toISOString());
  const acting = await actFor(base, { workspaceId: workspace.id, userId, by: BY_PERSON, through: RULE, cause });
  if (typeof acting === "string") throw new Error(acting);
  return acting;
}

export const running = (issueId: string | null, more: Partial<Running> = {}): Running => ({
  issueId,
  values: {},
  triggeringUserId: null,
  ordinal: 0,
  source: { ...RULE, runId: newId(), trigger: "issue.labelled" },
  ...more,
});

/** Runs an action on all its targets, each in a transaction, and returns the effects. */
export async function apply(
  here: World,
  action: object,
  issueId: string | null,
  { userId = here.owner.userId, ...more }: Partial<Running> & { userId?: string } = {},
) {
  const input = ActionInput.parse(action);
  const known = running(issueId, more);
  const ctx = await forPerson(here, userId);
  const targets = (await targetsOf(ctx, input, known)) ?? [null];
  const effects = [];
  for (const target of targets) {
    const run = await forPerson(here, userId);
    effects.push(
      await transact(here.app, run, here.workspace.id, (acting) => applyAction(acting, input, known, target)),
    );
  }
  return effects;
}

/** The problems that saving these actions would have. */
export async function problems(here: World, actions: object[], projectId: string | null, userId = here.owner.userId) {
  const ctx = await actingAs(here, { userId });
  const list = actions.map((action) => ActionInput.parse(action));
  return checkActions(ctx, list, { path: "/actions", projectId });
}
