import type { InIssue, IssueRow } from "../../access/identity/issue-row.ts";
import { record } from "../../events/record.ts";
import type { ProjectAccess } from "../../kernel/belongs.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { refuseReference } from "../../kernel/errors.ts";
import { newId, readId } from "../../kernel/ids.ts";
import { readIssue } from "../../work/issues/change.sql.ts";
import { checkSpendCap } from "../agent-usage/spend-cap.ts";
import { isUnstarted, startIssue } from "./auto-start.ts";
import { update } from "./change.ts";
import { refuseClaimed } from "./claims.ts";
import { AgentSessionEntity } from "./entities.ts";
import { agentSessionCreated } from "./events.ts";
import { showInIssue } from "./in-issue.ts";
import type { AgentSessionCreateInput } from "./inputs.ts";
import { issueOf } from "./issue-of.ts";
import { checkMayWork } from "./may-work.ts";
import { isNext } from "./next.ts";
import { agentFor } from "./rights.ts";
import { isRunOf, openSessionOf, readSession } from "./sessions.sql.ts";
import { byId, placeOf } from "./sessions.ts";
import { type AgentSessionView, sessionView } from "./view.ts";

/**
 * Starts a session. If the agent has an open one on the issue already, returns that, with the fields that were sent.
 * @param project the project that the body names
 * @throws Refusal not_owner_of_resource, invalid_reference, insufficient_role, archived, key_project_limit,
 *   issue_claimed, nothing_ready, agent_paused, invalid_state_change, spend_cap_reached
 */
export async function start(
  ctx: InWorkspace & Writing,
  input: AgentSessionCreateInput,
  project: ProjectAccess | null,
): Promise<AgentSessionView> {
  const agent_id = await agentFor(ctx, input.agent_id);
  const at = await issueOf(ctx, input, agent_id, project);
  const claims = isNext(input) || (input.claim ?? false);
  if (at && claims) await refuseClaimed(ctx, at.issue.id, agent_id);
  const present = at && (await openSessionOf(ctx, agent_id, at.issue.id));
  if (present) {
    const { title, note, external_url } = input;
    const { object } = (await byId(ctx, present))!;
    const claiming = { claims: claims || object.row.claim };
    return { ...(await update(ctx, object, { title, note, external_url }, claiming)), existing: true };
  }

  await checkMayWork(ctx, agent_id);
  await checkSpendCap(ctx, agent_id);
  const { id } = ctx.em.create(AgentSessionEntity, {
    id: newId(),
    workspace_id: ctx.workspace.id,
    agent_id,
    issue_id: at?.issue.id ?? null,
    project_id: (at?.project ?? project)?.id ?? null,
    state: "running",
    title: input.title,
    note: input.note || null,
    external_url: input.external_url || null,
    branch: input.branch || null,
    model: input.model || null,
    workflow_run_id: await runOf(ctx, input, at),
    plan: [],
    claim: claims,
    reopened: 0,
    started_by: ctx.principal.user_id,
    started_at: ctx.now,
    last_activity_at: ctx.now,
    created_at: ctx.now,
    updated_at: ctx.now,
  });
  await ctx.em.flush();
  const isFirst = at?.mayMove && isWaiting(await readIssue(at, at.issue.id));
  if (at) await showInIssue(at, id, true);
  const row = (await readSession(ctx, id))!;
  const view = sessionView(ctx, row);
  const line = { kind: "session_started", payload: { session_id: id, agent_id } };
  record(placeOf(ctx, row), agentSessionCreated, view, at ? { issue_id: at.issue.id, activity: [line] } : {});
  if (at && isFirst) await startIssue(at);
  return view;
}

/** Whether nobody has started the issue, or works on it. */
const isWaiting = ({ status, active_session_ids }: IssueRow) => isUnstarted(status) && active_session_ids.length === 0;

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
