import type { LostAccess } from "../engine/handler.ts";
import type { Outlet, Source } from "../engine/stream.ts";
import { frame, PING, retryAfter } from "./frames.ts";
import { clockOf, type StreamClock, type Ticking } from "./stream-clock.ts";

/**
 * - `closing`: the client should connect again, because the stream is an hour old, the process is about to stop, or
 *   something may have been lost
 * - `too_slow`: the client does not read fast enough
 * - others: the caller may no longer read what is streamed
 */
export type EndReason = "closing" | "too_slow" | LostAccess;

const EVENT: Record<EndReason, string> = {
  closing: "stream.closing",
  no_access: "stream.closed",
  key_revoked: "stream.closed",
  too_slow: "stream.closed",
};

/** The reasons for which a stream ends. */
export const END_REASONS = Object.keys(EVENT) as EndReason[];

const RETRY_MS = 3_000;
const MAX_AGE_MS = 3_600_000;
/** What a client may leave unread. One frame may be longer. */
const MAX_FRAMES = 1_000;
const MAX_LENGTH = 1024 * 1024;

/** What waits for a client that does not keep up. `lastId` is the id of its last frame that has one. */
type Waiting = { texts: string[]; frames: number; length: number; lastId: string | null };

/** What feeds a stream. */
export type Feeder = {
  /** Stops feeding. Called once, when the stream has ended or the client has disconnected. */
  stop(): void;
};

/** Server-sent events to one client, until it disconnects, the process stops, or the feeder ends the stream. */
export class EventStream implements Source, Ticking {
  readonly #outlet: Outlet;
  readonly #clock: StreamClock;
  readonly #slot: number;
  readonly #openedAt = Date.now();
  #feeder: Feeder | null = null;
  /** Null while the client keeps up. */
  #waiting: Waiting | null = null;
  #whenTaken: (() => void) | null = null;
  #lastId: string | null = null;
  #endedAt = 0;
  #isClosed = false;

  /** @param open starts what feeds the stream. It may end the stream at once. */
  constructor(outlet: Outlet, stopping: AbortSignal, open: (stream: EventStream) => Feeder) {
    this.#outlet = outlet;
    this.#clock = clockOf(stopping);
    this.#slot = this.#clock.add(this);
    this.push(retryAfter(RETRY_MS));
    const feeder = open(this);
    if (this.hasEnded) feeder.stop();
    else this.#feeder = feeder;
    if (stopping.aborted) this.close();
  }

  /** Whether nothing more can be sent. */
  get hasEnded(): boolean {
    return this.#endedAt > 0 || this.#isClosed;
  }

  /**
   * Sends frames. After the end it does nothing. If the client leaves too much unread, it ends the stream.
   * @param frames how many the text has
   * @param lastId the id of the last of them that has one; if the client is cut off, it learns from where to resume
   */
  push(text: string, frames = 1, lastId: string | null = null): void {
    if (this.hasEnded) return;
    const waiting = this.#waiting;
    if (!waiting) {
      this.#lastId = lastId ?? this.#lastId;
      if (!this.#outlet.write(text)) this.#waiting = { texts: [], frames: 0, length: 0, lastId: null };
      return;
    }
    const isTooMuch = waiting.frames + frames > MAX_FRAMES || waiting.length + text.length > MAX_LENGTH;
    if (isTooMuch && waiting.frames > 0) {
      this.end("too_slow");
      return;
    }
    waiting.texts.push(text);
    waiting.frames += frames;
    waiting.length += text.length;
    waiting.lastId = lastId ?? waiting.lastId;
  }

  /** The client has received frames up to this id from an earlier stream. */
  resumeAfter(id: string): void {
    this.#lastId = id;
  }

  /** Waits until the client keeps up, or the stream has ended. Only one caller may wait. */
  async taken(): Promise<void> {
    if (!this.#waiting || this.hasEnded) return;
    await new Promise<void>((resolve) => {
      this.#whenTaken = resolve;
    });
  }

  /** Ends the stream after the frames so far. The last frame says why, and from where to resume. */
  end(reason: EndReason): void {
    if (this.hasEnded) return;
    // What a slow client has not read, it will not read soon.
    const rest = reason === "too_slow" ? null : this.#waiting;
    const lastId = rest?.lastId ?? this.#lastId;
    const last = frame(EVENT[reason], { reason, ...(lastId === null ? {} : { last_event_id: lastId }) });
    this.#endedAt = Date.now();
    this.#waiting = null;
    this.#outlet.end([...(rest?.texts ?? []), last].join(""));
    this.#stopFeeder();
  }

  close(): void {
    this.end("closing");
  }

  turn(now: number): void {
    // The client does not read the end either.
    if (this.#endedAt > 0) this.#outlet.destroy();
    else if (now - this.#openedAt >= MAX_AGE_MS) this.close();
    else if (!this.#waiting) this.push(PING);
  }

  drained(): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    if (this.hasEnded) return;
    if (waiting && waiting.frames > 0) this.push(waiting.texts.join(""), waiting.frames, waiting.lastId);
    if (!this.#waiting) this.#wake();
  }

  closed(): void {
    this.#isClosed = true;
    this.#waiting = null;
    this.#clock.remove(this, this.#slot);
    this.#stopFeeder();
  }

  #stopFeeder(): void {
    this.#wake();
    this.#feeder?.stop();
    this.#feeder = null;
  }

  #wake(): void {
    this.#whenTaken?.();
    this.#whenTaken = null;
  }
}
