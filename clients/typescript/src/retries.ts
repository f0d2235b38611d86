import { MusterConnectionError, secondsUntilRetry } from "./problem.ts";

/** A whole reply: its body has arrived, too. `json` is what it says, if it is JSON. */
export type Received = { status: number; headers: Headers; body: Blob; json: unknown };

export type Limits = {
  /** How often a call is repeated at most. */
  retries: number;
  /** How long one attempt may take, in milliseconds. */
  timeoutMs: number;
  /** How long a call may take with all its attempts and pauses, in milliseconds. */
  totalTimeoutMs: number;
};

export const DEFAULT_LIMITS: Limits = { retries: 5, timeoutMs: 30_000, totalTimeoutMs: 120_000 };

type Attempts = Limits & {
  attempt: (signal: AbortSignal) => Promise<Received>;
  /** Whether a repeat does no harm: the call only reads, or has an Idempotency-Key. */
  isRepeatable: boolean;
  idempotencyKey: string | null;
  signal: AbortSignal | undefined;
};

const BUSY = new Set([429, 502, 503, 504]);

/**
 * Returns the first reply that is final, or the last one.
 * @throws MusterConnectionError if no attempt had a reply
 * @throws the signal's reason if it is aborted
 */
export async function withRetries(attempts: Attempts): Promise<Received> {
  const { retries, timeoutMs, totalTimeoutMs, isRepeatable, signal } = attempts;
  const end = Date.now() + totalTimeoutMs;
  for (let repeat = 0; ; repeat++) {
    signal?.throwIfAborted();
    const outcome = await once(attempts, Math.min(timeoutMs, end - Date.now()));
    if ("reply" in outcome && !BUSY.has(outcome.reply.status)) return outcome.reply;
    const pause = pauseBefore(repeat, "reply" in outcome ? secondsUntilRetry(outcome.reply.headers) : null);
    if (isRepeatable && repeat < retries && Date.now() + pause < end) {
      await sleep(pause, signal);
      continue;
    }
    if ("reply" in outcome) return outcome.reply;
    const reason = outcome.error instanceof Error ? outcome.error.message : String(outcome.error);
    throw new MusterConnectionError(`There was no reply after ${repeat + 1} attempts: ${reason}`, {
      cause: outcome.error,
      idempotencyKey: attempts.idempotencyKey,
    });
  }
}

async function once(
  { attempt, signal }: Attempts,
  timeoutMs: number,
): Promise<{ reply: Received } | { error: unknown }> {
  const timeout = AbortSignal.timeout(Math.max(1, timeoutMs));
  try {
    return { reply: await attempt(signal ? AbortSignal.any([signal, timeout]) : timeout) };
  } catch (error) {
    signal?.throwIfAborted();
    return { error };
  }
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 20_000;

/** Milliseconds: a random part of a time that doubles, and what the service asked for at least. */
export function pauseBefore(repeat: number, retryAfterSeconds: number | null, firstMs = FIRST_PAUSE_MS): number {
  const upTo = Math.min(LONGEST_PAUSE_MS, firstMs * 2 ** repeat);
  // Clients that were told the same time must not all come back in the same moment.
  return (retryAfterSeconds ?? 0) * 1000 + Math.random() * upTo;
}

/** The longest time of a timer. One that is set for longer goes off at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Sleeps for 24 days at most. @throws the signal's reason */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener("abort", stop);
        resolve();
      },
      Math.min(ms, LONGEST_TIMER_MS),
    );
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}

/** @throws Error if the result does not come in time */
export async function within<Result>(result: Promise<Result>, ms: number): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Nothing came within ${ms} ms.`)), ms);
  });
  try {
    return await Promise.race([result, late]);
  } finally {
    clearTimeout(timer);
  }
}
