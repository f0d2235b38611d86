import { recordChange } from "../../events/record.ts";
import { extended, type InWorkspace, type Writing } from "../../kernel/context.ts";
import { changesTo } from "../../kernel/difference.ts";
import { refuse, refuseField } from "../../kernel/errors.ts";
import { readVisible } from "../actions/issue.sql.ts";
import { sessionErrors } from "./errors.ts";
import { agentSessionStateChanged, agentSessionUpdated } from "./events.ts";
import { showInIssue } from "./in-issue.ts";
import type { AgentSessionPatchInput } from "./inputs.ts";
import { checkMayChange } from "./rights.ts";
import { openSessionOf, readSession } from "./sessions.sql.ts";
import { type LockedSession, placeOf } from "./sessions.ts";
import { isOpen, type State } from "./states.ts";
import { type AgentSessionView, type SessionRow, sessionView } from "./view.ts";

/**
 * Changes a session. Every call says that the agent is at work; one that changes nothing else records nothing.
 * @throws Refusal not_owner_of_resource, invalid_reference, session_cancelled, already_exists
 */
export async function change(
  ctx: InWorkspace & Writing,
  session: LockedSession,
  input: AgentSessionPatchInput,
): Promise<AgentSessionView> {
  checkMayChange(ctx, session.row, input);
  return update(ctx, session, input);
}

/** The same without the check of rights. */
export async function update(
  ctx: InWorkspace & Writing,
  { entity, row }: LockedSession,
  { agent_id: _, ...input }: AgentSessionPatchInput,
): Promise<AgentSessionView> {
  const before = sessionView(ctx, row);
  const state = input.state ?? row.state;
  if (input.question && state !== "needs_input") {
    refuseField("/question", "not_allowed", "is possible with the state needs_input only");
  }
  const changes = changesTo(entity, {
    ...plain(input),
    ...(state === row.state ? {} : await moved(ctx, row, state)),
    // A question has its answer when the agent goes on.
    ...(state === "needs_input" ? {} : { question: null }),
  });
  const isChanged = Object.keys(changes).length > 0;
  Object.assign(entity, changes, { last_activity_at: ctx.now, ...(isChanged ? { updated_at: ctx.now } : {}) });
  await ctx.em.flush();
  if (isOpen(state) !== isOpen(row.state) && row.issue_id) {
    const at = await readVisible(ctx, row.issue_id);
    if (at) await showInIssue(extended(ctx, at), row.id, isOpen(state));
  }
  const after = sessionView(ctx, (await readSession(ctx, row.id))!);
  const event = state === row.state ? agentSessionUpdated : agentSessionStateChanged;
  if (isChanged) recordChange(placeOf(ctx, row), event, before, after, row.issue_id ? { issue_id: row.issue_id } : {});
  return after;
}

/** Texts that are sent empty count as none. */
function plain({ state: _, title, question, plan, ...texts }: Omit<AgentSessionPatchInput, "agent_id">) {
  const sent = Object.entries(texts).filter(([, value]) => value !== undefined);
  return {
    ...Object.fromEntries(sent.map(([name, value]) => [name, value || null])),
    ...(title === undefined ? {} : { title }),
    ...(question === undefined ? {} : { question }),
    ...(plan === undefined ? {} : { plan }),
  };
}

/** The state with the times that the move sets. @throws Refusal session_cancelled, already_exists */
async function moved(ctx: InWorkspace & Writing, { id, agent_id, issue_id, reopened, ...row }: SessionRow, to: State) {
  if (row.state === "cancelled") refuse(sessionErrors.session_cancelled, { session_id: id });
  const reopens = isOpen(to) && !isOpen(row.state);
  if (reopens && issue_id) {
    const existing_id = await openSessionOf(ctx, agent_id, issue_id);
    const message = "The agent has another open session on the issue. Continue that one.";
    if (existing_id) refuse("already_exists", { message, existing_id });
  }
  return {
    state: to,
    state_reason: null,
    ended_at: isOpen(to) ? null : (row.ended_at ?? ctx.now),
    ...(reopens ? { reopened: reopened + 1 } : {}),
    ...(to === "needs_input" ? { needs_input_at: ctx.now } : {}),
    ...(to === "review" ? { review_at: ctx.now } : {}),
  };
}
