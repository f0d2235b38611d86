import { type Refusal, refuse } from "../../../domain/kernel/errors.ts";
import type { CommentView } from "../../../domain/work/comments/view.ts";
import type { IssueView } from "../../../domain/work/issues/view.ts";
import type { TimeTrackingView } from "../../../domain/work/time/view.ts";
import { long, minutesOf, orNull } from "../kit/typed.ts";
import { actions } from "../site/actions.ts";
import type { PageAnswer, Site, WorkspaceCall } from "../site/site.ts";
import { withMentions } from "./mentions.ts";
import { commentIn, ISSUE, issuePathOf } from "./paths.ts";
import { at } from "./read.ts";

/** The forms of an issue that run one operation each. */
export function issueForms(site: Site, again: (call: WorkspaceCall, refusal: Refusal) => Promise<PageAnswer>): void {
  const to = (part: string) => (call: WorkspaceCall) => `${issuePathOf(call)}#${part}`;
  const params = (call: WorkspaceCall, more: Record<string, string> = {}) => ({ ...at(call), ...more });
  const text = (call: WorkspaceCall, name: string) => long(call.form.text(name));
  const said = (call: WorkspaceCall) => withMentions(site, call, text(call, "body_md"));
  const byId = (call: WorkspaceCall) => ({ params: params(call, { id: call.form.text("id") }) });

  const entry = (call: WorkspaceCall) => ({ params: params(call, { entryId: call.form.text("entry") }) });

  const session = (call: WorkspaceCall, state: string) => ({
    params: { id: call.form.text("session") },
    body: { state },
  });

  actions(site, ISSUE, again, {
    comment: {
      operation: "comments.create",
      input: async (call) => ({
        params: params(call),
        body: { body_md: await said(call), parent_id: orNull(call.form.text("parent_id")) },
      }),
      to: (call, made: CommentView) => commentIn(issuePathOf(call), made.id),
      said: "Your comment is added.",
    },
    "comment-change": {
      operation: "comments.patch",
      input: async (call) => ({ ...byId(call), body: { body_md: await said(call) } }),
      to: (call, { id }: CommentView) => commentIn(issuePathOf(call), id),
      said: "The comment is changed.",
    },
    "comment-delete": {
      operation: "comments.delete",
      input: byId,
      to: to("comments"),
      said: "The comment is deleted.",
    },
    link: {
      operation: "links.create",
      input: (call) => {
        const [kind = "", direction = ""] = call.form.text("relation").split(":");
        return { params: params(call), body: { kind, direction, target_key: call.form.text("target_key") } };
      },
      to: to("links"),
      said: "The link is added.",
    },
    "link-delete": { operation: "links.delete", input: byId, to: to("links"), said: "The link is removed." },
    child: {
      operation: "issues.create",
      input: (call) => {
        const { key } = at(call);
        const belongs = call.form.text("belongs") === "epic" ? "epic" : "parent";
        const type = belongs === "epic" ? "task" : "subtask";
        return { params: { key }, body: { title: call.form.text("title"), type, [belongs]: at(call).issueKey } };
      },
      to: to("children"),
      said: ({ key }: IssueView) => `${key} is created.`,
    },
    "attachment-delete": {
      operation: "attachments.delete",
      input: byId,
      to: to("attachments"),
      said: "The file is deleted.",
    },
    time: {
      operation: "time-entries.create",
      input: (call) => ({ params: params(call), body: entryOf(call) }),
      to: to("time"),
      said: "The time is logged.",
    },
    "time-change": {
      operation: "time-entries.patch",
      input: (call) => ({ ...entry(call), body: entryOf(call) }),
      to: to("time"),
      said: "The entry is corrected.",
    },
    "time-left": {
      operation: "time.patch",
      input: async (call) => {
        const { remaining_minutes } = await site.perform<TimeTrackingView>(call, "time.get", { params: params(call) });
        const wanted = minutesOf(call.form.text("remaining_minutes"));
        // A form that is sent twice finds its own change.
        const isAsSeen = call.form.text("was") === String(remaining_minutes) || wanted === remaining_minutes;
        return isAsSeen ? { params: params(call), body: { remaining_minutes: wanted } } : refuse("precondition_failed");
      },
      to: to("time"),
      said: "The time left is changed.",
    },
    "time-delete": { operation: "time-entries.delete", input: entry, to: to("time"), said: "The entry is deleted." },
    answer: {
      operation: "comments.create",
      input: async (call) => ({ params: params(call), body: { body_md: await said(call) } }),
      // Where the person sees what the agent does with it.
      to: (call) => `${issuePathOf(call)}#session-${encodeURIComponent(text(call, "session"))}`,
      said: "Your answer is on its way to the agent.",
    },
    "session-done": {
      operation: "agent-sessions.patch",
      input: (call) => session(call, "done"),
      to: to("main"),
      said: "The result is accepted.",
    },
    "session-cancel": {
      operation: "agent-sessions.patch",
      input: (call) => session(call, "cancelled"),
      to: to("main"),
      said: "The session is cancelled.",
    },
    workflow: {
      operation: "workflow-runs.start",
      input: (call) => ({
        params: params(call),
        body: { workflow_id: call.form.text("workflow_id"), note_md: text(call, "note_md") },
      }),
      to: to("workflow"),
      said: "The workflow is started.",
    },
    "workflow-cancel": {
      operation: "workflow-runs.cancel",
      input: (call) => ({ params: params(call) }),
      to: to("main"),
      said: "The run is cancelled.",
    },
    stage: {
      operation: "workflow-runs.complete-stage",
      input: (call) => ({
        params: { id: call.form.text("run_id") },
        body: {
          node_id: call.form.text("node_id"),
          outcome: call.form.text("outcome"),
          note_md: text(call, "note_md"),
        },
      }),
      to: to("workflow"),
      said: "The stage is completed.",
    },
    watch: {
      operation: "watchers.create",
      input: (call) => ({ params: params(call) }),
      to: to("watchers"),
      said: "You watch this issue now.",
    },
    unwatch: {
      operation: "watchers.delete",
      input: (call) => ({ params: params(call, { userId: call.form.text("user_id") || "me" }) }),
      to: to("watchers"),
      said: "Stopped watching.",
    },
    archive: {
      operation: "issues.delete",
      input: (call) => ({ params: params(call) }),
      to: to("main"),
      said: "The issue is archived. It can be restored for 30 days.",
    },
    restore: {
      operation: "issues.restore",
      input: (call) => ({ params: params(call) }),
      to: to("main"),
      said: "The issue is restored.",
    },
  });
}

/** An entry of the time log. */
const entryOf = ({ form }: WorkspaceCall) => ({
  minutes: minutesOf(form.text("minutes")),
  note: orNull(form.text("note")),
  ...(form.text("spent_on") === "" ? {} : { spent_on: form.text("spent_on") }),
});
