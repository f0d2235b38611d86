import { countOf, idOf, SAMPLE, timesOf } from "../../kernel/described.ts";

/** Descriptions of the fields of comments on docs, for the API description. */

const anchor = "The part of the doc that the comment is about. `null` if it is about the whole doc.";

export const aboutDocComment = {
  id: idOf("comment", "comment"),
  doc_id: ["Id of the doc that the comment belongs to.", SAMPLE.doc],
  parent_id: ["Id of the comment that this one replies to. `null` if it is not a reply.", null],
  author: ["The person or agent who wrote the comment."],
  body_md: ["Text as Markdown. Empty if the comment was deleted but has replies.", "Who **signs** the tag?"],
  body_html: ["Text as sanitised HTML.", "<p>Who <strong>signs</strong> the tag?</p>\n"],
  ...timesOf("comment"),
  anchor: [anchor],
  resolved_at: ["When the comment was resolved. `null` if it is open.", null],
  edited_at: ["When the text was last changed. `null` if never.", null],
  deleted_at: [
    "When the comment was deleted. Deleted comments are listed only if they have replies; else `null`.",
    null,
  ],
  mentions: ["People and agents that the text mentions."],
  reply_count: countOf("Number of direct replies that are listed.", 0),
} as const;

export const aboutAnchor = {
  quote: ["Text of the doc, as it was when the comment was written.", "Tag the commit"],
} as const;

export const aboutDocCommentInput = {
  body_md: [
    "Text as Markdown. `@[Name](user id)` mentions somebody who sees the doc; `#WEB-1` links an issue.",
    "Who **signs** the tag?",
  ],
  parent_id: [
    "Id of the comment of the same doc to reply to. Replies can have replies. `null` for none.",
    SAMPLE.comment,
  ],
  anchor: [anchor],
  resolved: ["`true` resolves the comment, `false` opens it again."],
} as const;
