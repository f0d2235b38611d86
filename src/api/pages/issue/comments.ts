import { counted } from "../../../domain/kernel/counted.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { isAdmin } from "../../../domain/kernel/roles.ts";
import type { CommentView } from "../../../domain/work/comments/view.ts";
import { editForm } from "../kit/edit.ts";
import { hidden } from "../kit/fields.ts";
import { person } from "../kit/people.ts";
import { pager } from "../kit/pieces.ts";
import { ago } from "../kit/times.ts";
import { prose } from "../kit/written.ts";
import { revisionField } from "../site/actions.ts";
import { askFirst } from "../site/confirm.ts";
import { onceField } from "../site/once.ts";
import { commentArea, commentField, mentionArea } from "./mention-area.ts";
import type { About } from "./page.ts";
import { commentIn } from "./paths.ts";
import type { Comments } from "./read.ts";

/** What people and agents say about the issue, oldest first, with replies below what they answer. */
export function commentsPart(about: About): Html {
  const { call, comments, issue, base } = about;
  const threads = comments.data.filter(({ parent_id }) => !comments.data.some(({ id }) => id === parent_id));
  return html`<section id="comments" aria-labelledby="comments-title">
    <h2 id="comments-title">${issue.counts.comments === 0 ? "Comments" : counted(issue.counts.comments, "comment")}</h2>
    ${threads.map((comment) => thread(about, comment))}
    ${pager(comments.next === null ? null : `${base}?${further(comments)}#comments`, {
      first: `${base}#comments`,
      isFirst: call.query("comments") === "" && comments.from === "",
      what: "comments",
    })}
    ${about.mayTalk ? newComment(about) : ""}</section>`;
}

/** The query of the next page. */
const further = ({ from, next }: Comments): URLSearchParams =>
  new URLSearchParams({ ...(from === "" ? {} : { at: from }), comments: next ?? "" });

/** The form that is open, or was sent and refused. */
const opened = ({ call }: About, name: string): string => call.form.text(`open-${name}`) || call.query(name);
const typed = ({ call }: About, wasSent: boolean): string => (wasSent ? call.form.text("body_md") : "");

function thread(about: About, comment: CommentView): Html {
  const replies = about.comments.data.filter(({ parent_id }) => parent_id === comment.id);
  const isReplying = about.mayTalk && opened(about, "reply") === comment.id;
  if (replies.length === 0 && !isReplying) return commentPart(about, comment);
  return html`${commentPart(about, comment)}<div class="replies">${replies.map((reply) => commentPart(about, reply))}
    ${isReplying ? replyForm(about, comment) : ""}</div>`;
}

function commentPart(about: About, comment: CommentView): Html {
  const { call, base, mayTalk } = about;
  const { id, author_id, author_name, author_kind, created_at, edited_at, deleted_at, body_html, parent_id } = comment;
  if (deleted_at !== null) {
    return html`<article class="comment quiet" id="comment-${id}"><p>This comment was deleted.</p></article>`;
  }
  const name = author_name ?? "someone";
  const mayChange = mayTalk && (author_id === call.here.principal.user_id || isAdmin(call.here.principal.role));
  const link = (query: string, label: string) =>
    html`<a class="quiet" href="${base}?${query}=${id}#comment-${id}" aria-label="${label} the comment by ${name}">${label}</a>`;
  return html`<article class="comment" id="comment-${id}" aria-label="Comment by ${name}">
    <div class="comment-head">${person({ id: author_id, name: author_name, kind: author_kind })}
      <a class="quiet" href="${commentIn(base, id)}">${ago(created_at, call.here.now)}</a>${edited_at === null ? "" : html` <span class="quiet">edited</span>`}
      <span class="ways">${mayTalk && parent_id === null ? link("reply", "Reply") : ""} ${mayChange ? link("comment", "Edit") : ""}</span></div>
    ${prose(call.here, body_html)}
    ${mayChange && opened(about, "comment") === id ? changeForm(about, comment) : ""}</article>`;
}

function changeForm(about: About, comment: CommentView): Html {
  const { base, call } = about;
  const { id, body_md } = comment;
  const wasSent = call.form.text("open-comment") === id;
  return html`${editForm(`${base}/comment-change`, {
    fields: html`${hidden("id", id)}${hidden("open-comment", id)}${revisionField(comment)}`,
    inputs: mentionArea(commentField(`c-${id}-`, "Comment"), {
      stored: body_md,
      ...(wasSent ? { typed: typed(about, wasSent) } : {}),
    }),
    cancel: commentIn(base, id),
  })}
  ${askFirst({
    ask: "Delete",
    about: "this comment",
    action: `${base}/comment-delete`,
    consequence: "The text and its files are deleted. Replies stay.",
    confirm: "Delete the comment",
    fields: hidden("id", id),
  })}`;
}

const replyForm = (about: About, { id }: CommentView): Html =>
  editForm(`${about.base}/comment`, {
    fields: html`${onceField()}${hidden("parent_id", id)}${hidden("open-reply", id)}`,
    inputs: commentArea(`r-${id}-`, "Reply", typed(about, about.call.form.text("open-reply") === id)),
    cancel: commentIn(about.base, id),
    button: "Reply",
  });

function newComment(about: About): Html {
  const wasSent = about.call.form.text("open-new") !== "";
  return html`<form class="new-comment" method="post" action="${about.base}/comment">${onceField()}${hidden("open-new", "1")}
    ${commentArea("", "Your comment", typed(about, wasSent))}<button>Comment</button></form>`;
}
