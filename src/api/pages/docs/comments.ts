import { type Html, html } from "../../../domain/kernel/html.ts";
import { isAdmin } from "../../../domain/kernel/roles.ts";
import type { DocCommentView } from "../../../domain/knowledge/doc-comments/view.ts";
import type { DocView } from "../../../domain/knowledge/docs/view.ts";
import { commentArea, commentField, mentionArea } from "../issue/mention-area.ts";
import { type People, personOf } from "../issue/read.ts";
import { editForm } from "../kit/edit.ts";
import { hidden, textField } from "../kit/fields.ts";
import { person } from "../kit/people.ts";
import { act, badge, fold, pager } from "../kit/pieces.ts";
import { ago } from "../kit/times.ts";
import { prose } from "../kit/written.ts";
import { revisionField } from "../site/actions.ts";
import { askFirst } from "../site/confirm.ts";
import { onceField } from "../site/once.ts";
import type { WorkspaceCall } from "../site/site.ts";
import { commentPath, docPath, typed } from "./paths.ts";
import type { Comments } from "./read.ts";

/** What people and agents say about a doc, the oldest first, with replies below what they answer. */

export type About = {
  call: WorkspaceCall;
  doc: DocView;
  comments: Comments;
  people: People;
  mayTalk: boolean;
};

export function commentsPart(about: About): Html {
  const { call, doc, comments, mayTalk } = about;
  if (comments.data.length === 0 && !mayTalk) return html``;
  const path = docPath(call, doc);
  const roots = comments.data.filter((one) => rootOf(about, one) === one);
  return html`<section class="doc-talk" id="comments" aria-labelledby="comments-title"><h2 id="comments-title">Comments</h2>
    ${roots.map((root) => thread(about, root))}
    ${pager(comments.next === null ? null : `${path}?comments=${comments.next}#comments`, {
      first: `${path}#comments`,
      isFirst: comments.isFirst,
      what: "comments",
    })}
    ${mayTalk ? newComment(about) : ""}</section>`;
}

/** The first comment of a thread. That of a long thread may be on an earlier page. */
function rootOf(about: Pick<About, "comments">, comment: DocCommentView): DocCommentView {
  const parent = about.comments.data.find(({ id }) => id === comment.parent_id);
  return parent === undefined ? comment : rootOf(about, parent);
}

/** What the person does with a comment, or has sent and was refused. */
const isOpen = ({ call }: About, what: "reply" | "change", id: string): boolean =>
  (call.form.text("comment") || call.query("at")) === id && (call.form.text("do") || call.query("do")) === what;

function thread(about: About, root: DocCommentView): Html {
  const { comments, mayTalk } = about;
  const replies = comments.data.filter((one) => one !== root && rootOf(about, one) === root);
  const answered = [root, ...replies].find(({ id }) => isOpen(about, "reply", id));
  const below =
    replies.length === 0 && !answered
      ? ""
      : html`<div class="replies">${replies.map((reply) => commentPart(about, reply))}${answered && mayTalk ? replyForm(about, answered) : ""}</div>`;
  const whole = html`${commentPart(about, root)}${below}`;
  if (root.resolved_at === null) return whole;
  const opened = [root, ...replies].some(({ id }) => about.call.query("at") === id);
  return fold(html`Resolved: <span dir="auto">${beginning(root.body_md)}</span>`, whole, { open: opened });
}

const MAX_BEGINNING = 60;
const beginning = (text: string): string => {
  const letters = [...text.slice(0, 4 * MAX_BEGINNING).replaceAll(/\s+/g, " ")];
  return letters.length > MAX_BEGINNING ? `${letters.slice(0, MAX_BEGINNING).join("")}…` : letters.join("");
};

function commentPart(about: About, comment: DocCommentView): Html {
  const { call, people, mayTalk } = about;
  const { id, author, created_at, edited_at, deleted_at, resolved_at, body_html, anchor, parent_id } = comment;
  if (deleted_at !== null)
    return html`<article class="comment quiet" id="comment-${id}"><p>This comment was deleted.</p></article>`;
  const who = { ...personOf(people, author.id), ...(author.name === null ? {} : { name: author.name }) };
  const name = who.name ?? "someone";
  const mayChange = mayTalk && (author.id === call.visitor.user.id || isAdmin(call.here.principal.role));
  const way = (what: string, label: string) =>
    html`<a class="quiet" href="${commentPath(call, id, what)}" aria-label="${label} the comment by ${name}">${label}</a>`;
  return html`<article class="comment" id="comment-${id}" aria-label="Comment by ${name}">
    <div class="comment-head">${person(who)}
      <a class="quiet" href="${commentPath(call, id)}">${ago(created_at, call.here.now)}</a>${edited_at === null ? "" : html` <span class="quiet">edited</span>`}${resolved_at === null ? "" : html` ${badge("Resolved", "good")}`}
      <span class="ways">${mayTalk ? way("reply", "Reply") : ""} ${mayChange ? way("change", "Edit") : ""}</span></div>
    ${anchor === null ? "" : html`<blockquote class="about-part" dir="auto">${anchor.quote}</blockquote>`}
    ${prose(call.here, body_html)}
    ${mayChange && parent_id === null ? resolving(about, comment) : ""}
    ${mayChange && isOpen(about, "change", id) ? changeForm(about, comment) : ""}</article>`;
}

const resolving = ({ call, doc }: About, { id, resolved_at }: DocCommentView): Html =>
  act(
    `${docPath(call, doc)}/comment-${resolved_at === null ? "resolve" : "reopen"}`,
    resolved_at === null ? "Resolve" : "Open again",
    {
      fields: hidden("comment", id),
    },
  );

function changeForm(about: About, comment: DocCommentView): Html {
  const { call, doc } = about;
  const { id, body_md } = comment;
  const path = docPath(call, doc);
  const wasSent = call.form.text("do") === "change";
  return html`${editForm(`${path}/comment-change`, {
    fields: html`${hidden("comment", id)}${hidden("do", "change")}${revisionField(comment)}`,
    inputs: mentionArea(commentField(`c-${id}-`, "Comment"), {
      stored: body_md,
      ...(wasSent ? { typed: typed(call, "body_md") } : {}),
    }),
    cancel: commentPath(call, id),
    ...(wasSent ? { button: "Save mine instead" } : {}),
  })}
  ${askFirst({
    ask: "Delete",
    about: "this comment",
    action: `${path}/comment-delete`,
    consequence: "The text is deleted. Replies stay.",
    confirm: "Delete the comment",
    fields: hidden("comment", id),
  })}`;
}

const replyForm = ({ call, doc }: About, { id }: DocCommentView): Html =>
  editForm(`${docPath(call, doc)}/comment`, {
    fields: html`${onceField()}${hidden("comment", id)}${hidden("do", "reply")}`,
    inputs: commentArea(`r-${id}-`, "Reply", call.form.text("do") === "reply" ? typed(call, "body_md") : ""),
    cancel: commentPath(call, id),
    button: "Reply",
  });

function newComment({ call, doc }: About): Html {
  const wasSent = call.form.text("do") === "new";
  const quote = wasSent ? call.form.text("quote") : "";
  return html`<form class="new-comment" method="post" action="${docPath(call, doc)}/comment">${onceField()}${hidden("do", "new")}
    ${commentArea("", "Your comment", wasSent ? typed(call, "body_md") : "")}
    ${fold("About a part of the text", textField({ name: "quote", label: "Words of the doc", value: quote, max: 500, hint: "They are shown above your comment." }), { open: quote !== "" })}
    <button>Comment</button></form>`;
}
