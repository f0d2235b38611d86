import { newlyMentioned, type WithMentions } from "../../events/mentions.ts";
import { commentCreated, commentUpdated } from "../../work/comments/events.ts";
import { issueCreated, issueUpdated } from "../../work/issues/events.ts";
import { type Happened, type Notice, nameOf, notice, rule, SOMEBODY_ELSE } from "./notice.ts";

/** What issues and their comments notify of. */

/** SQL: whether an event has new mentions, or mentions are gone. */
export const MENTIONS = "e.context ?| array['mentioned', 'unmentioned']";

type Issue = { assignees: string[]; status: string; status_name: string | null };
type Comment = WithMentions & { id: string; body_md: string };

// New assignees and mentioned people watch the issue.
const ELSE_WATCHES = `
  exists (select from watcher w
          where w.workspace_id = e.workspace_id and w.issue_id = e.issue_id and w.user_id is distinct from e.actor_id)`;

export const issueRules = [
  rule(issueCreated, `${MENTIONS} or ${ELSE_WATCHES}`, (event) => [
    ...mentionedInIssue(event),
    ...assigned(event, event.data.assignees ?? []),
  ]),
  rule(issueUpdated, `${MENTIONS} or (e.changed && '{assignees, status, status_id}' and ${ELSE_WATCHES})`, (event) => [
    ...mentionedInIssue(event),
    // The notification of the stage says more.
    ...(event.context.of_stage ? [] : assigned(event, added(event))),
    ...moved(event),
  ]),
  rule(commentCreated, SOMEBODY_ELSE, (event) => [...mentionedInComment(event), ...commented(event)]),
  rule(commentUpdated, "'mentions' = any(e.changed)", mentionedInComment),
];

const added = ({ data, previous }: Happened<Issue>): string[] =>
  previous.assignees ? (data.assignees ?? []).filter((id) => !previous.assignees?.includes(id)) : [];

function assigned(event: Happened<Issue>, people: readonly string[]): Notice[] {
  if (people.length === 0) return [];
  const title = `${nameOf(event)} assigned you to ${event.issue_key}`;
  return [notice("assigned", aboutIssue(event), { people, title, body: event.issue_title ?? "" })];
}

function moved(event: Happened<Issue>): Notice[] {
  const { changed, data } = event;
  if (!changed.includes("status") && !changed.includes("status_id")) return [];
  const title = `${nameOf(event)} moved ${event.issue_key} to ${data.status_name ?? data.status ?? "another column"}`;
  return [notice("status_changed", aboutIssue(event), { circle: "watchers", title, body: event.issue_title ?? "" })];
}

function mentionedInIssue(event: Happened<Issue>): Notice[] {
  const people = event.context.mentioned ?? [];
  if (people.length === 0) return [];
  const title = `${nameOf(event)} mentioned you in ${event.issue_key}`;
  return [notice("mentioned", aboutIssue(event), { people, title, body: event.issue_title ?? "" })];
}

function mentionedInComment(event: Happened<Comment>): Notice[] {
  const people = newlyMentioned(event).map(({ id }) => id);
  if (people.length === 0) return [];
  const title = `${nameOf(event)} mentioned you in ${event.issue_key}`;
  return [notice("mentioned", aboutComment(event), { people, title, markdown: event.data.body_md ?? "" })];
}

function commented(event: Happened<Comment>): Notice[] {
  const title = `${nameOf(event)} commented on ${event.issue_key}`;
  return [notice("commented", aboutComment(event), { circle: "involved", title, markdown: event.data.body_md ?? "" })];
}

const aboutIssue = ({ issue_id }: Happened<unknown>) => ({ issue_id });
const aboutComment = ({ issue_id, data }: Happened<Comment>) => ({ issue_id, comment_id: data.id });
