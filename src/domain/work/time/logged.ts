import type { InIssue, IssueRow } from "../../access/identity/issue-row.ts";
import { refuseField } from "../../kernel/errors.ts";
import { MAX_MINUTES } from "../issues/inputs.ts";

/**
 * Returns an issue's time counts after minutes are logged. Negative minutes correct earlier entries.
 * @throws Refusal
 */
export function logged(
  { principal }: InIssue,
  issue: Pick<IssueRow, "spent_minutes" | "agent_minutes">,
  minutes: number,
): Pick<IssueRow, "spent_minutes" | "agent_minutes"> {
  const spent = (issue.spent_minutes ?? 0) + minutes;
  if (spent < 0)
    refuseField("/log/minutes", "too_small", "subtracts more than was spent", { minimum: minutes - spent });
  if (spent > MAX_MINUTES) {
    refuseField("/log/minutes", "too_large", `would make more than ${MAX_MINUTES} minutes`, {
      maximum: minutes - (spent - MAX_MINUTES),
    });
  }
  const byAgents = issue.agent_minutes + (principal.user_kind === "agent" ? minutes : 0);
  if (byAgents < 0) {
    refuseField("/log/minutes", "too_small", "subtracts more than agents logged", { minimum: -issue.agent_minutes });
  }
  return { spent_minutes: spent, agent_minutes: byAgents };
}
