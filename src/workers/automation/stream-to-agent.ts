import { HAS_AGENTS, WORTH_A_LOOK } from "../../domain/automation/agent-events/concerns.sql.ts";
import { TELLING } from "../../domain/automation/agent-events/rules.ts";
import { areOwed, QUEUE } from "../../domain/automation/agent-events/store.sql.ts";
import { type Pass, tellAgents } from "../../domain/automation/agent-events/tell-agents.ts";
import type { Background } from "../../domain/events/background.ts";
import { sharedPasses } from "../../domain/kernel/shared-passes.ts";
import { defineQueue, eventsTogether, seconds } from "../../queues/queue.ts";
import { NotNow, serve } from "../worker.ts";

/** Until a job tries again whose workspace another process has locked. */
const LOCKED_MS = 100;

/** Tells agents of events: stores the frames of their streams, and sends them to open streams. */
export const streamToAgent = defineQueue(QUEUE, {
  on: TELLING,
  only: WORTH_A_LOOK,
  listeners: HAS_AGENTS,
  ...eventsTogether(100),
  retry: seconds(0.2, 1, 5, 30),
  retryForever: true,
  concurrency: 10,
});

/**
 * A job tells agents of events that wait in its workspace, in order. If its own are not among them, it goes back into the
 * queue, so that a workspace with many events does not keep those of others waiting.
 */
export const worker = serve(streamToAgent, async (ctx, { workspace_id, event_ids }) => {
  const { frames, events, more, isLocked } = await passesOf(ctx)(workspace_id);
  if (isLocked) throw new NotNow("another process tells the agents of this workspace", LOCKED_MS);
  const done = new Set(events);
  const left = event_ids.filter((id) => !done.has(id));
  // Other jobs may have done these.
  if (more && left.length > 0 && (await areOwed(ctx.database, left))) throw new NotNow("earlier events come first", 0);
  return { frames };
});

const passes = new WeakMap<Background["database"], (workspaceId: string) => Promise<Pass>>();

/** The passes of this process. Jobs of a workspace that begin during one share the next. */
function passesOf(ctx: Background) {
  const open = passes.get(ctx.database) ?? sharedPasses((workspaceId) => tellAgents(ctx, workspaceId));
  passes.set(ctx.database, open);
  return open;
}
