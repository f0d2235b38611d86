/** What actions of a run did, as readers of the run see it. */

type Applied = { type: string; ok: boolean; detail: string | null; issue_id: string | null };

/** Actions whose details name another issue, perhaps of a project that the reader does not see. */
const NAMING_OTHERS: readonly string[] = ["create_issue", "link_issue"];

/** Whether the detail of an action may name issues besides the one that the run is about. */
export const namesOthers = ({ type, issue_id }: Applied, issueId: string | null): boolean =>
  NAMING_OTHERS.includes(type) || (issue_id !== null && issue_id !== issueId);

/**
 * What was done to issues that the reader does not see is hidden, and what names other issues from readers who do not see
 * all of them. `hidden` are the details that were left out.
 */
export function appliedAsSeen<One extends Applied>(
  applied: readonly One[],
  { all, sees }: { all: boolean; sees: (issueId: string | null) => boolean },
): { applied: One[]; hidden: ReadonlySet<string | null> } {
  const hidden = new Set<string | null>();
  const shown = applied.map((one): One => {
    const isTarget = sees(one.issue_id);
    if (isTarget && (all || !NAMING_OTHERS.includes(one.type))) return one;
    hidden.add(one.detail);
    return { ...one, issue_id: isTarget ? one.issue_id : null, detail: null };
  });
  return { applied: shown, hidden };
}
