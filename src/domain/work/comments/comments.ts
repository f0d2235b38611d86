import { z } from "zod";
import type { InIssue } from "../../access/identity/issue-row.ts";
import { readersAmong } from "../../access/identity/readers.sql.ts";
import { record, recordChange } from "../../events/record.ts";
import type { Writing } from "../../kernel/context.ts";
import { input, inputPart } from "../../kernel/described.ts";
import { changesTo } from "../../kernel/difference.ts";
import { invalidReference, Refusal, refuse } from "../../kernel/errors.ts";
import { agentsNamed } from "../../kernel/handles.sql.ts";
import { newId, readId } from "../../kernel/ids.ts";
import { lockEntity } from "../../kernel/locks.sql.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import { idInput, line, reference } from "../../kernel/wire.ts";
import { removeOfComment } from "../attachments/attachments.ts";
import { watch } from "../issues/change.sql.ts";
import { lockLive } from "../issues/lock-live.ts";
import { findComments, insertComments, listComments, type NewComment, uncount } from "./comments.sql.ts";
import { aboutBulkComments, aboutCommentInput, aboutCommentPatch, aboutCommentQuery } from "./descriptions.ts";
import { CommentEntity } from "./entities.ts";
import { commentCreated, commentDeleted, commentUpdated } from "./events.ts";
import { touchOwnSessions, writeWithSession } from "./of-session.ts";
import { type CommentRow, CommentView, commentView } from "./view.ts";
import { checkAuthor, commentBody, emptied, issueUrlIn, type WrittenBody, writeBodies } from "./write-body.ts";

const fixed = {
  parent_id: idInput.nullable().optional(),
  session_id: idInput.nullable().optional(),
  external_id: line(1, 200).nullable().optional(),
};

export const CommentCreateInput = input("CommentCreateInput", aboutCommentInput, { body_md: commentBody, ...fixed });
export type CommentCreateInput = z.output<typeof CommentCreateInput>;

/** Has the fields of the create input, so that a client can send the same body. Only the text can change. */
export const CommentPatchInput = input("CommentPatchInput", aboutCommentPatch, {
  body_md: commentBody.optional(),
  ...fixed,
});
export type CommentPatchInput = z.output<typeof CommentPatchInput>;

/** Each item is checked alone and has its own result. */
export const BulkCommentsCreateInput = input("BulkCommentsCreateInput", aboutBulkComments, {
  items: z.array(z.unknown()).min(1).max(50),
});

export const CommentQuery = inputPart(aboutCommentQuery, { from: reference.optional() });
export type CommentQuery = z.output<typeof CommentQuery>;

/** Returns a page of comments, oldest first. A deleted comment that has replies is listed without its text. */
export async function listPage(ctx: InIssue, query: CommentQuery, paging: Paging) {
  const from = query.from === undefined ? null : readId(query.from);
  if (query.from !== undefined && from === null) {
    refuse("invalid_parameter", { message: "from must be the id of a comment.", parameter: "from" });
  }
  const rows = await listComments(ctx, { after: paging.after, limit: paging.limit + 1, from });
  const page = pageOf(
    rows,
    paging,
    (row) => [row.created_at, row.id],
    ({ bytes }) => bytes,
  );
  return { rows: page.rows.map((row) => commentView(row, ctx.issue.key)), next_cursor: page.next_cursor };
}

/** Returns a comment; null if it does not exist or was deleted. */
export async function read(ctx: InIssue, text: string): Promise<CommentView | null> {
  const id = readId(text);
  const [row] = id ? await findComments(ctx, [id], []) : [];
  return row && !row.deleted_at ? commentView(row, ctx.issue.key) : null;
}

/** Adds a comment. If the author already has a comment with this external id, returns that comment. */
export async function create(ctx: InIssue & Writing, input: CommentCreateInput): Promise<CommentView> {
  const [result] = await createMany(ctx, [input]);
  if (result instanceof Refusal) throw result;
  return result!;
}

/** Adds comments in one statement. Each item's result is its view or the reason why it was refused. */
export async function createMany(
  ctx: InIssue & Writing,
  inputs: (CommentCreateInput | Refusal)[],
): Promise<(CommentView | Refusal)[]> {
  const good = inputs.filter((input): input is CommentCreateInput => !(input instanceof Refusal));
  const bodies = await writeBodies(
    good.map((input) => input.body_md),
    within(ctx),
  );
  // Locked after the rendering, so that moves of the issue do not wait for it.
  await lockLive(ctx);
  const parents = await liveIds(
    ctx,
    good.map((input) => input.parent_id),
  );
  const sessions = await touchOwnSessions(
    ctx,
    good.map((input) => input.session_id),
  );
  const drafts = inputs.map((input) =>
    input instanceof Refusal ? input : draftOf(input, { parents, sessions }, bodies[good.indexOf(input)]!),
  );
  const fresh = firstOfEach(drafts.filter((draft): draft is NewComment => !(draft instanceof Refusal)));
  if (fresh.length === 0) return drafts as Refusal[];

  // Sent together. What was not inserted has the external id of an earlier comment.
  const [added, rows] = await Promise.all([
    insertComments(ctx, fresh),
    findComments(
      ctx,
      fresh.map(({ id }) => id),
      fresh.flatMap((draft) => draft.external_id ?? []),
    ),
  ]);
  const views = rows.map((row) => CommentView.parse(commentView(row, ctx.issue.key)));
  const written = views.filter(({ id }) => added.has(id));
  for (const view of written) record(ctx, commentCreated, view, about(ctx, view, "commented"));
  await writeWithSession(ctx, written);
  return drafts.map((draft) => (draft instanceof Refusal ? draft : views.find((view) => isOf(view, draft))!));
}

/**
 * Changes the text. A call that changes nothing records nothing. Adds a warning for each other field that differs.
 * @throws Refusal not_owner_of_resource
 */
export async function edit(
  ctx: InIssue & Writing,
  comment: CommentEntity,
  { body_md, ...others }: CommentPatchInput,
): Promise<CommentView> {
  checkAuthor(ctx, comment);
  const before = await viewOf(ctx, comment.id);
  for (const name of Object.keys(changesTo(before, others))) {
    const message = `${name} of a comment cannot change. It was ignored; to change it, write a new comment.`;
    ctx.warnings.push({ code: "field_ignored", message, path: `/${name}` });
  }
  if (body_md === undefined || body_md === before.body_md) return before;

  const [body] = await writeBodies([body_md], within(ctx));
  Object.assign(comment, { ...body, edited_at: ctx.now, updated_at: ctx.now });
  await ctx.em.flush();
  const mentionedBefore = before.mentions.map(({ id }) => id);
  const newcomers = comment.mentions.filter(({ id }) => !mentionedBefore.includes(id));
  await watch(
    ctx,
    ctx.issue.id,
    newcomers.map(({ id }) => id),
  );
  const view = await viewOf(ctx, comment.id);
  recordChange(ctx, commentUpdated, before, view, about(ctx, view, "comment_edited"));
  return view;
}

/**
 * Deletes a comment with its files. A comment that has replies stays, without its text.
 * @throws Refusal not_owner_of_resource
 */
export async function remove(ctx: InIssue & Writing, comment: CommentEntity): Promise<{ id: string; deleted: true }> {
  checkAuthor(ctx, comment);
  const last = await viewOf(ctx, comment.id);
  Object.assign(comment, emptied(ctx.now));
  await ctx.em.flush();
  await uncount(ctx, comment.parent_id);
  record(ctx, commentDeleted, last, about(ctx, last, "comment_deleted"));
  await removeOfComment(ctx, comment.id);
  return { id: comment.id, deleted: true };
}

/** Locks the issue and then the comment, and returns the comment if it is not deleted. */
export async function byId(ctx: InIssue & Writing, text: string): Promise<CommentEntity | null> {
  const id = readId(text);
  if (!id) return null;
  await lockLive(ctx);
  return lockEntity(ctx, CommentEntity, { id, issue_id: ctx.issue.id, deleted_at: null });
}

type Known = { parents: Map<string, CommentRow>; sessions: ReadonlySet<string> };

function draftOf(input: CommentCreateInput, { parents, sessions }: Known, body: WrittenBody): NewComment | Refusal {
  const parent = (input.parent_id ?? null) === null ? null : parents.get(input.parent_id!);
  if (parent === undefined || parent?.deleted_at) return invalidReference("/parent_id", input.parent_id);
  if (parent?.parent_id) {
    const message = "A reply cannot have replies. Reply to the first comment.";
    return invalidReference("/parent_id", input.parent_id, { message });
  }
  const session_id = input.session_id ? readId(input.session_id) : null;
  if (input.session_id && !(session_id && sessions.has(session_id))) {
    const message = "session_id must name a session of yours on this issue.";
    return invalidReference("/session_id", input.session_id, { message });
  }
  return {
    id: newId(),
    parent_id: parent?.id ?? null,
    session_id,
    external_id: input.external_id ?? null,
    ...body,
  };
}

/** One statement cannot insert the same external id twice. Later items with the same id return the first one's comment. */
function firstOfEach(drafts: NewComment[]): NewComment[] {
  const seen = new Set<string>();
  return drafts.filter(({ external_id }) => external_id === null || (!seen.has(external_id) && seen.add(external_id)));
}

const isOf = (view: CommentView, draft: NewComment) =>
  view.id === draft.id || (draft.external_id !== null && view.external_id === draft.external_id);

async function liveIds(ctx: InIssue, refs: (string | null | undefined)[]): Promise<Map<string, CommentRow>> {
  const ids = refs.flatMap((ref) => (ref ? (readId(ref) ?? []) : []));
  const rows = ids.length === 0 ? [] : await findComments(ctx, ids, []);
  return new Map(rows.map((row) => [row.id, row]));
}

const within = (ctx: InIssue) => ({
  findPeople: (ids: string[]) => readersAmong(ctx, ctx.project, ids),
  findAgents: (handles: string[]) => agentsNamed(ctx.db, ctx.workspace.id, handles),
  issueUrl: issueUrlIn(ctx, ctx.project),
});

async function viewOf(ctx: InIssue, id: string): Promise<CommentView> {
  const [row] = await findComments(ctx, [id], []);
  return CommentView.parse(commentView(row!, ctx.issue.key));
}

/** The issue of a comment's event, and its line in the issue's history. */
const about = (ctx: InIssue, { id }: CommentView, kind: string) => ({
  issue_id: ctx.issue.id,
  activity: [{ kind, payload: { comment_id: id } }],
});
