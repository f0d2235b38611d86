import type { IssueRow } from "../../access/identity/issue-row.ts";
import { refuseField } from "../../kernel/errors.ts";
import { MAX_MINUTES } from "../issues/inputs.ts";

/** Minutes that an entry of the time log adds to an issue, or takes back. */
export type Logged = {
  minutes: number;
  /** Whether an agent wrote the entry. */
  ofAgent: boolean;
  /** Where the body says it, for errors. */
  path: string;
  /**
   * What an entry takes back leaves at least these minutes, or those that there are: the total may have been set after the
   * entry was written, and the rest is others'.
   */
  atLeast?: number;
  /** Minutes that the remaining time loses, if not the same: a correction gives back what the entry took. */
  used?: number;
};

type Times = Pick<IssueRow, "spent_minutes" | "agent_minutes" | "remaining_minutes">;

/**
 * Returns an issue's times after minutes are logged. The remaining time follows if it was set.
 * @throws Refusal validation_failed
 */
export function logged(issue: Times, { minutes, ofAgent, path, atLeast, used = minutes }: Logged): Times {
  const total = (issue.spent_minutes ?? 0) + minutes;
  const byAgents = issue.agent_minutes + (ofAgent ? minutes : 0);
  if (atLeast === undefined && total < 0)
    refuseField(path, "too_small", "subtracts more than was spent", { minimum: minutes - total });
  if (total > MAX_MINUTES) {
    const message = `would make more than ${MAX_MINUTES} minutes`;
    refuseField(path, "too_large", message, { maximum: minutes - (total - MAX_MINUTES) });
  }
  if (atLeast === undefined && byAgents < 0) {
    refuseField(path, "too_small", "subtracts more than agents logged", { minimum: -issue.agent_minutes });
  }
  return {
    spent_minutes: Math.max(Math.min(atLeast ?? 0, issue.spent_minutes ?? 0), total),
    agent_minutes: Math.max(0, byAgents),
    remaining_minutes: issue.remaining_minutes === null ? null : issue.remaining_minutes - loweredBy(issue, used),
  };
}

/** Returns by how many minutes the remaining time goes down if so many are used. It is never below 0. */
export function loweredBy({ remaining_minutes: left }: Pick<Times, "remaining_minutes">, used: number): number {
  return left === null ? 0 : left - Math.min(Math.max(0, left - used), MAX_MINUTES);
}
