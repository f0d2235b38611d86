import { foundIn, projectOf } from "../../access/identity/project-access.sql.ts";
import { readersAmong } from "../../access/identity/readers.sql.ts";
import { record, recordChange } from "../../events/record.ts";
import type { Found } from "../../kernel/belongs.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { refuseReference } from "../../kernel/errors.ts";
import { agentsNamed } from "../../kernel/handles.sql.ts";
import { newId, readId } from "../../kernel/ids.ts";
import { lockEntity } from "../../kernel/locks.sql.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import { checkAuthor, emptied, issueUrlIn, writeBodies } from "../../work/comments/write-body.ts";
import { lockWithoutBodies, refuseArchived } from "../docs/docs.ts";
import { contextFor, onlyFor } from "../docs/events.ts";
import { audienceOf, type DocRow, onlyReader } from "../docs/view.ts";
import { addWatchers } from "../docs/watchers.sql.ts";
import { countReply, findDocComment, listDocComments, uncountReply } from "./comments.sql.ts";
import { DocCommentEntity } from "./entities.ts";
import { docCommentCreated, docCommentDeleted, docCommentUpdated } from "./events.ts";
import {
  type DocCommentCreateInput,
  type DocCommentPatchInput,
  type DocCommentRow,
  type DocCommentView,
  docCommentView,
} from "./view.ts";

/** Comments on docs. Every change locks the doc first. */

/** Oldest first. A deleted comment that has replies is listed without its text. */
export async function listPage(ctx: InWorkspace, doc: DocRow, paging: Paging) {
  const rows = await listDocComments(ctx, doc, paging.after, paging.limit + 1);
  const page = pageOf(
    rows,
    paging,
    (row) => [row.created_at, row.id],
    ({ bytes }) => bytes,
  );
  return { rows: page.rows.map((row) => docCommentView(row, ctx)), next_cursor: page.next_cursor };
}

export async function read(ctx: InWorkspace, text: string, doc: DocRow): Promise<Found<DocCommentView> | null> {
  const id = readId(text);
  const row = id && (await findDocComment(ctx, doc, id));
  return row ? foundIn(doc, docCommentView(row, ctx), audienceOf(doc)) : null;
}

/** A locked comment with its locked doc. */
export type Commented = { doc: DocRow; comment: DocCommentEntity };

/** Locks a doc and then one of its comments. Returns both as they are now; null if the comment was deleted. */
export async function lockById(
  ctx: InWorkspace & Writing,
  text: string,
  { id: doc_id }: DocRow,
): Promise<Found<Commented> | null> {
  const id = readId(text);
  const found = id && (await lockWithoutBodies(ctx, doc_id));
  if (!found) return null;
  const comment = await lockEntity(ctx, DocCommentEntity, { id, doc_id, deleted_at: null });
  return comment && { ...found, object: { doc: found.object, comment } };
}

/** @throws Refusal archived, invalid_reference */
export async function create(
  ctx: InWorkspace & Writing,
  doc: DocRow,
  input: DocCommentCreateInput,
): Promise<DocCommentView> {
  refuseArchived(doc);
  const parentId = input.parent_id ?? null;
  if (parentId !== null && !(await isComment(ctx, doc, parentId))) refuseReference("/parent_id", parentId);

  const [body] = await writeBodies([input.body_md], within(ctx, doc));
  const comment = ctx.em.create(DocCommentEntity, {
    ...body!,
    id: newId(),
    workspace_id: ctx.workspace.id,
    doc_id: doc.id,
    author_id: ctx.principal.user_id,
    parent_id: parentId,
    quote: input.anchor?.quote ?? null,
    reply_count: 0,
    created_at: ctx.now,
    updated_at: ctx.now,
  });
  await ctx.em.flush();
  if (parentId !== null) await countReply(ctx, parentId);
  await addWatchers(ctx, doc.id, [ctx.principal.user_id], { restart: false });
  await addWatchers(ctx, doc.id, idsOf(comment), { restart: true });
  const row = await rowOf(ctx, doc, comment.id);
  record(contextFor(ctx, doc), docCommentCreated, docCommentView(row, null), onlyFor(doc));
  return docCommentView(row, ctx);
}

/** A call that changes nothing records nothing. @throws Refusal archived, not_owner_of_resource */
export async function edit(
  ctx: InWorkspace & Writing,
  { doc, comment }: Commented,
  { body_md, resolved }: DocCommentPatchInput,
): Promise<DocCommentView> {
  checkAuthor(ctx, comment);
  const before = await rowOf(ctx, doc, comment.id);
  const resolves = resolved !== undefined && resolved !== (comment.resolved_at !== null);
  const rewrites = body_md !== undefined && body_md !== comment.body_md;
  if (!resolves && !rewrites) return docCommentView(before, ctx);

  refuseArchived(doc);
  const [body] = rewrites ? await writeBodies([body_md], within(ctx, doc)) : [];
  Object.assign(
    comment,
    body && { ...body, edited_at: ctx.now },
    resolves && { resolved_at: resolved ? ctx.now : null },
    { updated_at: ctx.now },
  );
  await ctx.em.flush();
  const known = new Set(before.mentions.map(({ id }) => id));
  const newcomers = idsOf(comment).filter((id) => !known.has(id));
  await addWatchers(ctx, doc.id, newcomers, { restart: true });
  const row = await rowOf(ctx, doc, comment.id);
  recordChange(
    contextFor(ctx, doc),
    docCommentUpdated,
    docCommentView(before, null),
    docCommentView(row, null),
    onlyFor(doc),
  );
  return docCommentView(row, ctx);
}

/** Deletes a comment. One that has replies stays, without its text. @throws Refusal archived, not_owner_of_resource */
export async function remove(ctx: InWorkspace & Writing, { doc, comment }: Commented) {
  checkAuthor(ctx, comment);
  refuseArchived(doc);
  const last = docCommentView(await rowOf(ctx, doc, comment.id), null);
  Object.assign(comment, emptied(ctx.now), { quote: null });
  await ctx.em.flush();
  if (comment.reply_count === 0) await uncountReply(ctx, comment.id);
  record(contextFor(ctx, doc), docCommentDeleted, last, onlyFor(doc));
  return { id: comment.id, deleted: true };
}

const idsOf = ({ mentions }: DocCommentEntity): string[] => mentions.map(({ id }) => id);

async function isComment(ctx: InWorkspace, doc: DocRow, ref: string): Promise<boolean> {
  const id = readId(ref);
  return id !== null && (await findDocComment(ctx, doc, id)) !== null;
}

const rowOf = async (ctx: InWorkspace, doc: DocRow, id: string): Promise<DocCommentRow> =>
  (await findDocComment(ctx, doc, id))!;

const within = (ctx: InWorkspace, doc: DocRow) => ({
  findPeople: (ids: string[]) => readersAmong(ctx, projectOf(doc), ids, onlyReader(doc)),
  findAgents: (handles: string[]) => agentsNamed(ctx.db, ctx.workspace.id, handles),
  issueUrl: issueUrlIn(ctx),
});
