import { refuse } from "../../domain/kernel/errors.ts";
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
export const MAX_OPEN = 20;

/** How many streams of one id may be open in one process. */
export type StreamLimit = { id: string; most: number };

/** Hears of each stream that opens. Returns what ends it. */
export type StreamWatch = (operation: string) => () => void;

/** How a stream counts: by which operation, and against which limits. */
type Counted = { operation: string; limits: readonly StreamLimit[] };

/** A stream of the API counts for its key. */
export const countedByKey = ({ id }: { id: string }, { credential }: { credential: { id: string } }): Counted => ({
  operation: id,
  limits: [{ id: credential.id, most: MAX_OPEN }],
});

/**
 * The reply of a stream, which counts for each of the limits. `X-Accel-Buffering` and `no-transform` keep proxies from
 * buffering and compressing it.
 * @throws Refusal too_many_streams
 */
export function streamReply(
  stream: Stream,
  { stopping, openStreams, streamWatch }: Pick<Runtime, "stopping" | "openStreams" | "streamWatch">,
  { operation, limits }: Counted,
): LongReply {
  const release = stream.release ?? countOpen(openStreams, limits);
  const end = streamWatch(operation);
  const closed = () => {
    end();
    release();
  };
  return {
    status: 200,
    headers: {
      "Content-Type": stream.type,
      "Cache-Control": "no-cache, no-transform",
      "X-Accel-Buffering": "no",
      ...stream.headers,
    },
    body: new ReadyStream(stream, stopping, closed),
  };
}

/** Counts an open stream. Returns what ends the count. @throws Refusal too_many_streams */
function countOpen(openStreams: Map<string, number>, limits: readonly StreamLimit[]): () => void {
  for (const { id, most } of limits) {
    if ((openStreams.get(id) ?? 0) < most) continue;
    refuse("too_many_streams", { limit: most, headers: { "Retry-After": "60" } });
  }
  const ids = limits.map(({ id }) => id);
  for (const id of ids) openStreams.set(id, (openStreams.get(id) ?? 0) + 1);
  return () => {
    for (const id of ids) {
      const left = openStreams.get(id)! - 1;
      if (left > 0) openStreams.set(id, left);
      else openStreams.delete(id);
    }
  };
}
