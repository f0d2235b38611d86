import type { Background } from "../../events/background.ts";
import { maintainPartitions } from "../../events/partitions.sql.ts";
import { PLANS } from "../../kernel/plans.ts";
import { emptyPart } from "../../kernel/replies/parts.sql.ts";
import { freeArchivedFiles } from "../files/collect.ts";
import { deleteReplays } from "../webhooks/replay.sql.ts";
import {
  deleteAgentFrames,
  deleteDeliveries,
  deleteDigestLinks,
  deleteExcessNotifications,
  deleteFormGuesses,
  deleteIdempotency,
  deleteInvites,
  deleteKeyUsage,
  deleteMails,
  deleteNotices,
  deleteNotifications,
  deleteOAuthRecords,
  deleteRevokedKeys,
  deleteRuns,
  deleteRunsOfDeleted,
  deleteSessions,
  deleteSignIns,
  deleteUnapprovedClients,
  deleteUsage,
  deleteUsageOfRevokedKeys,
  deleteWakes,
  endLapsedGrants,
} from "./clean-up.sql.ts";

const IDEMPOTENCY_DAYS = 1;
/** An hour longer than agents can ask for frames. */
const FRAME_DAYS = 25 / 24;
const REVOKED_KEY_DAYS = 90;
const ENDED_INVITE_DAYS = 30;
// The processor repeats a notice for three days, and on request for thirty. A later repeat would be harmless.
const NOTICE_DAYS = 31;

// Sign-in limits cover the last day.
const SIGN_IN_DAYS = 1;
// Networks that have entered a form's password correctly are trusted for this long.
const FORM_GUESS_DAYS = 30;
const MAIL_DAYS = 30;
const REPLAY_DAYS = 30;
const NOTIFICATION_DAYS = 365;
const READ_NOTIFICATION_DAYS = 90;
/** Of one person in one workspace. */
const MAX_NOTIFICATIONS = 5_000;
const DIGEST_LINK_DAYS = 90;
const UNAPPROVED_CLIENT_DAYS = 30;
const RUN_DAYS = 90;
/** After the automation was deleted. */
const DELETED_AUTOMATION_DAYS = 30;
// A wake continues a chain of causes for a day.
const WAKE_DAYS = 7;

/**
 * Deletes expired rows and creates the event partitions of the coming months. It may run at any time. Returns how many
 * rows of each kind were deleted.
 */
export async function cleanUp(ctx: Background) {
  const { db, settings } = ctx;
  const before = (days: number) => new Date(Date.parse(ctx.now) - days * 86_400_000).toISOString();

  let deliveries = 0;
  for (const plan of PLANS) {
    const days = settings.plans(plan, "delivery_history_days");
    if (days !== null) deliveries += await deleteDeliveries(db, plan, before(days));
  }
  const replays = await deleteReplays(db, before(REPLAY_DAYS));
  const idempotency = await deleteIdempotency(db, before(IDEMPOTENCY_DAYS));
  const replyTables = await emptyPart(ctx.database, ctx.now);
  const usageOfKeys = await deleteUsageOfRevokedKeys(db, before(REVOKED_KEY_DAYS));
  const keys = await deleteRevokedKeys(db, before(REVOKED_KEY_DAYS));
  const notices = await deleteNotices(db, before(NOTICE_DAYS));
  const invites = await deleteInvites(db, before(ENDED_INVITE_DAYS));
  const sessions = await deleteSessions(db, ctx.now);
  const signIns = await deleteSignIns(db, before(SIGN_IN_DAYS));
  const formGuesses = await deleteFormGuesses(db, before(FORM_GUESS_DAYS));
  const mails = await deleteMails(db, before(MAIL_DAYS));
  const notifications =
    (await deleteNotifications(db, before(READ_NOTIFICATION_DAYS), before(NOTIFICATION_DAYS))) +
    (await deleteExcessNotifications(db, before(1), MAX_NOTIFICATIONS));
  const digestLinks = await deleteDigestLinks(db, before(DIGEST_LINK_DAYS));
  const automationRuns =
    (await deleteRuns(db, before(RUN_DAYS))) +
    (await deleteRunsOfDeleted(db, before(DELETED_AUTOMATION_DAYS), before(DELETED_AUTOMATION_DAYS + RUN_DAYS)));
  const wakes = await deleteWakes(db, before(WAKE_DAYS));
  const frames = await deleteAgentFrames(db, before(FRAME_DAYS));
  const usage = await deleteUsage(db, before(settings.usageRetentionDays));
  const keyUsage = usageOfKeys + (await deleteKeyUsage(db, before(settings.keyUsageRetentionDays)));
  const oauth = {
    records: await deleteOAuthRecords(db, ctx.now),
    clients: await deleteUnapprovedClients(db, before(UNAPPROVED_CLIENT_DAYS)),
    grants: await endLapsedGrants(db, ctx.now, before(1)),
  };
  const today = new Date(ctx.now);
  const { dropped } = await maintainPartitions(db, "event", today, settings.eventRetentionDays);
  const audit = await maintainPartitions(db, "audit_entry", today, settings.auditRetentionDays);
  // Last, because the object store may be unavailable.
  const files = await freeArchivedFiles(ctx);
  return {
    deliveries,
    replays,
    idempotency,
    reply_tables: replyTables,
    keys,
    notices,
    invites,
    sessions,
    sign_ins: signIns,
    form_guesses: formGuesses,
    mails,
    notifications,
    digest_links: digestLinks,
    automation_runs: automationRuns,
    wakes,
    usage,
    key_usage: keyUsage,
    agent_frames: frames,
    oauth,
    files,
    partitions: dropped.length + audit.dropped.length,
  };
}
