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

/** A stream that may start now: either `start` or `abandon` is called. */
export class ReadyStream implements Source {
  // Given up at the start, because it refers to the call.
  #stream: Stream | null;
  #source: Source | null = null;
  readonly #stopping: AbortSignal;
  readonly #release: () => void;

  constructor(stream: Stream, stopping: AbortSignal, release: () => void) {
    this.#stream = stream;
    this.#stopping = stopping;
    this.#release = release;
  }

  start(outlet: Outlet): void {
    const stream = this.#stream!;
    this.#stream = null;
    this.#source = stream.start(outlet, this.#stopping);
  }

  /** The client wants only the head, or has left. */
  abandon(): void {
    this.#release();
  }

  drained(): void {
    this.#source?.drained();
  }

  closed(): void {
    this.#release();
    this.#source?.closed();
  }
}

/** Open streams that a key may have in one process, of kinds without a limit of their own. */
const MAX_OPEN = 20;

/**
 * The reply of a stream, which counts for `id`. `X-Accel-Buffering` and `no-transform` keep proxies from buffering and
 * compressing it.
 * @throws Refusal too_many_streams
 */
export function streamReply(
  stream: Stream,
  { stopping, openStreams }: Runtime,
  { id }: Pick<Credential, "id">,
): LongReply {
  const release = stream.release ?? countOpen(openStreams, id);
  return {
    status: 200,
    headers: {
      "Content-Type": stream.type,
      "Cache-Control": "no-cache, no-transform",
      "X-Accel-Buffering": "no",
      ...stream.headers,
    },
    body: new ReadyStream(stream, stopping, release),
  };
}

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
