import type { Writing } from "../../kernel/context.ts";
import type { Ending } from "../workflows/machine.ts";
import { advanceRun } from "./advance-run.ts";
import { stepOf } from "./complete.ts";
import { type OpenRun, openRun } from "./open-run.ts";
import type { StageRow } from "./rows.ts";
import { hasSpent } from "./stage-spending.sql.ts";

export type Session = {
  id: string;
  agent_id: string;
  /** `running`, `needs_input`, `review`, `done`, `failed` or `cancelled`. */
  state: string;
};

/** How a stage ends with its session. In all other states it stays active, also while somebody reviews the work. */
const ENDINGS: ReadonlyMap<string, Ending> = new Map([
  ["done", "success"],
  ["failed", "failure"],
  ["cancelled", "failure"],
]);

/**
 * Lets the stage of an agent follow a session of this agent on the run's issue. Events of a session may come late, twice
 * and out of order. Returns false if no active stage follows the session.
 * @param options.at when the session changed. A stage that has become active later does not follow it.
 */
export async function followSession(
  ctx: Writing,
  { workspaceId, runId, session, at }: { workspaceId: string; runId: string; session: Session; at: string },
): Promise<boolean> {
  const open = await openRun(ctx, workspaceId, runId);
  const stage = open?.run.status === "running" ? stageOf(open, session, at) : undefined;
  if (!open || !stage) return false;
  const ending = ENDINGS.get(session.state);
  const overspent = ending ? null : await overspending(open, stage, session.id);
  if (!ending && !overspent && stage.session_id === session.id) return true;
  const error = session.state === "cancelled" ? "The agent's session was cancelled." : null;
  const note = {
    session_id: session.id,
    ...(ending ? { completed_by: session.agent_id, error } : {}),
    ...(overspent ? { error: overspent } : {}),
  };
  const endings = new Map(ending || overspent ? [[stage.node_id, ending ?? "failure"]] : []);
  await advanceRun(open, stepOf(open, endings), new Map([[stage.node_id, note]]));
  return true;
}

/** Why the costs of the session end the stage. Null if they do not. */
async function overspending({ ctx, flow }: OpenRun, stage: StageRow, sessionId: string): Promise<string | null> {
  const { spend_cap_usd: cap } = flow.graph.nodes.get(stage.node_id)!.config;
  if (cap === null || cap === undefined) return null;
  const spending = { workspaceId: stage.workspace_id, sessionId, since: stage.activated_at! };
  return (await hasSpent(ctx.tx, spending, cap)) ? `The stage has reached its spend cap of ${cap} US dollars.` : null;
}

/** The stage that follows the session already, else the first one of its agent that follows none. */
function stageOf({ flow, stages }: OpenRun, { id, agent_id }: Session, at: string) {
  const candidates = flow.graph.order.flatMap((node) => {
    const stage = stages.get(node.id)!;
    const isOpen = node.kind === "agent" && stage.state === "active" && stage.activated_at! <= at;
    return isOpen && stage.assignee_user_id === agent_id ? [stage] : [];
  });
  return (
    candidates.find(({ session_id }) => session_id === id) ?? candidates.find(({ session_id }) => session_id === null)
  );
}
