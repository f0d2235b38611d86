import { createHash } from "node:crypto";
import type { Background } from "../../events/background.ts";
import type { Log } from "../../kernel/ports/ports.ts";
import { type Frame, frameOf } from "./frame.ts";
import { publishFrames } from "./live.ts";
import { tellingsOf } from "./rules.ts";
import { type Draft, lockFrames, type Owed, readOwed, storeFrames } from "./store.sql.ts";

/** Events that one transaction takes. */
const BATCH = 100;
/** How long a process that is frozen may keep the others waiting. */
const MAX_IDLE_MS = 2_000;

export type Pass = {
  /** Frames that were stored or sent. */
  frames: number;
  /** The events that are done. */
  events: readonly string[];
  /** There may be more. */
  more: boolean;
};

/**
 * Tells agents of a batch of the workspace's events, oldest first: stores their frames, and then sends them to open
 * streams. A process that dies in between sends nothing; readers find the rows.
 */
export async function tellAgents(ctx: Background, workspaceId: string): Promise<Pass> {
  const { events, frames } = await ctx.database.transaction(async (tx) => {
    await lockFrames(tx, workspaceId);
    const { ids, slug, owed } = await readOwed(tx, workspaceId, BATCH);
    if (ids.length === 0) return { events: ids, frames: [] };
    const drafts = owed.flatMap((one) => draftsOf(ctx.log, one));
    const told = await storeFrames(tx, workspaceId, drafts, ids);
    const byId = new Map(owed.map(({ event }) => [event.id, event]));
    const framesOf = told.map(({ place, seq }) => {
      const draft = drafts[place]!;
      const event = byId.get(draft.event_id)!;
      return { agentId: draft.agent_id, frame: frameOf({ ...draft, seq, event }, { id: workspaceId, slug }, false) };
    });
    return { events: ids, frames: framesOf };
  }, `set local idle_in_transaction_session_timeout = ${MAX_IDLE_MS}`);
  const byAgent = Map.groupBy(frames, ({ agentId }) => agentId);
  for (const [agentId, its] of byAgent) publishFrames(ctx.ports, agentId, framesIn(its));
  return { frames: frames.length, events, more: events.length === BATCH };
}

const framesIn = (list: readonly { frame: Frame }[]): Frame[] => list.map(({ frame }) => frame);

/** The frames of an event, by agent. */
function draftsOf(log: Log, { event, happened, project_id }: Owed): Draft[] {
  const first = new Set<string>();
  return tellingsSafely(log, happened).flatMap(({ agents, echo: _, ...telling }) =>
    agents.map((agent_id) => {
      const id = first.has(agent_id) ? furtherId(event.id, telling.name) : event.id;
      first.add(agent_id);
      return { ...telling, agent_id, id, event_id: event.id, project_id };
    }),
  );
}

/** An event that no rule can read must not keep all later ones from the agents. */
function tellingsSafely(log: Log, happened: Owed["happened"]) {
  try {
    return tellingsOf(happened);
  } catch (error) {
    log.error(
      { err: error, event_id: happened.id },
      "agents cannot be told of an event, because its data is not valid",
    );
    return [];
  }
}

/**
 * The id of an agent's further frame of an event: a UUIDv7 of the same time. It is the same each time, so that doubles can
 * be told.
 */
function furtherId(eventId: string, name: string): string {
  const hash = createHash("sha256").update(`${eventId} ${name}`).digest("hex");
  return `${eventId.slice(0, 15)}${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`;
}
