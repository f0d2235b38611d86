import { CONCERNS_SESSIONS, HAS_OPEN_SESSIONS } from "../../domain/automation/agent-sessions/owed.sql.ts";
import { settleOf } from "../../domain/automation/agent-sessions/settle.ts";
import type { EventType } from "../../domain/event-catalogue.ts";
import { defineQueue, eventsTogether, seconds } from "../../queues/queue.ts";
import { serve } from "../worker.ts";

const CAUSES: EventType[] = ["issue.archived", "project.archived", "agent.revoked", "agent.updated", "member.removed"];

/** Ends, holds or continues agent sessions after what happened to their issue, project, agent or person. */
export const settleSessions = defineQueue("settle-sessions", {
  on: CAUSES,
  only: Object.fromEntries(CAUSES.map((name) => [name, CONCERNS_SESSIONS])),
  listeners: HAS_OPEN_SESSIONS,
  ...eventsTogether(20),
  retry: seconds(0.5, 2, 5, 30),
  retryForever: true,
  concurrency: 4,
});

export const worker = serve(settleSessions, async (ctx, { workspace_id, event_ids }, { stopping }) => ({
  sessions: await settleOf(ctx, workspace_id, event_ids, stopping),
}));
