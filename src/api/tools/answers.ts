import { Refusal } from "../../domain/kernel/errors.ts";
import { type Arguments, refuseArgument } from "./arguments.ts";
import { type Answer, cutToSize } from "./budget.ts";
import type { Callable } from "./callable.ts";
import type { Exchange } from "./exchange.ts";
import { answerOf } from "./run-operation.ts";

/** Adds the answers to a session's question to what `update_session` returns, and waits for the first one if asked. */

/** The longest wait, in seconds. Clients and proxies often end requests after a minute. */
const MAX_WAIT = 50;
const POLL_MS = 2_000;

export const WAIT: { argument: string; schema: Record<string, unknown> } = {
  argument: "wait_seconds",
  schema: {
    type: "integer",
    description: "How long to wait for an answer to your question, up to 50. `answers` has those that came.",
  },
};

/** @param reading the operation that reads the answers */
export const addAnswers =
  (reading: Callable) =>
  async (exchange: Exchange, given: Arguments, answer: Answer): Promise<Answer> => {
    const until = Date.now() + secondsIn(given.wait_seconds) * 1_000;
    for (;;) {
      const read = await answersIn(exchange, reading, String(given.id ?? given.session_id ?? given.session));
      const isOver = !read || read.answers.length > 0 || read.state !== "needs_input" || Date.now() >= until;
      if (isOver || exchange.closed.aborted) {
        return cutToSize({ ...answer, data: { ...(answer.data as object), answers: read?.answers ?? [] } }, false);
      }
      // Nothing is held in between: each look is a short call of its own, which checks the caller's rights again.
      await pause(Math.min(POLL_MS, Math.max(until - Date.now(), 1)));
    }
  };

const pause = (ms: number) => new Promise((over) => setTimeout(over, ms));

type Read = { state: string; answers: unknown[] };

/** Null for a credential that may not read comments. The call counts as part of the one that waits. */
async function answersIn(exchange: Exchange, reading: Callable, id: string): Promise<Read | null> {
  try {
    const { data } = await answerOf(exchange, reading, { params: { id }, query: {}, body: undefined, unmetered: true });
    return data as Read;
  } catch (error) {
    if (error instanceof Refusal && error.is("insufficient_scope")) return null;
    throw error;
  }
}

/** @throws Refusal validation_failed */
export function checkWait({ wait_seconds }: Arguments): void {
  secondsIn(wait_seconds);
}

function secondsIn(value: unknown): number {
  if (value === undefined || value === null) return 0;
  const seconds = Number(value);
  if (Number.isInteger(seconds) && seconds >= 0 && seconds <= MAX_WAIT) return seconds;
  return refuseArgument(WAIT.argument, "type", `must be a whole number from 0 to ${MAX_WAIT}`);
}
