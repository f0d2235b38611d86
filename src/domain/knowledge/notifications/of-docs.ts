import { newlyMentioned, type WithMentions } from "../../events/mentions.ts";
import { docCommentCreated, docCommentUpdated } from "../doc-comments/events.ts";
import { docCreated, docUpdated } from "../docs/events.ts";
import { type Happened, type Notice, nameOf, notice, rule, SOMEBODY_ELSE } from "./notice.ts";
import { MENTIONS } from "./of-issues.ts";

/** What docs and their comments notify of. */

type Doc = { id: string; title: string };
type Comment = WithMentions & { id: string; doc_id: string; body_md: string };

export const docRules = [
  rule(docCreated, MENTIONS, mentionedInDoc),
  rule(docUpdated, MENTIONS, mentionedInDoc),
  rule(docCommentCreated, SOMEBODY_ELSE, (event) => [...mentionedInComment(event), ...commented(event)]),
  rule(docCommentUpdated, "'mentions' = any(e.changed)", mentionedInComment),
];

function mentionedInDoc(event: Happened<Doc>): Notice[] {
  const { data, context } = event;
  const title = `${nameOf(event)} mentioned you in a doc`;
  return [notice("mentioned", { doc_id: data.id }, { people: context.mentioned ?? [], title, body: data.title ?? "" })];
}

function mentionedInComment(event: Happened<Comment>): Notice[] {
  const people = newlyMentioned(event).map(({ id }) => id);
  if (people.length === 0) return [];
  const title = `${nameOf(event)} mentioned you in a comment on a doc`;
  return [notice("mentioned", aboutComment(event), { people, title, markdown: event.data.body_md ?? "" })];
}

function commented(event: Happened<Comment>): Notice[] {
  const markdown = event.data.body_md ?? "";
  const told = (circle: "author" | "doc_watchers", which: string) =>
    notice("commented", aboutComment(event), { circle, title: `${nameOf(event)} commented on ${which}`, markdown });
  return [told("author", "your doc"), told("doc_watchers", "a doc that you watch")];
}

const aboutComment = ({ data }: Happened<Comment>) => ({ doc_id: data.doc_id, comment_id: data.id });
