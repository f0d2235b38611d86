import { counted } from "../../../domain/kernel/counted.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import type { CommentView } from "../../../domain/work/comments/view.ts";
import { person } from "../kit/people.ts";
import { pager } from "../kit/pieces.ts";
import { ago } from "../kit/times.ts";
import { prose } from "../kit/written.ts";
import type { About } from "./page.ts";

/** What people and agents say about the issue, oldest first, with replies below what they answer. */
export function commentsPart(about: About): Html {
  const { call, comments, issue, base } = about;
  const threads = comments.data.filter(({ parent_id }) => !comments.data.some(({ id }) => id === parent_id));
  return html`<section id="comments" aria-labelledby="comments-title">
    <h2 id="comments-title">${issue.counts.comments === 0 ? "Comments" : counted(issue.counts.comments, "comment")}</h2>
    ${threads.map((comment) => thread(about, comment))}
    ${pager(comments.next === null ? null : `${base}?comments=${comments.next}#comments`, {
      first: `${base}#comments`,
      isFirst: call.query("comments") === "",
      what: "comments",
    })}</section>`;
}

function thread(about: About, comment: CommentView): Html {
  const replies = about.comments.data.filter(({ parent_id }) => parent_id === comment.id);
  return html`${commentPart(about, comment)}${replies.length > 0 ? html`<div class="replies">${replies.map((reply) => commentPart(about, reply))}</div>` : ""}`;
}

function commentPart({ call }: About, comment: CommentView): Html {
  const { id, author_id, author_name, author_kind, created_at, edited_at, deleted_at, body_html } = comment;
  if (deleted_at !== null)
    return html`<article class="comment quiet" id="comment-${id}"><p>This comment was deleted.</p></article>`;
  return html`<article class="comment" id="comment-${id}" aria-label="Comment by ${author_name ?? "someone"}">
    <p class="comment-head">${person({ id: author_id, name: author_name, kind: author_kind })}
      <a class="quiet" href="#comment-${id}">${ago(created_at, call.here.now)}</a>${edited_at === null ? "" : html` <span class="quiet">edited</span>`}</p>
    ${prose(call.here, body_html)}</article>`;
}
