import type { InIssue } from "../../access/identity/issue-row.ts";
import type { Background } from "../../events/background.ts";
import type { Writing } from "../../kernel/context.ts";
import { refuse, refuseField, refuseReference } from "../../kernel/errors.ts";
import { expectObject, readUsedBytes, takeBytes } from "../../kernel/files/storage.sql.ts";
import { newId, readId } from "../../kernel/ids.ts";
import { type Cap, PLANS } from "../../kernel/plans.ts";
import { isAdmin } from "../../kernel/roles.ts";
import { lockLive } from "../issues/lock-live.ts";
import { authorOfComment, insertUpload } from "./attachments.sql.ts";
import { attachmentErrors } from "./errors.ts";
import type { AttachmentIntentInput } from "./inputs.ts";
import type { UploadIntentView } from "./view.ts";

/** The first step of attaching a file: storage is reserved, and the client gets a URL to upload the file to. */

const UPLOAD_SECONDS = 15 * 60;
/** A slow upload may continue long after its URL has expired. */
const COMMIT_HOURS = 24;
/** Twice the time limit of a request, because storing the bytes also takes time. */
const ARRIVAL_HOURS = 2;
/** Longer than a commit takes that begins before the upload expires. */
const MARGIN_HOURS = 1;

export type Addresses = UploadIntentView & { commit_until: string };

/**
 * Returns the time by which bytes have arrived whose upload began before `uploadUntil`, if they pass through this
 * service.
 */
export const lastArrival = (uploadUntil: string): string => later(uploadUntil, ARRIVAL_HOURS);

/** The key of the uploaded bytes until they are committed. */
export const uploadKey = (workspaceId: string, attachmentId: string): string =>
  `uploads/${workspaceId}/${attachmentId}`;

/**
 * Creates the URLs of an upload and stores nothing. Runs outside any transaction, because it may send a request to the
 * store.
 */
export async function prepareUpload(
  ctx: InIssue & Background,
  { mime, byte_size, checksum_sha256 }: AttachmentIntentInput,
): Promise<Addresses> {
  const id = newId();
  const key = uploadKey(ctx.workspace.id, id);
  const file = { key, mime, byteSize: byte_size, sha256: checksum_sha256 ?? null };
  const until = later(ctx.now, UPLOAD_SECONDS / 3600);
  const { url, headers } = await ctx.ports.files.signUpload(file, UPLOAD_SECONDS);
  return {
    attachment_id: id,
    storage_key: key,
    method: "PUT",
    url,
    relay_url: ctx.ports.fileAddresses.upload(file, new Date(until)),
    headers,
    expires_at: until,
    commit_until: later(ctx.now, COMMIT_HOURS),
  };
}

/**
 * Reserves storage for the file until it is committed, or for 24 hours.
 * @throws Refusal archived, validation_failed, storage_limit_reached, invalid_reference, not_owner_of_resource
 */
export async function beginUpload(
  ctx: InIssue & Writing,
  input: AttachmentIntentInput,
  addresses: Addresses,
): Promise<UploadIntentView> {
  checkSize(ctx, input.byte_size);
  await lockLive(ctx);
  const commentId = await checkComment(ctx, input.comment_id);
  const { attachment_id: id, storage_key, expires_at: upload_until, commit_until: expires_at } = addresses;
  await expectObject(ctx.db, ctx.workspace.id, storage_key, later(expires_at, MARGIN_HOURS));
  await insertUpload(ctx, {
    id,
    comment_id: commentId,
    file_name: input.file_name,
    mime: input.mime,
    byte_size: input.byte_size,
    checksum_sha256: input.checksum_sha256 ?? null,
    storage_key,
    upload_until,
    expires_at,
  });
  // Last, because this locks the storage account, and other uploads of the workspace wait for it.
  await reserve(ctx, input.byte_size);
  return addresses;
}

/**
 * Returns the id of the comment that a file will belong to. Only the comment's author and admins may attach files to
 * it.
 * @throws Refusal invalid_reference, not_owner_of_resource
 */
export async function checkComment(ctx: InIssue, ref: string | null | undefined): Promise<string | null> {
  if (!ref) return ref === "" ? refuseReference("/comment_id", ref) : null;
  const id = readId(ref);
  const author = id && (await authorOfComment(ctx, id));
  if (!author) return refuseReference("/comment_id", ref);
  if (author !== ctx.principal.user_id && !isAdmin(ctx.principal.role)) {
    refuse("not_owner_of_resource", { message: "Only its author or an admin may attach files to a comment." });
  }
  return id;
}

function checkSize({ settings, workspace }: InIssue, bytes: number): void {
  const cap = settings.plans(workspace.plan, "attachment_bytes");
  if (cap === null || bytes <= cap) return;
  refuseField("/byte_size", "too_large", `must be at most ${cap}: the plan ${workspace.plan} allows no larger file`, {
    maximum: cap,
    plan: workspace.plan,
    required_plan: smallestPlanFor(settings, workspace.plan, "attachment_bytes", bytes),
  });
}

async function reserve(ctx: InIssue, bytes: number): Promise<void> {
  const { workspace, settings, db } = ctx;
  const cap = settings.plans(workspace.plan, "storage_bytes");
  if (await takeBytes(db, workspace.id, bytes, cap)) return;
  const used = await readUsedBytes(db, workspace.id);
  refuse(attachmentErrors.storage_limit_reached, {
    plan: workspace.plan,
    limit: cap,
    used,
    required_plan: smallestPlanFor(settings, workspace.plan, "storage_bytes", used + bytes),
  });
}

const smallestPlanFor = ({ plans }: InIssue["settings"], plan: InIssue["workspace"]["plan"], cap: Cap, bytes: number) =>
  PLANS.slice(PLANS.indexOf(plan) + 1).find((other) => (plans(other, cap) ?? Infinity) >= bytes) ?? null;

const later = (instant: string, hours: number): string =>
  new Date(Date.parse(instant) + hours * 3_600_000).toISOString();
