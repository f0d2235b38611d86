import type { InIssue } from "../../access/identity/issue-row.ts";
import type { Cursor } from "../../kernel/paging.ts";
import type { Db } from "../../kernel/ports/ports.ts";

/** An attachment of an issue, or an upload that is not committed yet. `object_key` is null for an upload. */
export type AttachmentRow = {
  id: string;
  issue_id: string;
  comment_id: string | null;
  uploader_id: string;
  file_name: string;
  mime: string;
  byte_size: number;
  checksum_sha256: string | null;
  storage_key: string;
  object_key: string | null;
  upload_until: string;
  expires_at: string;
  created_at: string;
};
export type Attached = AttachmentRow & { object_key: string };

const columns = `
  a.id, a.issue_id, a.comment_id, a.uploader_id, a.file_name, a.mime, a.byte_size, a.checksum_sha256, a.storage_key,
  a.object_key, a.upload_until, a.expires_at, a.created_at`;

/** Attachments of an issue, newest first. */
export function listAttachments(
  { db, workspace, issue }: InIssue,
  after: Cursor | null,
  limit: number,
): Promise<Attached[]> {
  const paged = after ? `and (a.created_at, a.id) < ($4::timestamptz, $5::uuid)` : "";
  return db.query<Attached>(
    {
      name: after ? "list_attachments_after" : "list_attachments",
      text: `
        select ${columns} from attachment a
        where a.workspace_id = $1 and a.issue_id = $2 and a.object_key is not null ${paged}
        order by a.created_at desc, a.id desc limit $3`,
    },
    [workspace.id, issue.id, limit, ...(after ?? [])],
  );
}

const byKey = `select ${columns} from attachment a where a.workspace_id = $1 and a.issue_id = $2 and a.storage_key = $3`;

/** Returns the upload or attachment with this storage key. */
export async function findByKey({ db, workspace, issue }: InIssue, key: string): Promise<AttachmentRow | null> {
  const [row] = await db.query<AttachmentRow>({ name: "attachment_by_key", text: byKey }, [
    workspace.id,
    issue.id,
    key,
  ]);
  return row ?? null;
}

/** The same, and locks the row until the transaction ends. */
export async function lockByKey({ db, workspace, issue }: InIssue, key: string): Promise<AttachmentRow | null> {
  const text = `${byKey} for update`;
  const [row] = await db.query<AttachmentRow>({ name: "attachment_lock_key", text }, [workspace.id, issue.id, key]);
  return row ?? null;
}

export async function findById({ db, workspace, issue }: InIssue, id: string): Promise<AttachmentRow | null> {
  const text = `select ${columns} from attachment a where a.workspace_id = $1 and a.issue_id = $2 and a.id = $3`;
  const [row] = await db.query<AttachmentRow>({ name: "attachment_find", text }, [workspace.id, issue.id, id]);
  return row ?? null;
}

export async function lockById({ db, workspace, issue }: InIssue, id: string): Promise<AttachmentRow | null> {
  const [row] = await db.query<AttachmentRow>(
    {
      name: "attachment_lock",
      text: `select ${columns} from attachment a
             where a.workspace_id = $1 and a.issue_id = $2 and a.id = $3 for update`,
    },
    [workspace.id, issue.id, id],
  );
  return row ?? null;
}

/** Whether an upload may still receive bytes. */
export async function isUploadOpen(db: Db, storageKey: string, now: string): Promise<boolean> {
  const [, workspaceId, id] = storageKey.split("/");
  const text = `
    select 1 from attachment
    where workspace_id = $1 and id = $2 and storage_key = $3 and object_key is null and expires_at > $4::timestamptz`;
  return (await db.query({ name: "upload_open", text }, [workspaceId, id, storageKey, now])).length > 0;
}

export type NewUpload = Omit<AttachmentRow, "issue_id" | "uploader_id" | "object_key" | "created_at">;

/** Stores an upload before its bytes arrive. */
export async function insertUpload(ctx: InIssue, upload: NewUpload): Promise<void> {
  await ctx.db.query(
    {
      name: "insert_upload",
      text: `
        insert into attachment (id, workspace_id, project_id, issue_id, comment_id, uploader_id, file_name, mime, byte_size,
                                checksum_sha256, storage_key, upload_until, expires_at, created_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::timestamptz, $13::timestamptz, $14::timestamptz)`,
    },
    [
      upload.id,
      ctx.workspace.id,
      ctx.project.id,
      ctx.issue.id,
      upload.comment_id,
      ctx.principal.user_id,
      upload.file_name,
      upload.mime,
      upload.byte_size,
      upload.checksum_sha256,
      upload.storage_key,
      upload.upload_until,
      upload.expires_at,
      ctx.now,
    ],
  );
}

export type Arrival = Pick<Attached, "id" | "object_key" | "comment_id" | "checksum_sha256">;

/** Turns an upload into an attachment. */
export async function attachUpload(
  ctx: InIssue,
  { id, object_key, comment_id, checksum_sha256 }: Arrival,
): Promise<Attached> {
  const [row] = await ctx.db.query<Attached>(
    {
      name: "attach_upload",
      text: `
        update attachment a set object_key = $3, comment_id = $4, checksum_sha256 = $5, created_at = $6::timestamptz
        where a.workspace_id = $1 and a.id = $2
        returning ${columns}`,
    },
    [ctx.workspace.id, id, object_key, comment_id, checksum_sha256, ctx.now],
  );
  return row!;
}

export type NewAttachment = Pick<
  Attached,
  "id" | "file_name" | "mime" | "byte_size" | "checksum_sha256" | "object_key"
>;

/** Attaches bytes that have no upload of their own. */
export async function insertAttached(ctx: InIssue, file: NewAttachment): Promise<Attached> {
  const [row] = await ctx.db.query<Attached>(
    {
      name: "insert_attached",
      text: `
        insert into attachment as a (id, workspace_id, project_id, issue_id, uploader_id, file_name, mime, byte_size,
                                     checksum_sha256, storage_key, object_key, upload_until, expires_at, created_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $11::timestamptz, $11::timestamptz, $11::timestamptz)
        returning ${columns}`,
    },
    [
      file.id,
      ctx.workspace.id,
      ctx.project.id,
      ctx.issue.id,
      ctx.principal.user_id,
      file.file_name,
      file.mime,
      file.byte_size,
      file.checksum_sha256,
      file.object_key,
      ctx.now,
    ],
  );
  return row!;
}

/** Deletes one attachment or upload. */
export async function deleteAttachment({ db, workspace }: InIssue, id: string): Promise<void> {
  await db.query({ name: "attachment_delete", text: `delete from attachment where workspace_id = $1 and id = $2` }, [
    workspace.id,
    id,
  ]);
}

/** Deletes the attachments of a comment, and its uploads in progress. Returns the deleted rows. */
export function deleteOfComment({ db, workspace, issue }: InIssue, commentId: string): Promise<AttachmentRow[]> {
  return db.query<AttachmentRow>(
    {
      name: "attachment_delete_of_comment",
      text: `delete from attachment a where a.workspace_id = $1 and a.issue_id = $2 and a.comment_id = $3
             returning ${columns}`,
    },
    [workspace.id, issue.id, commentId],
  );
}

/** Returns the number of attachments of a comment. */
export async function countOfComment({ db, workspace }: InIssue, commentId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    {
      name: "attachment_count_of_comment",
      text: `select count(*) as count from attachment
             where workspace_id = $1 and comment_id = $2 and object_key is not null`,
    },
    [workspace.id, commentId],
  );
  return row!.count;
}

/** Returns the author of a comment of the issue; null if the comment does not exist or is deleted. */
export async function authorOfComment({ db, workspace, issue }: InIssue, commentId: string): Promise<string | null> {
  const [row] = await db.query<{ author_id: string }>(
    {
      name: "attachment_comment_author",
      text: `select author_id from comment
             where workspace_id = $1 and issue_id = $2 and id = $3 and deleted_at is null`,
    },
    [workspace.id, issue.id, commentId],
  );
  return row?.author_id ?? null;
}
