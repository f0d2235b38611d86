import { countOf, idOf, SAMPLE, timesOf, userId } from "../../kernel/described.ts";

/** Descriptions of the fields of comments, for the API description. */

const external = [
  "Your own id of the comment. If the same author sends it again, no second comment is created. `null` if none.",
  "msg-812",
] as const;

export const aboutComment = {
  id: idOf("comment", "comment"),
  issue_id: ["Id of the issue that the comment belongs to.", SAMPLE.issue],
  author_id: userId("User id of the person or agent who wrote the comment."),
  body_md: ["Text as Markdown. Empty if the comment was deleted but has replies.", "Happens on **iOS 18**, too."],
  body_html: ["Text as sanitised HTML.", "<p>Happens on <strong>iOS 18</strong>, too.</p>\n"],
  issue_key: ["Key of the issue that the comment belongs to.", "WEB-1"],
  author_name: ["Name of the author. `null` if they have not chosen one.", "Ada Lovelace"],
  author_kind: ["Whether the author is a person or an agent."],
  parent_id: ["Id of the comment that this one replies to. `null` if it is not a reply.", null],
  session_id: ["Id of the agent session that the comment belongs to. `null` if none.", null],
  external_id: external,
  mentions: ["People and agents that the text mentions."],
  edited_at: ["When the text was last changed. `null` if never.", null],
  deleted_at: [
    "When the comment was deleted. Deleted comments are listed only if they have replies; else `null`.",
    null,
  ],
  reply_count: countOf("How many comments answer this one. `0` for an answer, because answers have no answers.", 0),
  ...timesOf("comment"),
} as const;

export const aboutMention = {
  id: userId("User id of the person or agent."),
  kind: ["Whether it is a person or an agent."],
} as const;

export const aboutCommentInput = {
  body_md: [
    "Text as Markdown. `@[Name](user id)` mentions somebody; `#WEB-1` links an issue.",
    "Happens on **iOS 18**, too.",
  ],
  parent_id: ["Id of the comment to reply to. A reply cannot have replies. `null` for none.", SAMPLE.comment],
  session_id: ["Id of the agent's own session that the comment belongs to. `null` for none.", SAMPLE.other],
  external_id: external,
} as const;

export const aboutCommentPatch = {
  body_md: aboutCommentInput.body_md,
  parent_id: ["Accepted as in creation, but cannot change: another value is ignored with a warning.", SAMPLE.comment],
  session_id: ["Accepted as in creation, but cannot change: another value is ignored with a warning.", SAMPLE.other],
  external_id: ["Accepted as in creation, but cannot change: another value is ignored with a warning.", "msg-812"],
} as const;

export const aboutCommentQuery = {
  from: ["Begin with this comment. Earlier ones are left out.", SAMPLE.comment],
} as const;

export const aboutBulkComments = { items: ["Comments to add, 1 to 50."] } as const;
