import type { IssueView } from "../../../domain/work/issues/view.ts";
import { type Again, actions } from "../site/actions.ts";
import type { Site, WorkspaceCall } from "../site/site.ts";
import { address } from "./filters.ts";
import { named } from "./head.ts";

/** The forms of a board: they create an issue in a column, and move one. */

type Board = {
  /** Path of the page with the board. */
  page(call: WorkspaceCall): string;
  /** What issues have that are created on it. */
  made?(call: WorkspaceCall): object;
};

export function boardActions(site: Site, path: string, again: Again, { page, made = () => ({}) }: Board): void {
  /** A filtered board stays filtered. */
  const backTo = (call: WorkspaceCall, more: Record<string, string> = {}) =>
    address(page(call), { ...Object.fromEntries(new URLSearchParams(call.form.text("filters"))), ...more });
  actions(site, path, again, {
    create: {
      operation: "issues.create",
      input: (call) => ({
        params: named(call),
        body: { title: call.form.text("title"), status_id: call.form.text("status_id"), ...made(call) },
      }),
      // The form stays open for the next one. Without a fragment, because that would keep the focus from it.
      to: (call) => backTo(call, { add: call.form.text("status_id") }),
      said: (issue: IssueView) => `${issue.key} is created.`,
    },
    move: {
      operation: "issues.transition",
      input: (call) => ({ params: { ...named(call), issueKey: call.form.text("issue") }, body: placeOf(call) }),
      to: (call) => `${backTo(call)}#card-${call.form.text("issue")}`,
      said: (issue: IssueView) => `${issue.key} is in ${issue.status_name ?? issue.status} now.`,
    },
  });
}

/** From the menu: a column, and its top or bottom. From dragging: a column, and the card above. */
function placeOf({ form }: WorkspaceCall) {
  const after = form.text("after");
  return { status_id: form.text("status_id"), ...(after ? { after } : { position: form.text("position") || "top" }) };
}
