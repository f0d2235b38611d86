import { type Background, write } from "../../events/background.ts";
import { type Cause, causedBy, extended, type InWorkspace, type Writing } from "../../kernel/context.ts";
import { workOn } from "../../kernel/leases.ts";
import { lockEntity } from "../../kernel/locks.sql.ts";
import type { Principal } from "../../kernel/principal.ts";
import type { Workspace } from "../../kernel/rows.ts";
import { lockIssues } from "../../work/mass-changes/settle.ts";
import { AgentSessionEntity } from "./entities.ts";
import { type After, type Found, findOwed, findOwedOf, type Owed, readOwed } from "./owed.sql.ts";
import { readSession } from "./sessions.sql.ts";
import type { State } from "./states.ts";
import { store } from "./store.ts";

/**
 * What happens to sessions because of what happens around them: they end with their issue, agent or person, they wait
 * while their agent is paused, and they fail in silence. Only the rows count, not the events that lead here. So this may
 * run twice, late and out of order.
 */

/** Sessions that are read, and changed, at a time. Each has its own transaction. */
const PAGE = 200;
const AT_ONCE = 4;

/**
 * Settles the sessions that events concern, as far as they are still open.
 * @returns how many sessions it changed
 * @throws the first error, after the other sessions
 */
export async function settleOf(
  base: Background,
  workspaceId: string,
  eventIds: readonly string[],
  stopping: AbortSignal,
): Promise<number> {
  const errors: unknown[] = [];
  const hours = base.settings.agentHeartbeatHours;
  const page = (after: After) => findOwedOf(base.db, hours, { workspaceId, eventIds }, { after, limit: PAGE });
  const settled = await settleAll(page, stopping, {
    settle: (found) => settle(base, found, causedBy(found.event, {})),
    onError: (_, error) => errors.push(error),
  });
  if (errors.length > 0) throw errors[0];
  // The job is not done, so another worker continues it.
  stopping.throwIfAborted();
  return settled;
}

/** Settles the sessions of all workspaces. Returns how many it changed. */
export function settleEverywhere(base: Background, stopping: Pick<AbortSignal, "aborted">): Promise<number> {
  const hours = base.settings.agentHeartbeatHours;
  return settleAll((after) => findOwed(base.db, hours, { after, limit: PAGE }), stopping, {
    settle: (found) => settle(base, found, {}),
    onError: ({ id }, error) => base.log.warn({ err: error, session_id: id }, "a session could not be settled yet"),
  });
}

type Settling<Row> = {
  settle: (found: Row) => Promise<boolean>;
  onError: (found: Row, error: unknown) => void;
};

async function settleAll<Row extends Found>(
  page: (after: After) => Promise<Row[]>,
  stopping: Pick<AbortSignal, "aborted">,
  { settle, onError }: Settling<Row>,
): Promise<number> {
  let settled = 0;
  let found: Row[] = [];
  do {
    found = await page(found.at(-1));
    await workOn(found, { atOnce: AT_ONCE, stopping, onError }, async (one) => {
      if (await settle(one)) settled += 1;
    });
  } while (found.length === PAGE && !stopping.aborted);
  return settled;
}

/**
 * Does what has to happen to one session, in a transaction of its own. What the agent sent at the same time comes before,
 * and then counts, or after. Returns false if there is nothing to do any more.
 */
function settle(base: Background, { id, workspace_id, agent_id, issue_id }: Found, cause: Cause): Promise<boolean> {
  return write({ ...base, now: base.ports.clock(), cause }, workspace_id, async (tx) => {
    if (issue_id) await lockIssues(extended(tx, { workspace: { id: workspace_id } }), [issue_id]);
    const entity = await lockEntity(tx, AgentSessionEntity, { id });
    if (!entity) return false;
    const { owed, workspace } = await readOwed(tx.tx, id, tx.settings.agentHeartbeatHours);
    if (!owed) return false;
    const ctx = asSystem(tx, workspace, agent_id);
    await store(ctx, { entity, row: (await readSession(ctx, id))! }, MOVES[owed](entity, ctx.now));
    return true;
  });
}

type Move = (session: AgentSessionEntity, now: string) => Partial<AgentSessionEntity> & { state: State };

const ends =
  (state: State, state_reason: Owed): Move =>
  (_, now) => ({ state, state_reason, ended_at: now, question: null, state_before_pause: null });

const MOVES: Record<Owed, Move> = {
  issue_archived: ends("cancelled", "issue_archived"),
  agent_revoked: ends("cancelled", "agent_revoked"),
  member_removed: ends("cancelled", "member_removed"),
  heartbeat_lost: ends("failed", "heartbeat_lost"),
  agent_paused: ({ state }) => ({ state: "needs_input", state_reason: "agent_paused", state_before_pause: state }),
  // Its silence did not count.
  agent_resumed: ({ state_before_pause }, now) => ({
    state: state_before_pause!,
    state_reason: null,
    state_before_pause: null,
    question: null,
    last_activity_at: now,
  }),
};

/** The context of the system, which sees everything. */
function asSystem<Base extends Writing>(tx: Base, workspace: Workspace, userId: string): Base & InWorkspace {
  const nobody = {
    user_name: null,
    user_email: null,
    role: "owner",
    maker_role: "owner",
    project_ids: null,
    key: null,
  } as const;
  const principal: Principal = { kind: "person", user_id: userId, user_kind: "person", ...nobody };
  return extended(tx, { workspace, principal });
}
