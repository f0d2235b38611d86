import type { Background } from "../../events/background.ts";
import type { InProject, Writing } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { dropObjects, expectObject, keepObject, takeBytes } from "../../kernel/files/storage.sql.ts";
import { newId } from "../../kernel/ids.ts";
import { own } from "../../kernel/own.ts";
import { StoreAway } from "../../kernel/ports/ports.ts";
import { insertAttached } from "../attachments/attachments.sql.ts";
import { recordAttachments } from "../attachments/attachments.ts";
import { attachmentCreated } from "../attachments/events.ts";
import { lockIssue } from "../issues/change.sql.ts";
import { checkAnswers } from "./answers.ts";
import type { Answers, FormRow } from "./rows.ts";
import { SentFile } from "./sent-file.ts";

/**
 * Files among answers. Their bytes are stored first, outside the transaction, and are removed unless the transaction
 * keeps them.
 */

/** A file with the key of its bytes. */
export type Stored = { file: SentFile; key: string };

const CHECK_HOURS = 2;

type InWorkspace = Background & Pick<InProject, "workspace">;

/**
 * Stores the bytes of the files among valid answers. They are removed later unless they are kept.
 * @throws Refusal validation_failed, unavailable
 */
export async function storeFiles(
  ctx: InWorkspace,
  { fields }: FormRow,
  given: Record<string, unknown>,
): Promise<Stored[]> {
  const stored: Stored[] = [];
  if (!Object.values(given).some((value) => value instanceof SentFile)) return stored;
  const answers = checkAnswers(fields, given);
  const until = new Date(Date.parse(ctx.now) + CHECK_HOURS * 3_600_000).toISOString();
  try {
    for (const id of Object.keys(answers)) {
      const file = own(given, id);
      if (!(file instanceof SentFile)) continue;
      const key = `files/${ctx.workspace.id}/${newId()}`;
      await expectObject(ctx.db, ctx.workspace.id, key, until);
      stored.push({ file, key });
      const { mime, byteSize, sha256 } = file;
      await ctx.ports.files.put({ key, mime, byteSize, sha256 }, await file.open());
    }
  } catch (error) {
    await discardFiles(ctx, stored);
    if (!(error instanceof StoreAway)) throw error;
    const message = "Files cannot be stored right now. Submit the form again in a minute, or without the file.";
    refuse("unavailable", { message, headers: { "Retry-After": "60" } });
  }
  return stored;
}

/** Removes the bytes at once. */
export async function discardFiles(ctx: InWorkspace, stored: Stored[]): Promise<void> {
  const keys = stored.map(({ key }) => key);
  if (keys.length > 0) await dropObjects(ctx.db, ctx.workspace.id, keys, ctx.now);
}

/** Attaches the files to the new issue. @throws Refusal validation_failed, unavailable */
export async function attachFiles(
  ctx: InProject & Writing,
  issueId: string,
  answers: Answers,
  stored: Stored[],
): Promise<void> {
  const fields = Object.entries(answers).flatMap(([field, answer]) => {
    const own = stored.find(({ file }) => isAnswer(answer, file));
    return own ? [{ field, ...own }] : [];
  });
  if (fields.length === 0) return;
  const issue = await lockIssue(ctx, issueId);
  const at = { ...ctx, issue };
  const rows = [];
  for (const { file, key } of fields) {
    const { id, fileName: file_name, mime, byteSize: byte_size, sha256: checksum_sha256 } = file;
    // Storing took so long that the bytes were already released for removal.
    if (!(await keepObject(ctx.db, ctx.workspace.id, key))) refuse("unavailable", { headers: { "Retry-After": "1" } });
    rows.push(await insertAttached(at, { id, file_name, mime, byte_size, checksum_sha256, object_key: key }));
  }
  await recordAttachments(at, attachmentCreated, issue, rows);
  const bytes = fields.reduce((sum, { file }) => sum + file.byteSize, 0);
  const cap = ctx.settings.plans(ctx.workspace.plan, "storage_bytes");
  if (await takeBytes(ctx.db, ctx.workspace.id, bytes, cap)) return;
  const message =
    "cannot be stored because the workspace has no storage left. Remove it, or tell the people who run this form";
  refuse("validation_failed", {
    message: "The workspace has no storage left for files.",
    errors: fields.map(({ field }) => ({ path: `/answers/${field}`, code: "too_large", message })),
  });
}

const isAnswer = (answer: unknown, { id }: SentFile): boolean =>
  (answer as { attachment_id?: string } | null)?.attachment_id === id;
