import type { Background } from "../../events/background.ts";
import type { IssueView } from "../../work/issues/view.ts";
import { evaluate } from "../conditions/evaluate.ts";
import { factsOf } from "../conditions/facts.ts";
import { type Candidate, readsOf, valuesOf, weightOf } from "./candidate.ts";
import type { Rule } from "./rules.sql.ts";

/** Candidates without an event: the time has come. */

/** Who makes the change when the clock starts an automation: nobody. */
export const BY_CLOCK = { actor_kind: "system", actor_name: null, actor_id: null, previous: {}, data: {} };

/**
 * A run that the clock starts, or null if the conditions do not apply.
 * @param issue null for a run about no issue
 * @param cause stands for the event. The same cause starts an automation once for each issue.
 */
export function timedCandidate(
  { now }: Pick<Background, "now">,
  rule: Rule,
  issue: IssueView | null,
  cause: string,
): Candidate | null {
  const facts = issue
    ? factsOf(issue, BY_CLOCK)
    : {
        named: { project: rule.project_id ? [rule.project_id] : [], actor_kind: [BY_CLOCK.actor_kind] },
        custom: {},
        changed: () => false,
      };
  if (!evaluate(rule.conditions, facts).applies) return null;
  const values = valuesOf({ ...BY_CLOCK, type: rule.trigger, created_at: now }, { issue }, rule.timezone);
  return {
    ...{ automation_id: rule.id, event_id: cause, root_event_id: cause, depth: 1, trigger: rule.trigger },
    issue_id: issue?.id ?? null,
    triggering_user_id: null,
    values,
    reads: readsOf(rule),
    weight: weightOf(rule, values),
  };
}
