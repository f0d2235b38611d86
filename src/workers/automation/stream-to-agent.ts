import { HAS_AGENTS, WORTH_A_LOOK } from "../../domain/automation/agent-events/concerns.sql.ts";
import { TELLING } from "../../domain/automation/agent-events/rules.ts";
import { QUEUE } from "../../domain/automation/agent-events/store.sql.ts";
import { type Pass, tellAgents } from "../../domain/automation/agent-events/tell-agents.ts";
import type { Background } from "../../domain/events/background.ts";
import { sharedPasses } from "../../domain/kernel/shared-passes.ts";
import { defineQueue, eventsTogether, seconds } from "../../queues/queue.ts";
import { NotNow, serve } from "../worker.ts";

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

/** A job tells agents of events that wait in its workspace, in order, until its own are done. */
export const worker = serve(streamToAgent, async (ctx, { workspace_id, event_ids }, { stopping }) => {
  const pass = passesOf(ctx);
  const left = new Set(event_ids);
  let frames = 0;
  for (let more = true; more && left.size > 0; ) {
    if (stopping.aborted) throw new NotNow("the process stops", 0);
    const done = await pass(workspace_id);
    for (const event of done.events) left.delete(event);
    frames += done.frames;
    // Other jobs have done some of these events.
    more = done.more;
  }
  return { frames };
});

const passes = new WeakMap<Background["database"], (workspaceId: string) => Promise<Pass>>();

/** The passes of this process. Jobs of a workspace that begin during one share the next. */
function passesOf(ctx: Background) {
  const open = passes.get(ctx.database) ?? sharedPasses((workspaceId) => tellAgents(ctx, workspaceId));
  passes.set(ctx.database, open);
  return open;
}
