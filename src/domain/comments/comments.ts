import { LockMode } from "@mikro-orm/core";
import { z } from "zod";
import type { InIssue, Writing } from "../context.ts";
import { Refusal, refuse, refuseReference } from "../errors.ts";
import { record } from "../events.ts";
import { isAdmin } from "../identity/scopes.ts";
import { newId, readId } from "../ids.ts";
import { type Paging, pageOf } from "../paging.ts";
import { idInput, line, text } from "../wire.ts";
import { findComments, findMentioned, insertComments, listComments, type NewComment, uncount } from "./comments.sql.ts";
import { CommentEntity, type Mention } from "./entities.ts";
import { renderMarkdown } from "./markdown.ts";
import { type CommentRow, CommentView, commentView } from "./view.ts";

export const CommentCreateInput = z
  .strictObject({
    body_md: text(1, 64_000),
    parent_id: idInput.nullable().optional(),
    session_id: idInput.nullable().optional(),
    external_id: line(1, 200).nullable().optional(),
  })
  .meta({ id: "CommentCreateInput" });
export type CommentCreateInput = z.output<typeof CommentCreateInput>;

/** Items are checked one by one, each for its own result. */
export const BulkCommentsCreateInput = z
  .strictObject({ items: z.array(z.unknown()).min(1).max(50) })
  .meta({ id: "BulkCommentsCreateInput" });

/** Oldest first. A deleted comment that has replies stays as an empty one. */
export async function listPage(ctx: InIssue, paging: Paging) {
  const rows = await listComments(ctx, paging.after, paging.limit + 1);
  const page = pageOf(rows, paging, (row) => [row.created_at, row.id]);
  return { rows: page.rows.map((row) => commentView(row, ctx.issue.key)), next_cursor: page.next_cursor };
}

/** Adds one comment; the same author's external id again answers the comment that is there. */
export async function create(ctx: InIssue & Writing, input: CommentCreateInput): Promise<CommentView> {
  const [result] = await createMany(ctx, [input]);
  if (result instanceof Refusal) throw result;
  return result!;
}

/** Adds comments in one statement; each item's result is its view or why it was refused. */
export async function createMany(
  ctx: InIssue & Writing,
  inputs: (CommentCreateInput | Refusal)[],
): Promise<(CommentView | Refusal)[]> {
  const good = inputs.filter((input): input is CommentCreateInput => !(input instanceof Refusal));
  const parents = await liveIds(
    ctx,
    good.map((input) => input.parent_id),
  );
  const mentioned = await mentionsIn(
    ctx,
    good.map((input) => input.body_md),
  );
  const drafts = inputs.map((input) => (input instanceof Refusal ? input : draftOf(input, parents, mentioned)));
  const fresh = firstOfEach(drafts.filter((draft): draft is NewComment => !(draft instanceof Refusal)));
  if (fresh.length === 0) return drafts as Refusal[];

  const written = await insertComments(ctx, fresh);
  const rows = await findComments(
    ctx,
    [...written],
    fresh.flatMap((draft) => draft.external_id ?? []),
  );
  const views = rows.map((row) => CommentView.parse(commentView(row, ctx.issue.key)));
  for (const view of views) if (written.has(view.id)) recordComment(ctx, "comment.created", view, "commented");
  return drafts.map((draft) => (draft instanceof Refusal ? draft : views.find((view) => isOf(view, draft))!));
}

/** Changes the text. @throws Refusal not_owner_of_resource */
export async function edit(
  ctx: InIssue & Writing,
  comment: CommentEntity,
  { body_md }: CommentCreateInput,
): Promise<CommentView> {
  checkOwner(ctx, comment);
  if (comment.body_md !== body_md) {
    comment.body_md = body_md;
    comment.body_html = renderMarkdown(body_md);
    comment.mentions = mentionsOf(body_md, await mentionsIn(ctx, [body_md]));
    comment.edited_at = ctx.now;
    comment.updated_at = ctx.now;
    await ctx.em.flush();
    const view = await viewOf(ctx, comment.id);
    recordComment(ctx, "comment.updated", view, "comment_edited");
    return view;
  }
  return viewOf(ctx, comment.id);
}

/** Deletes a comment; one with replies stays as an empty one. @throws Refusal not_owner_of_resource */
export async function remove(ctx: InIssue & Writing, comment: CommentEntity): Promise<{ id: string; deleted: true }> {
  checkOwner(ctx, comment);
  const last = await viewOf(ctx, comment.id);
  Object.assign(comment, { deleted_at: ctx.now, updated_at: ctx.now, body_md: "", body_html: "", mentions: [] });
  await ctx.em.flush();
  await uncount(ctx, comment.parent_id ?? null);
  recordComment(ctx, "comment.deleted", last, "comment_deleted");
  return { id: comment.id, deleted: true };
}

/** A live comment of the issue, held until the transaction ends. */
export async function byId(ctx: InIssue & Writing, text: string): Promise<CommentEntity | null> {
  const id = readId(text);
  const here = { issue_id: ctx.issue.id, deleted_at: null };
  return id ? ctx.em.findOne(CommentEntity, { id, ...here }, { lockMode: LockMode.PESSIMISTIC_WRITE }) : null;
}

function draftOf(
  input: CommentCreateInput,
  parents: Map<string, CommentRow>,
  mentioned: Map<string, Mention>,
): NewComment | Refusal {
  const parent = input.parent_id ? parents.get(input.parent_id) : null;
  if (parent === undefined || parent?.deleted_at) return attempt(() => refuseReference("/parent_id", input.parent_id));
  if (parent?.parent_id) {
    return attempt(() =>
      refuseReference("/parent_id", input.parent_id, {
        message: "Replies have one level; reply to the first comment.",
      }),
    );
  }
  if (input.session_id) return attempt(() => refuseReference("/session_id", input.session_id));
  return {
    id: newId(),
    parent_id: parent?.id ?? null,
    session_id: null,
    external_id: input.external_id ?? null,
    body_md: input.body_md,
    body_html: renderMarkdown(input.body_md),
    mentions: mentionsOf(input.body_md, mentioned),
  };
}

function attempt(refusal: () => never): Refusal {
  try {
    return refusal();
  } catch (error) {
    return error as Refusal;
  }
}

/** One statement cannot insert the same external id twice; the later ones answer the first. */
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

const MENTION = /@\[[^\]\n]{1,200}\]\(([0-9a-fA-F-]{32,36})\)/g;

/** `@[Name](id)` of people in the workspace; all others are plain text. */
async function mentionsIn(ctx: InIssue, texts: string[]): Promise<Map<string, Mention>> {
  const ids = [...new Set(texts.flatMap(mentionedIds))];
  const people = ids.length === 0 ? [] : await findMentioned(ctx, ids);
  return new Map(people.map((person) => [person.id, person]));
}

const mentionedIds = (body: string) => [...body.matchAll(MENTION)].flatMap(([, id]) => readId(id!) ?? []);

const mentionsOf = (body: string, known: Map<string, Mention>) =>
  [...new Set(mentionedIds(body))].flatMap((id) => known.get(id) ?? []);

function checkOwner(ctx: InIssue, comment: CommentEntity) {
  if (comment.author_id !== ctx.caller.user_id && !isAdmin(ctx.caller.role)) refuse("not_owner_of_resource");
}

async function viewOf(ctx: InIssue, id: string): Promise<CommentView> {
  const [row] = await findComments(ctx, [id], []);
  return CommentView.parse(commentView(row!, ctx.issue.key));
}

function recordComment(
  ctx: InIssue & Writing,
  type: "comment.created" | "comment.updated" | "comment.deleted",
  view: CommentView,
  kind: string,
) {
  record(ctx, type, {
    workspace_id: ctx.workspace.id,
    project_id: ctx.project.id,
    issue_id: ctx.issue.id,
    data: view,
    activity: [{ kind, payload: { comment_id: view.id } }],
  });
}
