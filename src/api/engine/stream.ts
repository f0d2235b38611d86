import { refuse } from "../../domain/kernel/errors.ts";
import type { Credential } from "../../domain/kernel/principal.ts";
import type { LongReply, Runtime } from "./call.ts";

/** The connection to a stream's client. */
export type Outlet = {
  /** Sends text. Returns false if the client does not keep up: then wait for `drained`. */
  write(text: string): boolean;
  /** Sends text after all that was written, and ends the reply. */
  end(text: string): void;
  /** Closes the connection, whatever was not read. */
  destroy(): void;
};

/** What a stream is told about its connection. */
export type Source = {
  /** The client has read what was written, after `write` returned false. */
  drained(): void;
  /** The reply has ended, or the client has disconnected: nothing written from now on arrives. */
  closed(): void;
};

/**
 * A streamed reply, such as server-sent events. Thousands are open at a time, so `start` should keep little: nothing of
 * the call is kept for it.
 */
export class Stream {
  readonly type: string;
  /**
   * Starts the stream, once the head of the reply is sent.
   * @param stopping aborted when the process is about to stop: end the stream, so that the client reconnects to another
   * process
   */
  readonly start: (outlet: Outlet, stopping: AbortSignal) => Source;
  readonly headers: Record<string, string>;
  /** Gives back what the stream reserved. Called once: when it has ended, or when it will not start. */
  readonly release: (() => void) | undefined;

  constructor(
    type: string,
    start: Stream["start"],
    { headers = {}, release }: { headers?: Record<string, string>; release?: () => void } = {},
  ) {
    this.type = type;
    this.start = start;
    this.headers = headers;
    this.release = release;
  }
}

/** A stream that may start now. One of the two is called. */
export type ReadyStream = {
  start(outlet: Outlet): Source;
  /** The client has asked for the head only, or has left. */
  abandon(): void;
};

/** Open streams that a key may have in one process, of kinds without a limit of their own. */
const MAX_OPEN = 20;

/**
 * The reply of a stream. `X-Accel-Buffering` and `no-transform` keep proxies from buffering and compressing it.
 * @throws Refusal too_many_streams
 */
export function streamReply(stream: Stream, { stopping, openStreams }: Runtime, { id }: Credential): LongReply {
  const release = stream.release ?? countOpen(openStreams, id);
  return {
    status: 200,
    headers: {
      "Content-Type": stream.type,
      "Cache-Control": "no-cache, no-transform",
      "X-Accel-Buffering": "no",
      ...stream.headers,
    },
    body: readyStream(stream.start, stopping, release),
  };
}

const readyStream = (start: Stream["start"], stopping: AbortSignal, release: () => void): ReadyStream => ({
  abandon: release,
  start(outlet) {
    const source = start(outlet, stopping);
    return {
      drained: () => source.drained(),
      closed() {
        release();
        source.closed();
      },
    };
  },
});

/** Counts an open stream of a key. Returns what ends the count. @throws Refusal too_many_streams */
function countOpen(openStreams: Map<string, number>, keyId: string): () => void {
  const open = openStreams.get(keyId) ?? 0;
  if (open >= MAX_OPEN) refuse("too_many_streams", { limit: MAX_OPEN, headers: { "Retry-After": "60" } });
  openStreams.set(keyId, open + 1);
  return () => {
    const left = openStreams.get(keyId)! - 1;
    if (left > 0) openStreams.set(keyId, left);
    else openStreams.delete(keyId);
  };
}
