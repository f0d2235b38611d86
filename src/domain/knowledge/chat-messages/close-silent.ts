import { type Background, write } from "../../events/background.ts";
import { workOn } from "../../kernel/leases.ts";
import { lockChannel, readChannel } from "../chat/channels.sql.ts";
import { tellReaders } from "./live.ts";
import { findSilent, readStream } from "./stream.sql.ts";
import { close } from "./stream.ts";

const BATCH = 20;
const AT_ONCE = 4;

/** Ends streamed messages whose authors have been silent. Two workers may do it at once: the first one ends it. */
export async function closeSilent(base: Background, stopping: AbortSignal): Promise<number> {
  let failed = false;
  const onError = ({ id }: { id: string }, error: unknown) => {
    failed = true;
    base.log.warn({ err: error, message_id: id }, "a silent stream could not be ended yet");
  };
  let closed = 0;
  for (let more = true; more && !stopping.aborted; ) {
    const found = await findSilent(base.database, BATCH);
    closed += await workOn(found, { atOnce: AT_ONCE, stopping, onError }, (message) => closeOne(base, message));
    // Those that failed are found again by the next job.
    more = found.length === BATCH && !failed;
  }
  return closed;
}

type Silent = Awaited<ReturnType<typeof findSilent>>[number];

function closeOne(base: Background, { id, workspace_id, channel_id }: Silent): Promise<void> {
  return write({ ...base, workspace: { id: workspace_id } }, workspace_id, async (ctx) => {
    await lockChannel(ctx, channel_id);
    const channel = await readChannel(ctx, channel_id);
    const closed = channel && (await close(ctx, channel, id, { status: "timed_out" }));
    if (!closed) return;
    const { stream_seq: seq } = (await readStream(ctx, channel_id, id))!;
    const delta = { kind: "delta", message_id: id, channel_id, seq, delta: "", done: true } as const;
    ctx.afterCommit((ports) => tellReaders(ports, channel_id, delta));
  });
}
