import { recordChange } from "../../events/record.ts";
import { extended, type InWorkspace, type Writing } from "../../kernel/context.ts";
import { changesTo } from "../../kernel/difference.ts";
import type { ActivityLine } from "../../kernel/recorded.ts";
import { readVisible } from "../actions/issue.sql.ts";
import type { AgentSessionEntity } from "./entities.ts";
import { agentSessionStateChanged, agentSessionUpdated } from "./events.ts";
import { showInIssue } from "./in-issue.ts";
import { readSession } from "./sessions.sql.ts";
import { type LockedSession, placeOf } from "./sessions.ts";
import { isOpen } from "./states.ts";
import { type AgentSessionView, sessionView } from "./view.ts";

/**
 * Stores changes of a locked session and records them, with what follows for its issue. Nothing is recorded if only the
 * time of the last activity changes. Returns the session afterwards.
 */
export async function store(
  ctx: InWorkspace & Writing,
  { entity, row }: LockedSession,
  { last_activity_at = entity.last_activity_at, ...wanted }: Partial<AgentSessionEntity>,
): Promise<AgentSessionView> {
  const before = sessionView(ctx, row);
  const changes = changesTo(entity, { ...wanted, ...keptQuestion(entity, wanted) });
  const isChanged = Object.keys(changes).length > 0;
  Object.assign(entity, changes, { last_activity_at, ...(isChanged ? { updated_at: ctx.now } : {}) });
  await ctx.em.flush();
  const { state } = entity;
  if (isOpen(state) !== isOpen(row.state) && row.issue_id) {
    const at = await readVisible(ctx, row.issue_id);
    if (at) await showInIssue(extended(ctx, at), row.id, isOpen(state));
  }
  const after = sessionView(ctx, (await readSession(ctx, row.id))!);
  if (!isChanged) return after;
  const event = state === row.state ? agentSessionUpdated : agentSessionStateChanged;
  const about = row.issue_id ? { issue_id: row.issue_id, activity: linesOf(before, after) } : {};
  recordChange(placeOf(ctx, row), event, before, after, about);
  return after;
}

/** A question that goes is kept until the session asks again. */
function keptQuestion({ question }: AgentSessionEntity, wanted: Partial<AgentSessionEntity>) {
  if (wanted.needs_input_at) return { last_question: null };
  return wanted.question === null && question ? { last_question: question } : {};
}

/** What the history of the issue says. */
function linesOf(before: AgentSessionView, { id, agent_id, state, state_reason }: AgentSessionView): ActivityLine[] {
  if (state === before.state) return [];
  const payload = { field: "state", from: before.state, to: state, session_id: id, agent_id, reason: state_reason };
  return [{ kind: "session_state_changed", payload }];
}
