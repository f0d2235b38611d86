import { newlyMentioned, type WithMentions } from "../../events/mentions.ts";
import { docCommentCreated, docCommentUpdated } from "../../knowledge/doc-comments/events.ts";
import { docCreated, docUpdated } from "../../knowledge/docs/events.ts";
import { agentsOf, type Happened, mentioned, rule, type Telling } from "./telling.ts";

/** What agents are told of docs and their comments. */

type Doc = { id: string; body_md: string | null };
type Comment = WithMentions & { doc_id: string; body_md: string };

export const docRules = [
  rule(docCreated, mentionedInDoc),
  rule(docUpdated, mentionedInDoc),
  rule(docCommentCreated, mentionedInComment),
  rule(docCommentUpdated, mentionedInComment),
];

function mentionedInDoc({ context, data }: Happened<Doc>): Telling[] {
  const where = { source: "doc", issue_key: null, doc_id: data.id } as const;
  return (context.mentioned ?? []).map((agent) => mentioned(agent, data.body_md, where));
}

function mentionedInComment(event: Happened<Comment>): Telling[] {
  const { doc_id, body_md } = event.data;
  const where = { source: "doc_comment", issue_key: null, doc_id } as const;
  return agentsOf(newlyMentioned(event)).map((agent) => mentioned(agent, body_md, where));
}
