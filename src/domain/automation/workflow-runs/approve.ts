import type { StageRow, Vote } from "./rows.ts";

/** Votes of approvers. */

/** The votes with one more, which replaces those of `replaced`. The same vote again changes nothing. */
export function voteOf({ approvals }: StageRow, vote: Vote, replaced: ReadonlySet<string>): Vote[] {
  if (approvals.some(({ by, outcome }) => by === vote.by && outcome === vote.outcome)) return approvals;
  return [...approvals.filter(({ by }) => !replaced.has(by)), vote];
}
