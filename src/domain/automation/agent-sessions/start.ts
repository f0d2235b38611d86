import type { InIssue } from "../../access/identity/issue-row.ts";
import { readersAmong } from "../../access/identity/readers.sql.ts";
import { record } from "../../events/record.ts";
import { extended, type InWorkspace, type Writing } from "../../kernel/context.ts";
import { refuse, refuseReference } from "../../kernel/errors.ts";
import { newId, readId } from "../../kernel/ids.ts";
import { lockLive } from "../../work/issues/lock-live.ts";
import { findTarget } from "../../work/links/links.sql.ts";
import { readVisible } from "../actions/issue.sql.ts";
import { checkProjectRole } from "../actions/rights.ts";
import { checkSpendCap } from "../agent-usage/spend-cap.ts";
import { update } from "./change.ts";
import { AgentSessionEntity } from "./entities.ts";
import { agentSessionCreated } from "./events.ts";
import { showInIssue } from "./in-issue.ts";
import type { AgentSessionCreateInput } from "./inputs.ts";
import { agentFor } from "./rights.ts";
import { isRunOf, openSessionOf, readSession } from "./sessions.sql.ts";
import { byId, placeOf } from "./sessions.ts";
import { type AgentSessionView, sessionView } from "./view.ts";

/**
 * Starts a session. If the agent has an open one on the issue already, returns that, with the fields that were sent.
 * @throws Refusal not_owner_of_resource, invalid_reference, insufficient_role, archived, key_project_limit,
 * spend_cap_reached
 */
export async function start(ctx: InWorkspace & Writing, input: AgentSessionCreateInput): Promise<AgentSessionView> {
  const agent_id = await agentFor(ctx, input.agent_id);
  const at = await issueOf(ctx, input, agent_id);
  const present = at && (await openSessionOf(ctx, agent_id, at.issue.id));
  if (present) {
    const { title, note, external_url } = input;
    const { object } = (await byId(ctx, present))!;
    return { ...(await update(ctx, object, { title, note, external_url })), existing: true };
  }

  await checkSpendCap(ctx, agent_id);
  const { id } = ctx.em.create(AgentSessionEntity, {
    id: newId(),
    workspace_id: ctx.workspace.id,
    agent_id,
    issue_id: at?.issue.id ?? null,
    project_id: at?.project.id ?? null,
    state: "running",
    title: input.title,
    note: input.note || null,
    external_url: input.external_url || null,
    branch: input.branch || null,
    model: input.model || null,
    workflow_run_id: await runOf(ctx, input, at),
    plan: [],
    reopened: 0,
    started_by: ctx.principal.user_id,
    started_at: ctx.now,
    last_activity_at: ctx.now,
    created_at: ctx.now,
    updated_at: ctx.now,
  });
  await ctx.em.flush();
  if (at) await showInIssue(at, id, true);
  const row = (await readSession(ctx, id))!;
  const view = sessionView(ctx, row);
  record(placeOf(ctx, row), agentSessionCreated, view, at ? { issue_id: at.issue.id } : {});
  return view;
}

/** Locks the issue that the body names. Null if it names none. */
async function issueOf(
  ctx: InWorkspace & Writing,
  { issue_key, issue_id }: AgentSessionCreateInput,
  agentId: string,
): Promise<(InIssue & Writing) | null> {
  if (issue_key && issue_id) refuse("mutually_exclusive", { fields: ["issue_key", "issue_id"] });
  const ref = issue_key || issue_id;
  if (!ref) {
    if (ctx.principal.project_ids) refuse("key_project_limit");
    return null;
  }
  const path = issue_key ? "/issue_key" : "/issue_id";
  const target = (await findTarget(ctx, ref)) ?? refuseReference(path, ref);
  const located = (await readVisible(ctx, target.id)) ?? refuseReference(path, ref);
  checkProjectRole(ctx, located.project);
  const { archived_at } = located.project;
  if (archived_at) refuse("archived", { archived_at });
  if (agentId !== ctx.principal.user_id && (await readersAmong(ctx, located.project, [agentId])).length === 0) {
    refuseReference("/agent_id", agentId, { message: "The agent cannot see the issue." });
  }
  const at = extended(ctx, located);
  await lockLive(at);
  return at;
}

async function runOf(
  ctx: InWorkspace,
  { workflow_run_id: ref }: AgentSessionCreateInput,
  at: InIssue | null,
): Promise<string | null> {
  if (!ref) return null;
  const id = readId(ref);
  if (id && at && (await isRunOf(ctx, id, at.issue.id))) return id;
  return refuseReference("/workflow_run_id", ref, { message: "workflow_run_id names no run of the issue." });
}
