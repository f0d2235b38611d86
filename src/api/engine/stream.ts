import { refuse } from "../../domain/kernel/errors.ts";
import type { Credential } from "../../domain/kernel/principal.ts";
import type { Call, LongReply, Runtime } from "./call.ts";

/** The signals that end a stream. */
export type StreamSignals = {
  /** The client has disconnected: nothing written from now on arrives. */
  readonly closed: AbortSignal;
  /** The process is about to stop: end the stream, so that the client reconnects to another process. */
  readonly stopping: AbortSignal;
};

/**
 * A streamed reply, such as server-sent events. `write` is read only as fast as the client receives, and must end
 * soon after one of the signals. It runs outside any transaction. An error it throws ends the connection.
 */
export class Stream {
  readonly type: string;
  readonly write: (signals: StreamSignals) => AsyncIterable<string | Uint8Array>;
  readonly headers: Record<string, string>;

  constructor(type: string, write: Stream["write"], headers: Record<string, string> = {}) {
    this.type = type;
    this.write = write;
    this.headers = headers;
  }
}

/** Open streams that a key may have in one process. */
const MAX_OPEN = 20;

/**
 * The reply of a stream. `X-Accel-Buffering` keeps proxies from buffering it.
 * @throws Refusal too_many_streams
 */
export function streamReply(
  { type, write, headers }: Stream,
  { stopping, openStreams }: Runtime,
  { closed }: Call,
  { id }: Credential,
): LongReply {
  const open = openStreams.get(id) ?? 0;
  if (open >= MAX_OPEN) refuse("too_many_streams", { limit: MAX_OPEN, headers: { "Retry-After": "60" } });
  openStreams.set(id, open + 1);
  const close = () => {
    const left = openStreams.get(id)! - 1;
    if (left > 0) openStreams.set(id, left);
    else openStreams.delete(id);
  };
  if (closed.aborted) close();
  else closed.addEventListener("abort", close);
  return {
    status: 200,
    headers: { "Content-Type": type, "X-Accel-Buffering": "no", ...headers },
    body: write({ closed, stopping }),
  };
}
