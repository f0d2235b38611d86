import type { InIssue } from "../../access/identity/issue-row.ts";
import type { Background } from "../../events/background.ts";
import type { Writing } from "../../kernel/context.ts";
import { refuse, refuseReference } from "../../kernel/errors.ts";
import {
  deleteObjectRecord,
  dropObjects,
  expectObject,
  giveUpObject,
  keepObject,
} from "../../kernel/files/storage.sql.ts";
import { newId } from "../../kernel/ids.ts";
import { lockLiveIssue } from "../issues/lock-live.ts";
import { type AttachmentRow, attachUpload, countOfComment, findByKey, lockByKey } from "./attachments.sql.ts";
import { recordAttachments, withUrl } from "./attachments.ts";
import { attachmentErrors } from "./errors.ts";
import { attachmentCreated } from "./events.ts";
import type { AttachmentCommitInput } from "./inputs.ts";
import { checkComment, lastArrival } from "./upload.ts";
import type { AttachmentView } from "./view.ts";

/**
 * The second step of attaching a file. The uploaded bytes are copied to a new key that no client has a URL for, and the
 * copy is checked. So a client that uploads again cannot change the bytes after the check.
 */

const MAX_PER_COMMENT = 100;
/** A copy that is not attached within this time is removed. It is longer than any check takes. */
const CHECK_HOURS = 2;

/** The key of the checked copy; null if the upload was already committed. */
export type Copied = { object_key: string; checksum_sha256: string | null } | null;

/**
 * Copies the uploaded bytes and checks the copy. Runs outside any transaction, because it may take long.
 * @throws Refusal invalid_reference, not_owner_of_resource, upload_missing, upload_expired, upload_size_mismatch,
 * checksum_mismatch
 */
export async function prepareCommit(ctx: InIssue & Background, input: AttachmentCommitInput): Promise<Copied> {
  const find = async () =>
    (await findByKey(ctx, input.storage_key)) ?? refuseReference("/storage_key", input.storage_key);
  const upload = await find();
  const checksum = checkAnnounced(upload, input);
  if (upload.object_key) return null;
  if (ctx.now > upload.expires_at) refuse(attachmentErrors.upload_expired, { expires_at: upload.expires_at });

  // Checked before the copy is made, and again under the lock.
  await checkComment(ctx, input.comment_id ?? upload.comment_id);
  const key = await copyOf(ctx, upload, checksum);
  // This renews the store's credentials if necessary, so that signing a URL inside the transaction sends no request.
  if (key) await withUrl(ctx, { ...upload, object_key: key });
  if (key) return { object_key: key, checksum_sha256: checksum };
  // The uploaded bytes are gone if another call has committed or deleted the upload.
  if ((await find()).object_key) return null;
  return ctx.now > upload.upload_until
    ? refuse(attachmentErrors.upload_expired, { expires_at: upload.upload_until })
    : refuse(attachmentErrors.upload_missing);
}

/** Copies the upload and returns the key of the checked copy; null if nothing was uploaded. */
async function copyOf(ctx: InIssue, upload: AttachmentRow, checksum: string | null): Promise<string | null> {
  const { files } = ctx.ports;
  // Checked first, so that a commit before the upload leaves no copy behind.
  const uploaded = await files.stat(upload.storage_key);
  if (!uploaded) return null;
  checkSize(upload, uploaded.byteSize);
  const key = `files/${ctx.workspace.id}/${newId()}`;
  await expectObject(ctx.db, ctx.workspace.id, key, hoursAfter(ctx.now, CHECK_HOURS));
  const abandon = () => abandonCopy(ctx, { object_key: key, checksum_sha256: checksum });
  // The store may still finish a copy that we no longer wait for. Its row stays until then, so that it is removed.
  if (!(await files.copy(upload.storage_key, key))) {
    await abandon();
    return null;
  }
  await checkCopy(ctx, key, upload, checksum).catch(async (error) => {
    await abandon();
    throw error;
  });
  return key;
}

/** Checks the copy, because the upload may have been replaced until the moment it was copied. */
async function checkCopy({ ports }: InIssue, key: string, upload: AttachmentRow, checksum: string | null) {
  const copied = (await ports.files.stat(key)) ?? refuse(attachmentErrors.upload_missing);
  checkSize(upload, copied.byteSize);
  if (copied.mime && copied.mime.toLowerCase() !== upload.mime.toLowerCase()) {
    refuseOther("mime", upload.mime, copied.mime);
  }
  if (checksum) {
    const found = copied.sha256 ?? (await ports.fileChecksum(key));
    if (found !== checksum) refuse(attachmentErrors.checksum_mismatch, { expected: checksum, found });
  }
}

/**
 * Removes a copy that was not attached. It counts towards no workspace's storage, and a client can repeat a refused
 * commit as often as it likes. A copy that was attached stays.
 */
export async function abandonCopy({ db, ports, workspace, now, log }: InIssue, copied: Copied): Promise<void> {
  if (!copied) return;
  const { object_key: key } = copied;
  try {
    if (!(await giveUpObject(db, workspace.id, key, now))) return;
    await ports.files.remove([key]);
    await deleteObjectRecord(db, workspace.id, key);
  } catch (error) {
    log.warn({ err: error }, "an unused copy will be removed later");
  }
}

/**
 * Attaches the copied file. If two calls commit the same upload, it is attached once and both return it.
 * @throws Refusal archived, invalid_reference, upload_expired, not_owner_of_resource, attachment_limit_reached
 */
export async function commitUpload(
  ctx: InIssue & Writing,
  input: AttachmentCommitInput,
  copied: Copied,
): Promise<AttachmentView> {
  const before = await lockLiveIssue(ctx);
  const upload = (await lockByKey(ctx, input.storage_key)) ?? refuseReference("/storage_key", input.storage_key);
  if (upload.object_key) {
    if (copied) await dropObjects(ctx.db, ctx.workspace.id, [copied.object_key], ctx.now);
    return withUrl(ctx, { ...upload, object_key: upload.object_key });
  }
  // The upload was committed when it was prepared, and its attachment has been deleted since. Its key is unknown then,
  // as above.
  if (!copied) return refuseReference("/storage_key", input.storage_key);

  const commentId = await checkComment(ctx, input.comment_id ?? upload.comment_id);
  if (commentId && (await countOfComment(ctx, commentId)) >= MAX_PER_COMMENT) {
    refuse(attachmentErrors.attachment_limit_reached, { limit: MAX_PER_COMMENT });
  }
  // The check took too long and the copy was already released for removal.
  if (!(await keepObject(ctx.db, ctx.workspace.id, copied.object_key))) refuse(attachmentErrors.upload_expired);
  await dropObjects(ctx.db, ctx.workspace.id, [upload.storage_key], lastArrival(upload.upload_until));
  const attached = await attachUpload(ctx, { id: upload.id, comment_id: commentId, ...copied });
  await recordAttachments(ctx, attachmentCreated, before, [attached]);
  return withUrl(ctx, attached);
}

/** Checks that the client repeats what it announced. Returns the checksum, if one was sent. */
function checkAnnounced(upload: AttachmentRow, input: AttachmentCommitInput): string | null {
  for (const field of ["file_name", "mime", "byte_size"] as const) {
    if (input[field] !== upload[field]) refuseOther(field, upload[field], input[field]);
  }
  const { checksum_sha256: sent } = input;
  if (sent && upload.checksum_sha256 && sent !== upload.checksum_sha256) {
    refuse(attachmentErrors.checksum_mismatch, {
      path: "/checksum_sha256",
      expected: upload.checksum_sha256,
      found: sent,
    });
  }
  return sent ?? upload.checksum_sha256;
}

function checkSize(upload: AttachmentRow, found: number): void {
  if (found !== upload.byte_size) refuseOther("byte_size", upload.byte_size, found);
}

const refuseOther = (field: string, expected: unknown, found: unknown): never =>
  refuse(attachmentErrors.upload_size_mismatch, {
    message: `${field} differs from the announced value.`,
    field,
    expected,
    found,
  });

const hoursAfter = (instant: string, hours: number) => new Date(Date.parse(instant) + hours * 3_600_000).toISOString();
