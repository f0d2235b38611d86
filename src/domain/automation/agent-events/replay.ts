import { readId } from "../../kernel/ids.ts";
import { letOthersRun } from "../../kernel/let-others-run.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import { type Frame, frameOf } from "./frame.ts";
import { readFrameRows, seqsOf } from "./frames.sql.ts";

export { lastSeqs } from "./frames.sql.ts";

/** How far back an agent can ask for frames. They are kept for an hour longer. */
export const REPLAY_MS = 24 * 3_600_000;

/** Clocks of clients, and of the processes that store frames, differ by less. Doubles are allowed, holes are not. */
const MARGIN_MS = 5_000;

/** Characters of frames that are written before other work goes on. */
const TURN = 256 * 1024;

type Workspace = { readonly id: string; readonly slug: string };

/**
 * Reads up to `limit` of the agent's frames after a number, fewer if they are large. Those that it can no longer see are
 * left out.
 * @returns `last`: the number up to which everything was read; `after` if there is nothing more
 */
export async function readFrames(
  db: Db,
  workspace: Workspace,
  agentId: string,
  { after, limit, replayed }: { after: number; limit: number; replayed: boolean },
): Promise<{ frames: Frame[]; last: number }> {
  const rows = await readFrameRows(db, workspace.id, agentId, { after, limit });
  const frames: Frame[] = [];
  let characters = 0;
  for (const { event, ...row } of rows) {
    if (event === null) continue;
    const frame = frameOf({ ...row, event }, workspace, replayed);
    frames.push(frame);
    characters += frame.text.length;
    if (characters < TURN) continue;
    await letOthersRun();
    characters = 0;
  }
  return { frames, last: rows.at(-1)?.seq ?? after };
}

/** Where to resume: after the frame with an id, or with what was stored since a time in RFC 3339. */
export type ResumeFrom = { lastEventId: string } | { since: string };

export type Position = {
  /** Resume with the frames after this number. */
  after: number;
  /** The time was more than 24 hours ago, so that frames since then are replayed. */
  clamped: boolean;
  /** The id is not known, or no longer. The frames of 24 hours are replayed, and there may have been others. */
  gap: boolean;
  /** Number of frames to replay, including those that the agent can no longer see. */
  count: number;
};

/** Finds where a stream resumes. */
export async function positionOf(
  db: Db,
  workspace: Pick<Workspace, "id">,
  agentId: string,
  from: ResumeFrom,
  now: string,
): Promise<Position> {
  const earliest = Date.parse(now) - REPLAY_MS;
  const asked = "since" in from ? Date.parse(from.since) : earliest;
  const clamped = asked < earliest;
  const since = new Date(Math.max(asked, earliest) - MARGIN_MS).toISOString();
  const id = "lastEventId" in from ? readId(from.lastEventId) : null;
  const found = await seqsOf(db, workspace.id, agentId, { id, since });
  const gap = "lastEventId" in from && found.of_id === null;
  const after = found.of_id ?? (found.first_since === null ? found.last : found.first_since - 1);
  return { after, clamped, gap, count: Math.max(0, found.last - after) };
}
