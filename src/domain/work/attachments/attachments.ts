import type { InIssue } from "../../access/identity/issue-row.ts";
import { record, recordChange } from "../../events/record.ts";
import type { Writing } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { dropObjects, giveBytesBack } from "../../kernel/files/storage.sql.ts";
import { readId } from "../../kernel/ids.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import { isAdmin } from "../../kernel/roles.ts";
import { type FullIssue, lockIssue, readIssue, updateIssue } from "../issues/change.sql.ts";
import { issueUpdated } from "../issues/events.ts";
import { refuseArchivedIssue } from "../issues/lock-live.ts";
import { viewOf as issueViewOf, labelsOf } from "../issues/view.ts";
import {
  type Attached,
  type AttachmentRow,
  deleteAttachment,
  deleteOfComment,
  findById,
  listAttachments,
  lockById,
} from "./attachments.sql.ts";
import { attachmentCreated, attachmentDeleted } from "./events.ts";
import { lastArrival, uploadKey } from "./upload.ts";
import { AttachmentView } from "./view.ts";

const DOWNLOAD_SECONDS = 3600;

/** Returns a page of attachments, newest first, each with a new download URL. */
export async function listPage(ctx: InIssue, paging: Paging) {
  const rows = await listAttachments(ctx, paging.after, paging.limit + 1);
  const page = pageOf(rows, paging, (row) => [row.created_at, row.id]);
  return { rows: await Promise.all(page.rows.map((row) => withUrl(ctx, row))), next_cursor: page.next_cursor };
}

/** Returns an attachment, or an upload that is not committed. */
export async function read(ctx: InIssue, text: string): Promise<AttachmentRow | null> {
  const id = readId(text);
  return id ? findById(ctx, id) : null;
}

/** An attachment or an upload, with its issue; both are locked. */
export type LockedAttachment = { row: AttachmentRow; issue: FullIssue };

/** @throws Refusal archived */
export async function byId(ctx: InIssue & Writing, text: string): Promise<LockedAttachment | null> {
  const id = readId(text);
  if (!id) return null;
  const issue = await lockIssue(ctx, ctx.issue.id);
  const row = await lockById(ctx, id);
  if (row) refuseArchivedIssue(issue);
  return row && { row, issue };
}

/**
 * Deletes an attachment or an upload. Its bytes count as free at once; a worker removes them from the store.
 * @throws Refusal not_owner_of_resource
 */
export async function remove(
  ctx: InIssue & Writing,
  { row, issue }: LockedAttachment,
): Promise<{ id: string; deleted: true }> {
  const { principal, project } = ctx;
  if (row.uploader_id !== principal.user_id && !isAdmin(principal.role) && project.role !== "admin")
    refuse("not_owner_of_resource");
  await deleteAttachment(ctx, row.id);
  await releaseStorage(ctx, issue, [row]);
  return { id: row.id, deleted: true };
}

/**
 * Removes the uploaded bytes after the upload was committed or deleted. A worker collects them later in any case,
 * because the store may be unavailable now, and because it may accept another upload to the same URL.
 */
export async function dropUpload<T>(ctx: InIssue, answer: T): Promise<T> {
  const { id } = answer as { id: string };
  ctx.ports.files
    .remove([uploadKey(ctx.workspace.id, id)])
    .catch((error) =>
      ctx.log.warn({ err: error }, "an upload will be removed later, because the store is unavailable"),
    );
  return answer;
}

/** Deletes the attachments of a comment. The caller has locked the issue. */
export async function removeOfComment(ctx: InIssue & Writing, commentId: string): Promise<void> {
  const rows = await deleteOfComment(ctx, commentId);
  if (rows.length > 0) await releaseStorage(ctx, await readIssue(ctx, ctx.issue.id), rows);
}

async function releaseStorage(ctx: InIssue & Writing, issue: FullIssue, rows: AttachmentRow[]): Promise<void> {
  const attached = rows.filter(isAttached);
  if (attached.length > 0) {
    await recordAttachments(ctx, attachmentDeleted, issue, attached);
    const keys = attached.map(({ object_key }) => object_key);
    await dropObjects(ctx.db, ctx.workspace.id, keys, ctx.now);
  }
  const uploads = rows.filter((row) => !isAttached(row));
  if (uploads.length > 0) {
    const last = uploads
      .map(({ upload_until }) => upload_until)
      .sort()
      .at(-1)!;
    const keys = uploads.map(({ storage_key }) => storage_key);
    await dropObjects(ctx.db, ctx.workspace.id, keys, lastArrival(last));
  }
  const bytes = rows.reduce((sum, { byte_size }) => sum + byte_size, 0);
  await giveBytesBack(ctx.db, ctx.workspace.id, bytes);
}

const isAttached = (row: AttachmentRow): row is Attached => row.object_key !== null;

/** Updates the issue's number of attachments, and records that attachments were added or deleted. */
export async function recordAttachments(
  ctx: InIssue & Writing,
  event: typeof attachmentCreated | typeof attachmentDeleted,
  before: FullIssue,
  rows: Attached[],
): Promise<void> {
  const added = event === attachmentCreated;
  const about = { issue_id: before.id };
  await updateIssue(ctx, before.id, {
    attachment_count: before.attachment_count + (added ? rows.length : -rows.length),
  });
  // Events contain no download URL, because they are kept longer than a URL works, and more people read them.
  for (const row of rows) record(ctx, event, viewOf(row, null), about);

  const view = (issue: FullIssue) => issueViewOf(ctx, issue, labelsOf(issue));
  const { counts } = view(before);
  const activity = rows.map(({ id, file_name }) => ({
    kind: added ? "attachment_added" : "attachment_removed",
    payload: { attachment_id: id, file_name },
  }));
  recordChange(ctx, issueUpdated, { counts }, view(await readIssue(ctx, before.id)), { ...about, activity });
}

/**
 * Adds a signed download URL. Signing sends no request; it is asynchronous because some stores renew their credentials.
 */
export async function withUrl(ctx: InIssue, row: Attached): Promise<AttachmentView> {
  const { object_key: key, file_name: fileName, mime } = row;
  const url = await ctx.ports.files.signDownload({ key, fileName, mime }, DOWNLOAD_SECONDS);
  return viewOf(row, { url, until: new Date(Date.parse(ctx.now) + DOWNLOAD_SECONDS * 1000).toISOString() });
}

const viewOf = (row: AttachmentRow, address: { url: string; until: string } | null): AttachmentView =>
  AttachmentView.parse({ ...row, url: address?.url ?? null, url_expires_at: address?.until ?? null });
