import { foundIn, type WithProject } from "../../access/identity/project-access.sql.ts";
import { takeOver } from "../../access/identity/set-up-by.ts";
import type { Found, ProjectAccess } from "../../kernel/belongs.ts";
import type { InWorkspace, WithCredential, Writing } from "../../kernel/context.ts";
import { changesTo } from "../../kernel/difference.ts";
import { refuse } from "../../kernel/errors.ts";
import { newId, readId } from "../../kernel/ids.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import { enforcePlanLimit } from "../../kernel/plan-limit.ts";
import { lockMembers } from "../../tenancy/workspaces/roles.ts";
import { deleteReceivers, lockReceivers } from "../actions/receivers.sql.ts";
import { mayChange } from "../seen/viewer.ts";
import { checkMaySetUp, draft, redraft } from "./draft.ts";
import { switched } from "./enable.ts";
import { AutomationEntity } from "./entities.ts";
import { automationCreated, automationDeleted, recordRule, recordRuleChange } from "./events.ts";
import type { AutomationCreateInput, AutomationPatchInput } from "./inputs.ts";
import { countRules, createTally, findRule, findRuleWithRuns, listRules } from "./rules.sql.ts";
import { rulesSeenBy } from "./seen-by.ts";
import { touchRules } from "./touch.sql.ts";
import { type AutomationView, automationView, nextRunOf, type Rule, type RuleRow } from "./view.ts";

/**
 * Automations. Members see those for all projects and those for projects that they see; guests see none. Every change locks
 * the workspace, and tells workers that their copy of the automations is out of date (`touchRules`).
 */

/** Returns a page of automations, newest first. */
export async function listPage(ctx: Calling, paging: Paging) {
  const rows = ctx.principal.role === "guest" ? [] : await listRules(ctx, paging.after, paging.limit + 1);
  const page = pageOf(
    rows,
    paging,
    (row) => [row.created_at, row.id],
    ({ bytes }) => bytes,
  );
  const views = page.rows.map((row) => automationView(ctx, row));
  return { rows: await seenByCaller(ctx, views), next_cursor: page.next_cursor };
}

/** An automation as it is stored. */
export const inPath = (ctx: InWorkspace, text: string) => stored(ctx, text, findRule);

/** An automation whose runs are read. It may have been deleted a short time ago. */
export const withRuns = (ctx: InWorkspace, text: string) => stored(ctx, text, findRuleWithRuns);

async function stored(ctx: InWorkspace, text: string, find: typeof findRule): Promise<Found<RuleRow> | null> {
  const id = readId(text);
  const row = id && (await find(ctx, id));
  return row ? withAudience(row, row) : null;
}

/** An automation as the caller sees it. */
export async function read(ctx: Calling, text: string): Promise<Found<AutomationView> | null> {
  const found = await inPath(ctx, text);
  if (!found) return null;
  const [object] = await seenByCaller(ctx, [automationView(ctx, found.object)]);
  return { ...found, object: object! };
}

/** An automation that may be changed. */
export type LockedRule = { entity: AutomationEntity; row: RuleRow };

/** Locks the workspace and returns an automation. @throws Refusal insufficient_role if the caller is no longer an admin */
export async function byId(ctx: InWorkspace & Writing, text: string): Promise<Found<LockedRule> | null> {
  const id = readId(text);
  if (!id) return null;
  await lockReceivers(ctx, id);
  await lockMembers(ctx);
  const entity = await ctx.em.findOne(AutomationEntity, { id, deleted_at: null });
  const row = entity && (await findRule(ctx, id));
  ctx.waited(entity?.updated_at);
  return row ? withAudience(row, { entity, row }) : null;
}

/** @throws Refusal insufficient_role, plan_limit_reached; see `draft` */
export async function create(
  ctx: InWorkspace & Writing,
  input: AutomationCreateInput,
  project: ProjectAccess | null,
): Promise<AutomationView> {
  await lockMembers(ctx);
  await enforcePlanLimit(ctx, "automations", async () => (await countRules(ctx.tx, ctx.workspace.id)).all);
  const rule = await draft(ctx, input, project);
  const { id } = ctx.em.create(AutomationEntity, {
    ...rule,
    id: newId(),
    workspace_id: ctx.workspace.id,
    due_at: nextRunOf(rule, ctx.now),
    created_at: ctx.now,
    updated_at: ctx.now,
  });
  await ctx.em.flush();
  await createTally(ctx.tx, id);
  await touchRules(ctx);
  const view = await viewOf(ctx, id);
  await recordRule(ctx, automationCreated, view);
  return view;
}

/** A call that changes nothing records nothing. @throws Refusal plan_required, plan_limit_reached; see `redraft` */
export async function change(
  ctx: InWorkspace & Writing,
  { entity, row }: LockedRule,
  { enabled, ...input }: AutomationPatchInput,
  project: ProjectAccess | null,
): Promise<AutomationView> {
  const before = automationView(ctx, row);
  const redrafted = await redraft(ctx, row, input, project);
  const redefined = Object.keys(changesTo(row, redrafted)).some((name) => name !== "name" && name !== "description");
  const taken = redefined ? await takeOver(ctx, row, { redefined }) : {};
  const next: Rule = { ...row, ...redrafted, ...(await switched(ctx, row, enabled)), ...taken };
  const changes = changesTo(row, next);
  // Enabling clears the failures, which are counts and no change of the automation.
  if (Object.keys(changes).length === 0) return enabled ? viewOf(ctx, row.id) : before;
  if (redefined || changes.enabled) checkMaySetUp(ctx, next);
  if (ctx.principal.project_ids && next.project_id === null) refuse("key_project_limit");
  const restarts = "enabled" in changes || "trigger" in changes || "trigger_config" in changes;
  const schedule = restarts ? { due_at: nextRunOf(next, ctx.now) } : {};
  // The row says that it is enabled until a worker finds that its credential has ended.
  const { enabled: isEnabled, disabled_reason } = next;
  Object.assign(entity, changes, schedule, { enabled: isEnabled, disabled_reason, updated_at: ctx.now });
  await ctx.em.flush();
  if (changes.actions) await deleteReceivers(ctx, row.id, changes.actions);
  await touchRules(ctx);
  const after = await viewOf(ctx, row.id);
  await recordRuleChange(ctx, before, after);
  return after;
}

/** Deletes an automation. Runs that have begun go on to their end. What waits for the addresses of its actions is not sent. */
export async function remove(ctx: InWorkspace & Writing, { entity, row }: LockedRule) {
  const last = automationView(ctx, row);
  Object.assign(entity, { deleted_at: ctx.now, updated_at: ctx.now });
  await ctx.em.flush();
  await deleteReceivers(ctx, row.id, []);
  await touchRules(ctx);
  await recordRule(ctx, automationDeleted, last);
  return { id: row.id, deleted: true as const };
}

type Calling = InWorkspace & WithCredential;

const seenByCaller = (ctx: Calling, views: readonly AutomationView[]): Promise<AutomationView[]> =>
  rulesSeenBy(ctx, views, { addresses: mayChange(ctx, "automations:write") });

const withAudience = <T>(row: WithProject, object: T): Found<T> => foundIn(row, object, "members");

const viewOf = async (ctx: InWorkspace, id: string): Promise<AutomationView> =>
  automationView(ctx, (await findRule(ctx, id))!);
