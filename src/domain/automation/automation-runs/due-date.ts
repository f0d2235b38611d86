import { v5 } from "uuid";
import type { Happened } from "./happened.ts";

const HOUR_MS = 3_600_000;
/** Hours before the due date at which `issue.due_soon` starts, if the automation names none. */
export const DEFAULT_HOURS = 24;

/** Each due date of an issue starts an automation once, whether the clock or a change of the date finds it. */
export const causeOfDueDate = (trigger: string, issueId: string, dueAt: string): string =>
  v5(`${trigger} ${new Date(dueAt).toISOString()}`, issueId);

/**
 * Whether an open issue is due soon after an event that set its due date or opened it again. The clock finds all other
 * issues when the time comes.
 */
export function isDueSoon({ data, created_at }: Happened, hoursBefore: number): boolean {
  if (typeof data.due_at !== "string" || data.resolved_at !== null || data.archived_at !== null) return false;
  const left = Date.parse(data.due_at) - Date.parse(created_at);
  return left > 0 && left <= hoursBefore * HOUR_MS;
}
