import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { refuse, refuseField } from "../../kernel/errors.ts";
import { checkSpendCap } from "../agent-usage/spend-cap.ts";
import { refuseClaimed } from "./claims.ts";
import { sessionErrors } from "./errors.ts";
import type { AgentSessionPatchInput } from "./inputs.ts";
import { checkMayWork } from "./may-work.ts";
import { checkMayChange } from "./rights.ts";
import { openSessionOf } from "./sessions.sql.ts";
import type { LockedSession } from "./sessions.ts";
import { isOpen, type State } from "./states.ts";
import { store } from "./store.ts";
import type { AgentSessionView, SessionRow } from "./view.ts";

/**
 * Changes a session. Every call says that the agent is at work; one that changes nothing else records nothing.
 * @throws Refusal not_owner_of_resource, invalid_reference, session_cancelled, agent_paused, invalid_state_change,
 *   archived, already_exists, issue_claimed, spend_cap_reached
 */
export async function change(
  ctx: InWorkspace & Writing,
  session: LockedSession,
  input: AgentSessionPatchInput,
): Promise<AgentSessionView> {
  checkMayChange(ctx, session.row, input);
  return update(ctx, session, input);
}

/** The same without the check of rights. `claims` says whether the session claims the issue from now on. */
export async function update(
  ctx: InWorkspace & Writing,
  session: LockedSession,
  { agent_id: _, ...input }: AgentSessionPatchInput,
  { claims = session.row.claim }: { claims?: boolean | undefined } = {},
): Promise<AgentSessionView> {
  const { row } = session;
  const state = input.state ?? row.state;
  if (input.question && state !== "needs_input") {
    refuseField("/question", "not_allowed", "is possible with the state needs_input only");
  }
  return store(ctx, session, {
    ...plain(input),
    claim: claims,
    ...(state === row.state ? {} : await moved(ctx, row, state)),
    // A question has its answer when the agent goes on.
    ...(state === "needs_input" ? {} : { question: null }),
    last_activity_at: ctx.now,
  });
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

/**
 * The state with the times that the move sets.
 * @throws Refusal session_cancelled, agent_paused, invalid_state_change, archived, already_exists, issue_claimed,
 *   spend_cap_reached
 */
async function moved(ctx: InWorkspace & Writing, row: SessionRow, to: State) {
  const { id, reopened, ended_at } = row;
  if (row.state === "cancelled") refuse(sessionErrors.session_cancelled, { session_id: id });
  const reopens = isOpen(to) && !isOpen(row.state);
  if (reopens || to === "running" || to === "review") await checkMayWork(ctx, row.agent_id);
  if (reopens) await checkMayReopen(ctx, row);
  return {
    state: to,
    state_reason: null,
    state_before_pause: null,
    ended_at: isOpen(to) ? null : (ended_at ?? ctx.now),
    ...(reopens ? { reopened: reopened + 1 } : {}),
    ...(to === "needs_input" ? { needs_input_at: ctx.now } : {}),
    ...(to === "review" ? { review_at: ctx.now } : {}),
  };
}

/** @throws Refusal archived, already_exists, issue_claimed, spend_cap_reached */
async function checkMayReopen(ctx: InWorkspace & Writing, row: SessionRow): Promise<void> {
  const archived_at = row.issue_archived_at ?? row.project_archived_at;
  if (archived_at) refuse("archived", { archived_at });
  const existing_id = row.issue_id && (await openSessionOf(ctx, row.agent_id, row.issue_id));
  const message = "The agent has another open session on the issue. Continue that one.";
  if (existing_id) refuse("already_exists", { message, existing_id });
  if (row.claim && row.issue_id) await refuseClaimed(ctx, row.issue_id, row.agent_id);
  await checkSpendCap(ctx, row.agent_id);
}
