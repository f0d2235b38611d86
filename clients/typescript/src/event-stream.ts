import { MusterProblem, MusterStreamClosed } from "./problem.ts";
import { pauseBefore, sleep, within } from "./retries.ts";
import { type Frame, SseParser } from "./sse-parser.ts";

export type StreamOptions = {
  /** Ends the stream with the signal's reason. */
  signal?: AbortSignal;
  /** The id of the last event that you have handled. What was missed since then comes first, of at most 24 hours. */
  lastEventId?: string;
  /** As `lastEventId`, by time: an RFC 3339 date and time. `lastEventId` wins. */
  since?: string;
  /** Milliseconds without a sign of life after which the connection counts as dead. Default: three pings. */
  silenceMs?: number;
  /**
   * Called if events may be missing, because the stream was away for longer than the service keeps them. Read the state
   * again then.
   */
  onGap?: () => void;
};

/** How a connection is made. */
export type Opening = { headers: Record<string, string>; query: Record<string, string>; signal: AbortSignal };

type Source<Event> = {
  connect: (opening: Opening) => Promise<Response>;
  /** The event of a frame. `null` if callers do not see it. */
  read: (frame: Frame) => Event | null;
};

const SILENCE_MS = 45_000;
const RETRY_MS = 3_000;
/** However short the service says. */
const SHORTEST_RETRY_MS = 20;
/** The longest pause that a refusal can ask for: a wrong clock on the way must not keep the stream away for days. */
const LONGEST_PAUSE_SECONDS = 900;
/** Events of this time are sent again. The service has them a little longer. */
const KEPT_MS = 24 * 3_600_000;
/** How many ids are remembered. Frames that come again follow closely on a new connection. */
const KNOWN_IDS = 5_000;

/**
 * Events as they happen: `for await (const event of stream)`. It connects again whenever a connection ends, and goes on
 * where it was. Nothing is sent before the loop begins, and the next event is read when the loop asks for it.
 *
 * The loop throws MusterProblem if it is refused, and MusterStreamClosed if the service has ended it for good.
 */
export class EventStream<Event> implements AsyncIterable<Event> {
  readonly #source: Source<Event>;
  readonly #options: StreamOptions;
  readonly #known = new Set<string>();
  #received: string | null;
  #handled: string | null;
  #since: string | null;
  /** The service's time at which the last connection had everything. */
  #upToDate: number | null = null;
  #retryMs = RETRY_MS;

  constructor(source: Source<Event>, options: StreamOptions) {
    this.#source = source;
    this.#options = options;
    this.#received = this.#handled = options.lastEventId ?? null;
    this.#since = options.since ?? null;
  }

  /**
   * The id of the last event after which the loop has asked for the next one, which is where another process can go
   * on. `null` before the first one. Events of chat have no place in the stream and do not change it.
   */
  get lastEventId(): string | null {
    return this.#handled;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event, void, undefined> {
    const { signal } = this.#options;
    for (let failures = 0; ; failures++) {
      let isExpected = false;
      let retryAfter: number | null = null;
      try {
        for await (const frame of this.#frames()) {
          if (frame.event === "stream.closing" || isTooSlow(frame)) {
            isExpected = true;
            break;
          }
          if (frame.event === "stream.closed") throw new MusterStreamClosed(reasonOf(frame), this.#handled);
          yield* this.#eventOf(frame);
          failures = 0;
        }
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof MusterStreamClosed || (error instanceof MusterProblem && isFinal(error))) throw error;
        if (error instanceof MusterProblem) retryAfter = Math.min(error.retryAfter ?? 0, LONGEST_PAUSE_SECONDS);
      }
      await sleep(pauseBefore(failures, retryAfter, isExpected ? 500 : this.#retryMs), signal);
    }
  }

  /** The event of a frame, unless it came before or is about the stream itself. */
  *#eventOf(frame: Frame): Generator<Event, void, undefined> {
    if (frame.event === "stream.ready") this.#begin(JSON.parse(frame.data) as Ready);
    if (frame.id !== null && this.#known.has(frame.id)) return;
    // A frame that cannot be read has not been received: the next connection asks for it again.
    const event = this.#source.read(frame);
    if (frame.id !== null) this.#remember(frame.id);
    if (event !== null) yield event;
    if (frame.id !== null) this.#handled = frame.id;
  }

  #begin({ server_time, clamped, gap }: Ready): void {
    // Until there is an id to resume after, the time of the first connection counts.
    this.#since ??= server_time ?? null;
    const now = server_time === undefined ? null : Date.parse(server_time);
    // A stream that was idle for a day has an old place, too, and has missed nothing.
    const wasAway = now === null || this.#upToDate === null || now - this.#upToDate > KEPT_MS;
    if ((clamped || gap) && wasAway) this.#options.onGap?.();
    this.#upToDate = now;
  }

  #remember(id: string): void {
    this.#known.add(id);
    if (this.#known.size > KNOWN_IDS) this.#known.delete(this.#known.values().next().value!);
    this.#received = id;
  }

  /** The frames of one connection. */
  async *#frames(): AsyncGenerator<Frame, void, undefined> {
    const { signal, silenceMs = SILENCE_MS } = this.#options;
    const closing = new AbortController();
    const close = () => closing.abort(signal?.reason);
    if (signal?.aborted) close();
    signal?.addEventListener("abort", close, { once: true });
    try {
      const response = await within(this.#source.connect({ ...this.#place(), signal: closing.signal }), silenceMs);
      if (response.status !== 200 || !response.body) {
        throw new MusterProblem({ ...partsOf(response), text: await within(response.text(), silenceMs) });
      }
      const [reader, decoder, parser] = [response.body.getReader(), new TextDecoder(), new SseParser()];
      for (;;) {
        const { done, value } = await within(reader.read(), silenceMs);
        if (done) return;
        const frames = parser.push(decoder.decode(value, { stream: true }));
        this.#retryMs = Math.max(SHORTEST_RETRY_MS, parser.retryMs ?? this.#retryMs);
        yield* frames;
      }
    } finally {
      signal?.removeEventListener("abort", close);
      closing.abort();
    }
  }

  /** From where the next connection goes on. */
  #place(): Pick<Opening, "headers" | "query"> {
    const headers: Record<string, string> = { Accept: "text/event-stream" };
    if (this.#received !== null) return { headers: { ...headers, "Last-Event-ID": this.#received }, query: {} };
    return { headers, query: this.#since === null ? {} : { since: this.#since } };
  }
}

type Ready = { server_time?: string; clamped?: boolean; gap?: boolean };

const reasonOf = ({ data }: Frame): string => (JSON.parse(data) as { reason: string }).reason;

/** A client that reads too slowly is cut off, and reads on from there. */
const isTooSlow = (frame: Frame): boolean => frame.event === "stream.closed" && reasonOf(frame) === "too_slow";

const isFinal = ({ status }: MusterProblem): boolean => status < 500 && status !== 429;

const partsOf = ({ status, headers }: Response) => ({ status, headers });
