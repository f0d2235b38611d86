import {
  HAS_RUNS,
  HAS_RUNS_IN_PROJECT,
  IS_AWAITED,
  IS_IN_RUN,
} from "../../domain/automation/workflow-runs/tell.sql.ts";
import { tellRuns } from "../../domain/automation/workflow-runs/tell.ts";
import { EVENTS, type EventType } from "../../domain/event-catalogue.ts";
import { isForWebhooks } from "../../domain/webhook-events.ts";
import { defineQueue, eventsTogether, seconds } from "../../queues/queue.ts";
import { serve } from "../worker.ts";

/** Stages of agents follow the agents' sessions, and their costs. */
const OF_SESSIONS = ["agent_session.created", "agent_session.state_changed", "agent_session.updated"];

/** The events that a stage can wait for. Some are not defined yet. */
const AWAITED = [...new Set([...EVENTS.filter(isForWebhooks).map(({ name }) => name), ...OF_SESSIONS])] as EventType[];

/** Tells workflow runs of the events that they wait for, and of what was archived. */
export const tellWorkflows = defineQueue("tell-workflows", {
  on: AWAITED,
  only: {
    ...Object.fromEntries(AWAITED.map((name) => [name, IS_AWAITED])),
    ...Object.fromEntries(OF_SESSIONS.map((name) => [name, `${IS_IN_RUN} or ${IS_AWAITED}`])),
    "issue.archived": `${IS_IN_RUN} or ${IS_AWAITED}`,
    "project.archived": HAS_RUNS_IN_PROJECT,
  },
  listeners: HAS_RUNS,
  ...eventsTogether(20),
  retry: seconds(0.5, 2, 5, 30),
  retryForever: true,
  concurrency: 6,
});

export const worker = serve(tellWorkflows, async (ctx, { workspace_id, event_ids }) => ({
  runs: await tellRuns(ctx, workspace_id, event_ids),
}));
