import { type Category, isClosed } from "../../kernel/categories.ts";
import { refuse, refuseReference } from "../../kernel/errors.ts";
import { issueErrors } from "./errors.ts";
import type { Found } from "./references.sql.ts";

/** Checks of the milestone, sprint and release that a body names. */

/** Checks that the milestone, sprint and release exist in the project. */
export function checkPlanning(
  input: { milestone_id?: string | null; sprint_id?: string | null; release_id?: string | null },
  found: Found,
): void {
  for (const field of ["milestone_id", "sprint_id", "release_id"] as const) {
    const wanted = input[field];
    // An empty text does not clear the field: it is an unknown id.
    if (wanted !== null && wanted !== undefined && !found.planning[field].has(wanted))
      refuseReference(`/${field}`, wanted);
  }
}

/** Checks that an issue of this category may come to the sprint. @throws Refusal sprint_completed */
export function checkSprint(sprintId: string | null | undefined, status: Category, found: Found): void {
  if (!sprintId || isClosed(status) || !found.completedSprints.has(sprintId)) return;
  refuse(issueErrors.sprint_completed, { path: "/sprint_id", sprint_id: sprintId });
}
