import { type Background, write } from "../../events/background.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { lockWorkspace } from "../../kernel/locks.sql.ts";
import { disable } from "../automations/disable.ts";
import { recordRuleChange } from "../automations/events.ts";
import { readRule } from "../automations/rules.sql.ts";
import { touchRules } from "../automations/touch.sql.ts";
import { automationView, nextRunOf } from "../automations/view.ts";
import { workflowView } from "../workflows/view.ts";
import { readWorkflow } from "../workflows/workflows.sql.ts";
import { recordStatus } from "../workflows/workflows.ts";
import { aboveLimit, enableRule, setWorkflow, withinLimit } from "./fit.sql.ts";

/**
 * After a change of the plan, automations and workflows above its limits stop, the newest first. A plan with more room
 * starts just these again, the oldest first. What a person has disabled stays as it is.
 */

/** Number of objects of each kind in a transaction. */
const BATCH = 100;

type InTenant = Writing & Pick<InWorkspace, "workspace">;

/** Returns how many automations and workflows changed. It may run at any time. */
export async function fitToPlan(ctx: Background, workspaceId: string): Promise<number> {
  const place = { ...ctx, workspace: { id: workspaceId } } as Background & Pick<InWorkspace, "workspace">;
  let total = 0;
  for (let changed = 1; changed > 0; total += changed) {
    changed = await write(place, workspaceId, (tx) => fitSome(tx));
  }
  return total;
}

async function fitSome(ctx: InTenant): Promise<number> {
  const workspaceId = ctx.workspace.id;
  const plan = await lockWorkspace(ctx, workspaceId);
  const { plans } = ctx.settings;
  const rules = { workspaceId, limit: plans(plan, "automations"), batch: BATCH };
  const workflows = { workspaceId, limit: plans(plan, "enabled_workflows"), batch: BATCH };
  const stopped = [
    await each(await aboveLimit(ctx.tx, "automation", rules), (id) => disable(ctx, id, "plan")),
    await each(await aboveLimit(ctx.tx, "workflow", workflows), (id) => switchWorkflow(ctx, id, false)),
  ];
  const started = [
    await each(await withinLimit(ctx.tx, "automation", rules), (id) => enable(ctx, id)),
    await each(await withinLimit(ctx.tx, "workflow", workflows), (id) => switchWorkflow(ctx, id, true)),
  ];
  return [...stopped, ...started].reduce((sum, count) => sum + count, 0);
}

async function each(ids: readonly string[], work: (id: string) => Promise<unknown>): Promise<number> {
  for (const id of ids) await work(id);
  return ids.length;
}

async function enable(ctx: InTenant, id: string): Promise<void> {
  const workspaceId = ctx.workspace.id;
  const before = (await readRule(ctx.tx, workspaceId, id))!;
  const dueAt = nextRunOf({ ...before, enabled: true }, ctx.now);
  await enableRule(ctx.tx, workspaceId, { id, dueAt, now: ctx.now });
  await touchRules(ctx);
  const after = automationView(ctx, (await readRule(ctx.tx, workspaceId, id))!);
  await recordRuleChange(ctx, automationView(ctx, before), after);
}

async function switchWorkflow(ctx: InTenant, id: string, enabled: boolean): Promise<void> {
  const read = async () => workflowView((await readWorkflow({ ...ctx, principal: NOBODY }, id))!);
  const before = await read();
  await setWorkflow(ctx.tx, ctx.workspace.id, { id, enabled, now: ctx.now });
  recordStatus(ctx, before, await read());
}

/** All runs are counted. Nobody's role in a project is read. */
const NOBODY = { user_id: null, role: "owner", project_ids: null } as const;
