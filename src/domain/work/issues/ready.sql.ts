import type { Readiness } from "./ready.ts";

/** Conditions for ready issues `i`. They depend on the issue's own row alone, so a row that was locked is compared anew. */

/** Categories in which work can start or go on. Issues in review are started, and wait for somebody else. */
const STARTABLE = "('backlog', 'todo', 'in_progress')";

/** What does not depend on who asks. */
export const COULD_START = `
  i.archived_at is null and i.status in ${STARTABLE} and i.open_blocker_count = 0 and i.active_session_ids = '{}'`;

/** Whether an issue is somebody else's: it is assigned to others, or others have begun. `user` is a parameter. */
export const isOfOthers = (user: string): string => `
  (i.assignee_ids <> '{}' and i.assignee_ids <> array[${user}::uuid]
   and (i.status = 'in_progress' or not i.assignee_ids @> array[${user}::uuid]))`;

/**
 * Ready issues are in two parts, each with an index: those of nobody, which `issue_ready` has in the order of the board,
 * and those of the one who asks. Together they would be found only by reading everybody's.
 */
export const partsOfReady = ({ userId }: Readiness, param: (value: unknown) => string): string[] => [
  "i.assignee_ids = '{}'",
  `i.assignee_ids @> array[${param(userId)}::uuid]`,
];

export const readyFor = ({ userId, columnIds }: Readiness, param: (value: unknown) => string): string => `
  i.status_id = any(${param(columnIds)}::uuid[]) and not ${isOfOthers(param(userId))}`;
