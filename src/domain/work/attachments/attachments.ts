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
import { labelsOf, pureViewOf } from "../issues/view.ts";
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

/** Newest first, each with a fresh address to download it from. */
export async function listPage(ctx: InIssue, paging: Paging) {
  const rows = await listAttachments(ctx, paging.after, paging.limit + 1);
  const page = pageOf(rows, paging, (row) => [row.created_at, row.id]);
  return { rows: await Promise.all(page.rows.map((row) => withUrl(ctx, row))), next_cursor: page.next_cursor };
}

/** An attachment as it is shown, or an upload that was not committed. */
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
 * Takes a file off the issue, or gives up an upload. Its bytes are free at once, and removed by a worker.
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
  await free(ctx, issue, [row]);
  return { id: row.id, deleted: true };
}

/**
 * Removes what was uploaded once it was committed or given up. A collection does so later in any case, for the store may
 * be away now, and take another upload to the same address.
 */
export async function dropUpload<T>(ctx: InIssue, answer: T): Promise<T> {
  const { id } = answer as { id: string };
  ctx.ports.files
    .remove([uploadKey(ctx.workspace.id, id)])
    .catch((error) => ctx.log.warn({ err: error }, "an upload is removed later, for the store is away"));
  return answer;
}

/** Removes the attachments of a comment. The caller has locked the issue. */
export async function removeOfComment(ctx: InIssue & Writing, commentId: string): Promise<void> {
  const rows = await deleteOfComment(ctx, commentId);
  if (rows.length > 0) await free(ctx, await readIssue(ctx, ctx.issue.id), rows);
}

async function free(ctx: InIssue & Writing, issue: FullIssue, rows: AttachmentRow[]): Promise<void> {
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

/** Counts attachments at their issue, and writes down that they came or went. */
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
  // Events last longer than addresses, and are read by more people.
  for (const row of rows) record(ctx, event, viewOf(row, null), about);

  const view = (issue: FullIssue) => pureViewOf(ctx, issue, labelsOf(issue));
  const { counts } = view(before);
  const activity = rows.map(({ id, file_name }) => ({
    kind: added ? "attachment_added" : "attachment_removed",
    payload: { attachment_id: id, file_name },
  }));
  recordChange(ctx, issueUpdated, { counts }, view(await readIssue(ctx, before.id)), { ...about, activity });
}

/** Signing asks nobody; that it is awaited is for stores whose credentials change now and then. */
export async function withUrl(ctx: InIssue, row: Attached): Promise<AttachmentView> {
  const { object_key: key, file_name: fileName, mime } = row;
  const url = await ctx.ports.files.signDownload({ key, fileName, mime }, DOWNLOAD_SECONDS);
  return viewOf(row, { url, until: new Date(Date.parse(ctx.now) + DOWNLOAD_SECONDS * 1000).toISOString() });
}

const viewOf = (row: AttachmentRow, address: { url: string; until: string } | null): AttachmentView =>
  AttachmentView.parse({ ...row, url: address?.url ?? null, url_expires_at: address?.until ?? null });
