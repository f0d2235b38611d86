import type { StreamSignals } from "../engine/stream.ts";
import { frame, PING, retryAfter } from "./frames.ts";

/** What feeds a stream. */
export type Feed = {
  /** Sends a frame. After the end it does nothing. */
  push(frame: string): void;
  /** Ends the stream after the frames so far. The last frame says why. */
  end(reason: EndReason): void;
};

/**
 * - `closing`: the client should connect again, because the stream is an hour old, the process is about to stop, or
 *   something may have been lost
 * - `no_access`: the caller may no longer read what is streamed
 * - `too_slow`: the client does not read fast enough
 */
export type EndReason = "closing" | "no_access" | "too_slow";

const EVENT: Record<EndReason, string> = {
  closing: "stream.closing",
  no_access: "stream.closed",
  too_slow: "stream.closed",
};

const RETRY_MS = 3_000;
const PING_MS = 15_000;
const MAX_AGE_MS = 3_600_000;
/** What a client may leave unread. */
const MAX_FRAMES = 1_000;
const MAX_LENGTH = 1024 * 1024;

/**
 * Streams frames until the client disconnects, the process stops, or the feed ends.
 * @param open starts the feed, and returns what stops it
 */
export async function* eventStream(
  { closed, stopping }: StreamSignals,
  open: (feed: Feed) => () => void,
): AsyncIterable<string> {
  let waiting: string[] = [];
  let length = 0;
  let ended = false;
  let wake = () => {};
  const add = (text: string) => {
    waiting.push(text);
    length += text.length;
    wake();
  };
  const feed: Feed = {
    push(text) {
      if (ended) return;
      if (waiting.length >= MAX_FRAMES || length + text.length > MAX_LENGTH) return feed.end("too_slow");
      add(text);
    },
    end(reason) {
      if (ended) return;
      ended = true;
      // What a slow client has not read, it will not read soon.
      if (reason === "too_slow") waiting = [];
      add(frame(EVENT[reason], { reason }));
    },
  };
  const close = () => feed.end("closing");
  const ping = setInterval(() => waiting.length === 0 && feed.push(PING), PING_MS);
  const age = setTimeout(close, MAX_AGE_MS);
  const disconnected = () => {
    ended = true;
    wake();
  };
  stopping.addEventListener("abort", close);
  closed.addEventListener("abort", disconnected);
  feed.push(retryAfter(RETRY_MS));
  let stop = () => {};
  try {
    stop = open(feed);
    if (stopping.aborted) close();
    while (!closed.aborted) {
      if (waiting.length > 0) {
        const text = waiting.join("");
        waiting = [];
        length = 0;
        yield text;
      } else if (ended) return;
      else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    stop();
    clearInterval(ping);
    clearTimeout(age);
    stopping.removeEventListener("abort", close);
    closed.removeEventListener("abort", disconnected);
  }
}
