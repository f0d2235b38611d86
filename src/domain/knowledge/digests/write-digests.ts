import { randomBytes } from "node:crypto";
import { actFor } from "../../access/identity/act-as.ts";
import { BY_PERSON } from "../../access/identity/set-up-by.ts";
import { type Background, write } from "../../events/background.ts";
import { writeMail } from "../../events/mail/mail.ts";
import { firstIdAt } from "../../kernel/ids.ts";
import { workOn } from "../../kernel/leases.ts";
import { hashSecret } from "../../kernel/secrets.ts";
import { unreadBetween } from "../notifications/notifications.sql.ts";
import { COUNTED, digestMail } from "./digest-mail.ts";
import {
  advance,
  type DueDigest,
  digests,
  digestWritten,
  lockClaimed,
  type Range,
  workspacesWithNews,
} from "./digests.sql.ts";
import { insertLink } from "./setting.sql.ts";

const BATCH = 100;
const AT_ONCE = 4;

/** After this time there are newer digests. */
const USEFUL_MS = 2 * 86_400_000;

/** Writes the digests that are due. Returns how many mails were written. */
export async function writeDigests(base: Background, processId: string, stopping: AbortSignal): Promise<number> {
  let mails = 0;
  const onError = ({ user_id }: DueDigest, error: unknown) =>
    base.log.warn({ err: error, user_id }, "a digest could not be written yet");
  for (let claimed = BATCH; claimed === BATCH && !stopping.aborted; ) {
    const due = await digests.claimDue(base.database, BATCH, processId);
    claimed = due.length;
    await workOn(due, { atOnce: AT_ONCE, stopping, onError }, async (digest) => {
      mails += await writeAll(base, digest);
    });
  }
  return mails;
}

/**
 * Writes a person's digest in each of their workspaces. Each workspace has its own transaction, which stores up to where
 * the notifications were mailed. So if a worker dies in between, the next one writes only what is missing.
 */
async function writeAll(base: Background, digest: DueDigest): Promise<number> {
  const { user_id, since, slot_at } = digest;
  const range: Range = [firstIdAt(new Date(since)), firstIdAt(new Date(slot_at))];
  let mails = 0;
  for (const workspaceId of await workspacesWithNews(base.database, user_id, range)) {
    const wrote = await write(base, workspaceId, (ctx) => writeOne(ctx, digest, workspaceId, range));
    if (wrote === "stop") return mails;
    mails += Number(wrote);
  }
  await digestWritten(base.database, [digest]);
  return mails;
}

/** Returns whether there was something to write; `stop` if the digest is no longer this worker's to write. */
async function writeOne(
  base: Background,
  digest: DueDigest,
  workspaceId: string,
  range: Range,
): Promise<boolean | "stop"> {
  const { user_id: userId, frequency } = digest;
  if (!(await lockClaimed(base.db, digest))) return "stop";
  const ctx = await actFor(base, { workspaceId, userId, by: BY_PERSON, cause: {} });
  const email = typeof ctx === "string" ? null : ctx.principal.user_email;
  if (typeof ctx === "string" || !email) return false;
  const unsent = await advance(ctx.db, userId, workspaceId, range);
  const rows = await unreadBetween(ctx, unsent, COUNTED + 1);
  if (rows.length === 0) return false;
  const token = randomBytes(32).toString("base64url");
  await insertLink(ctx.db, hashSecret(token), userId, ctx.now);
  await writeMail(ctx, {
    kind: "digest",
    workspaceId,
    to: email,
    content: digestMail(ctx, { rows, frequency, token }),
    expiresAt: new Date(Date.parse(ctx.now) + USEFUL_MS).toISOString(),
  });
  return true;
}
