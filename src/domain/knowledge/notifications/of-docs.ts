import { docCommentCreated, docCommentUpdated } from "../doc-comments/events.ts";
import { docCreated, docUpdated } from "../docs/events.ts";
import {
  type Happened,
  type Notice,
  nameOf,
  newlyMentioned,
  notice,
  rule,
  SOMEBODY_ELSE,
  type WithMentions,
} from "./notice.ts";
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
  const people = newlyMentioned(event);
  if (people.length === 0) return [];
  const title = `${nameOf(event)} mentioned you in a comment on a doc`;
  return [notice("mentioned", aboutComment(event), { people, title, body: event.data.body_md ?? "" })];
}

function commented(event: Happened<Comment>): Notice[] {
  const title = `${nameOf(event)} commented on your doc`;
  return [notice("commented", aboutComment(event), { circle: "author", title, body: event.data.body_md ?? "" })];
}

const aboutComment = ({ data }: Happened<Comment>) => ({ doc_id: data.doc_id, comment_id: data.id });
