import { defineEvent } from "../../events/define-event.ts";
import { IssueView } from "./view.ts";

/**
 * Derived fields of an issue are declared in history.ts, because some events are about them alone, such as a new link.
 */
const ofIssue = { view: IssueView, audience: "project" } as const;

export const issueCreated = defineEvent("issue.created", ofIssue);
export const issueUpdated = defineEvent("issue.updated", ofIssue);
export const issueStatusChanged = defineEvent("issue.status_changed", ofIssue);
export const issuePriorityChanged = defineEvent("issue.priority_changed", ofIssue);
export const issueAssigned = defineEvent("issue.assigned", ofIssue);
export const issueUnassigned = defineEvent("issue.unassigned", ofIssue);
export const issueArchived = defineEvent("issue.archived", ofIssue);
export const issueRestored = defineEvent("issue.restored", ofIssue);
