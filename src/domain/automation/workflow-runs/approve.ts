import type { FlowNode, StageRow, Vote } from "./rows.ts";

/** Votes of approvers. */

/** The votes with one more. Somebody's new vote replaces their earlier one; the same vote again changes nothing. */
export function voteOf({ approvals }: StageRow, vote: Vote): Vote[] {
  if (approvals.some(({ by, outcome }) => by === vote.by && outcome === vote.outcome)) return approvals;
  return [...approvals.filter(({ by }) => by !== vote.by), vote];
}

export const isApproved = ({ config }: FlowNode, votes: readonly Vote[]): boolean =>
  votes.filter(({ outcome }) => outcome === "approved").length >= (config.required ?? 1);
