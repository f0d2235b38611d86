import type { LongReply } from "./call.ts";

/** Why a stream should end. */
export type StreamSignals = {
  /** The client has gone: nothing that is written any more arrives. */
  readonly closed: AbortSignal;
  /** The process is about to stop: say goodbye, so that the client goes to another one at once. */
  readonly stopping: AbortSignal;
};

/**
 * What a handler returns for a reply that is written bit by bit, such as server-sent events. `write` is read only as fast
 * as the client takes it, and has to end soon after one of the signals. It runs outside any transaction; what it throws
 * ends the connection.
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

/** The reply of a stream; `X-Accel-Buffering` keeps proxies from holding it back. */
export const streamReply = ({ type, write, headers }: Stream, signals: StreamSignals): LongReply => ({
  status: 200,
  headers: { "Content-Type": type, "X-Accel-Buffering": "no", ...headers },
  body: write(signals),
});
