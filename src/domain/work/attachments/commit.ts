import type { InIssue } from "../../access/identity/issue-row.ts";
import type { Background } from "../../events/background.ts";
import type { Writing } from "../../kernel/context.ts";
import { refuse, refuseReference } from "../../kernel/errors.ts";
import { dropObjects, expectObject, forgetObject, giveUpObject, keepObject } from "../../kernel/files/storage.sql.ts";
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
 * The second half of attaching a file. The uploaded bytes are copied to a key of their own, to which nobody has an address,
 * and checked there: whatever its client still uploads, what was checked is what stays.
 */

const MAX_PER_COMMENT = 100;
/** An object that nobody kept by then is removed. Longer than checking takes. */
const CHECK_HOURS = 2;

/** Where the checked copy lies; null when the upload was committed before. */
export type Copied = { object_key: string; checksum_sha256: string | null } | null;

/**
 * Copies and checks what was uploaded: outside any transaction, since it may take long.
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

  // Before anything is copied; asked again when it counts.
  await checkComment(ctx, input.comment_id ?? upload.comment_id);
  const key = await copyOf(ctx, upload, checksum);
  // Credentials of the store are renewed here if need be: signing the copy's address inside the transaction asks nobody.
  if (key) await withUrl(ctx, { ...upload, object_key: key });
  if (key) return { object_key: key, checksum_sha256: checksum };
  // Nothing is there any more once another call has committed it, or given it up.
  if ((await find()).object_key) return null;
  return ctx.now > upload.upload_until
    ? refuse(attachmentErrors.upload_expired, { expires_at: upload.upload_until })
    : refuse(attachmentErrors.upload_missing);
}

/** The key of a checked copy; null when nothing was uploaded. */
async function copyOf(ctx: InIssue, upload: AttachmentRow, checksum: string | null): Promise<string | null> {
  const { files } = ctx.ports;
  // Asked first, so that impatient clients leave nothing behind.
  const uploaded = await files.stat(upload.storage_key);
  if (!uploaded) return null;
  checkSize(upload, uploaded.byteSize);
  const key = `files/${ctx.workspace.id}/${newId()}`;
  await expectObject(ctx.db, ctx.workspace.id, key, hoursAfter(ctx.now, CHECK_HOURS));
  const abandon = () => abandonCopy(ctx, { object_key: key, checksum_sha256: checksum });
  // A copy that we stopped waiting for may still come to be: its row waits for it.
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

/** An upload may have been replaced until the very moment of the copy. */
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
 * Removes a copy that came to nothing: no workspace's storage counts it, and a commit can be refused as often as its client
 * likes. One that was kept after all stays.
 */
export async function abandonCopy({ db, ports, workspace, now, log }: InIssue, copied: Copied): Promise<void> {
  if (!copied) return;
  const { object_key: key } = copied;
  try {
    if (!(await giveUpObject(db, workspace.id, key, now))) return;
    await ports.files.remove([key]);
    await forgetObject(db, workspace.id, key);
  } catch (error) {
    log.warn({ err: error }, "a copy that nobody needs is removed later");
  }
}

/**
 * Attaches what was copied. Two commits of one upload attach it once, and answer alike.
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
  // It was there already, and somebody deleted it: then the key is not known any more, as above.
  if (!copied) return refuseReference("/storage_key", input.storage_key);

  const commentId = await checkComment(ctx, input.comment_id ?? upload.comment_id);
  if (commentId && (await countOfComment(ctx, commentId)) >= MAX_PER_COMMENT) {
    refuse(attachmentErrors.attachment_limit_reached, { limit: MAX_PER_COMMENT });
  }
  // Checking took so long that the copy was given up.
  if (!(await keepObject(ctx.db, ctx.workspace.id, copied.object_key))) refuse(attachmentErrors.upload_expired);
  await dropObjects(ctx.db, ctx.workspace.id, [upload.storage_key], lastArrival(upload.upload_until));
  const attached = await attachUpload(ctx, { id: upload.id, comment_id: commentId, ...copied });
  await recordAttachments(ctx, attachmentCreated, before, [attached]);
  return withUrl(ctx, attached);
}

/** What the client says of the file must be what it said before. */
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
    message: `${field} is not the announced one.`,
    field,
    expected,
    found,
  });

const hoursAfter = (instant: string, hours: number) => new Date(Date.parse(instant) + hours * 3_600_000).toISOString();
