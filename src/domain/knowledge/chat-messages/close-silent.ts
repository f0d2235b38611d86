import { type Background, write } from "../../events/background.ts";
import { workOn } from "../../kernel/leases.ts";
import { lockChannel, readChannel } from "../chat/channels.sql.ts";
import { tellReaders } from "./live.ts";
import { findSilent, readStream } from "./stream.sql.ts";
import { close } from "./stream.ts";

const BATCH = 100;
const AT_ONCE = 4;

/** Ends streamed messages whose authors have been silent. Two workers may do it at once: the first one ends it. */
export async function closeSilent(base: Background, stopping: AbortSignal): Promise<number> {
  const onError = ({ id }: { id: string }, error: unknown) =>
    base.log.warn({ err: error, message_id: id }, "a silent stream could not be ended yet");
  return workOn(await findSilent(base.database, BATCH), { atOnce: AT_ONCE, stopping, onError }, (message) => {
    const { id, workspace_id, channel_id } = message;
    return write({ ...base, workspace: { id: workspace_id } }, workspace_id, async (ctx) => {
      await lockChannel(ctx, channel_id);
      const channel = await readChannel(ctx, channel_id);
      const closed = channel && (await close(ctx, channel, id, { status: "timed_out" }));
      if (!closed) return;
      const { stream_seq: seq } = (await readStream(ctx, channel_id, id))!;
      const delta = { kind: "delta", message_id: id, channel_id, seq, delta: "", done: true } as const;
      ctx.afterCommit((ports) => tellReaders(ports, channel_id, delta));
    });
  });
}
