import { createHash } from "node:crypto";
import type { Background } from "../../events/background.ts";
import { letOthersRun } from "../../kernel/let-others-run.ts";
import type { Log } from "../../kernel/ports/ports.ts";
import { type Frame, frameOf } from "./frame.ts";
import { publishFrames } from "./live.ts";
import { tellingsOf } from "./rules.ts";
import { type Draft, lockFrames, type Owed, type OwedEvent, readOwed, storeFrames } from "./store.sql.ts";

/** What one transaction takes: events, bytes of their data as stored, and characters of what is told of them. */
const BATCH = { events: 100, bytes: 1024 * 1024, characters: 2 * 1024 * 1024 };
/** How long a process that is frozen may keep the others waiting. */
const MAX_IDLE_MS = 2_000;
/** Characters of frames that are written before other work goes on. */
const TURN = 512 * 1024;

export type Pass = {
  /** Number of frames that were stored or sent. */
  frames: number;
  /** The events that are done. */
  events: readonly string[];
  /** There may be more. */
  more: boolean;
  /** Another process tells the agents of this workspace, so that nothing was done. */
  isLocked: boolean;
};

/**
 * Tells agents of a batch of the workspace's events, oldest first: stores their frames, and then sends them to open
 * streams. A process that dies in between sends nothing; readers find the rows.
 */
export async function tellAgents(ctx: Background, workspaceId: string): Promise<Pass> {
  const done = await ctx.database.transaction(async (tx) => {
    if (!(await lockFrames(tx, workspaceId))) return null;
    const { owed, slug, more } = await readOwed(tx, workspaceId, BATCH);
    if (owed.length === 0) return { told: [], slug, events: [], more };
    const { drafts, events } = await draftsFor(ctx.log, owed);
    const stored = await storeFrames(tx, workspaceId, drafts, events);
    const told = stored.map(({ place, seq }) => ({ ...drafts[place]!, seq }));
    return { told, slug, events, more: more || events.length < owed.length };
  }, `set local idle_in_transaction_session_timeout = ${MAX_IDLE_MS}`);
  if (!done) return { frames: 0, events: [], more: true, isLocked: true };
  const { told, slug, ...pass } = done;
  await send(ctx.ports, { id: workspaceId, slug }, told);
  return { ...pass, frames: told.length, isLocked: false };
}

type Drafted = Draft & { event: OwedEvent["event"] };

/** The frames of the first events, and which events these are. */
async function draftsFor(log: Log, owed: readonly Owed[]): Promise<{ drafts: Drafted[]; events: string[] }> {
  const drafts: Drafted[] = [];
  const events: string[] = [];
  let characters = 0;
  for (const { id, told } of owed) {
    if (characters > BATCH.characters) break;
    events.push(id);
    const its = told ? draftsOf(log, told) : [];
    for (const { context } of its) characters += JSON.stringify(context).length + ENVELOPE;
    drafts.push(...its);
    if (events.length % EVENTS_A_TURN === 0) await letOthersRun();
  }
  return { drafts, events };
}

/** Events whose texts are searched before other work goes on. */
const EVENTS_A_TURN = 5;
/** Characters of a draft besides its context. */
const ENVELOPE = 400;

/** The frames of an event, by agent. */
function draftsOf(log: Log, { event, happened, project_id }: OwedEvent): Drafted[] {
  const first = new Set<string>();
  return tellingsSafely(log, happened).flatMap(({ agents, echo: _, ...telling }) =>
    agents.map((agent_id) => {
      const id = first.has(agent_id) ? furtherId(event.id, telling.name) : event.id;
      first.add(agent_id);
      return { ...telling, agent_id, id, project_id, event };
    }),
  );
}

/** Publishes frames, those of each agent together. */
async function send(
  ports: Pick<Background["ports"], "publish">,
  workspace: { id: string; slug: string },
  told: readonly (Drafted & { seq: number | null })[],
): Promise<void> {
  let characters = 0;
  for (const [agentId, its] of Map.groupBy(told, ({ agent_id }) => agent_id)) {
    let frames: Frame[] = [];
    for (const one of its) {
      const frame = frameOf(one, workspace, false);
      frames.push(frame);
      characters += frame.text.length;
      if (characters < TURN) continue;
      publishFrames(ports, agentId, frames);
      frames = [];
      characters = 0;
      await letOthersRun();
    }
    publishFrames(ports, agentId, frames);
  }
}

/** An event that no rule can read must not keep all later ones from the agents. */
function tellingsSafely(log: Log, happened: OwedEvent["happened"]) {
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
