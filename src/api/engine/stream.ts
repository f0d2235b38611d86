import type { LongReply } from "./call.ts";

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

/** The reply of a stream. `X-Accel-Buffering` keeps proxies from buffering it. */
export const streamReply = ({ type, write, headers }: Stream, signals: StreamSignals): LongReply => ({
  status: 200,
  headers: { "Content-Type": type, "X-Accel-Buffering": "no", ...headers },
  body: write(signals),
});
