import { asNew, audit, changesBetween } from "../../events/audit/audit.ts";
import { withoutPath } from "../../events/audit/shown-value.ts";
import type { AuditChanges } from "../../kernel/audit-entry.ts";
import { type Found, limitedTo } from "../../kernel/belongs.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { changesTo, isSame } from "../../kernel/difference.ts";
import { refuse, refuseField } from "../../kernel/errors.ts";
import { newId, readId } from "../../kernel/ids.ts";
import { lockEntity } from "../../kernel/locks.sql.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import { enforcePlanLimit } from "../../kernel/plan-limit.ts";
import { readProjectLimit } from "../../kernel/project-limit.ts";
import { newWebhookSecret } from "../../kernel/secrets.ts";
import { checkTarget } from "../../kernel/webhook-target.ts";
import { skipDeliveries } from "./deliveries.sql.ts";
import { WebhookEntity } from "./entities.ts";
import { webhookCreated, webhookDeleted, webhookSecretRotated, webhookUpdated } from "./events.ts";
import { keepsStored, maskHeaders, openHeaders, sealHeaders, unmaskHeaders } from "./headers.ts";
import type { WebhookCreateInput, WebhookPatchInput } from "./inputs.ts";
import { type WebhookView, webhookView } from "./view.ts";
import { countWebhooks, findWebhook, listWebhooks, type Reach } from "./webhooks.sql.ts";

/** Newest first. */
export async function listPage(ctx: InWorkspace, paging: Paging) {
  const rows = await listWebhooks(ctx.db, reachOf(ctx), paging.after, paging.limit + 1);
  const page = pageOf(rows, paging, (row) => [row.created_at, row.id]);
  return { rows: page.rows.map((row) => webhookView(ctx, row)), next_cursor: page.next_cursor };
}

export async function read(ctx: InWorkspace, text: string): Promise<Found<WebhookView> | null> {
  const id = readId(text);
  const row = id && (await findWebhook(ctx.db, ctx.workspace.id, id));
  return limitedTo(row && webhookView(ctx, row));
}

/** @throws Refusal invalid_url, validation_failed, invalid_reference, key_project_limit, plan_limit_reached */
export async function create(ctx: InWorkspace & Writing, input: WebhookCreateInput, by: DefinedBy) {
  const url = readUrl(ctx, input.url);
  const project_ids = await readProjectLimit(ctx, input.project_ids);
  await enforcePlanLimit(ctx, "webhooks", async () => (await countWebhooks(ctx.tx, ctx.workspace.id)).all);

  const { secret, ...stored } = newSecret(ctx);
  const hook = ctx.em.create(WebhookEntity, {
    ...stored,
    id: newId(),
    workspace_id: ctx.workspace.id,
    url,
    url_set_by: ctx.principal.user_id,
    event_types: input.event_types,
    project_ids,
    description: input.description || null,
    headers: sealHeaders(ctx, unmaskHeaders(input.headers ?? {}, {})),
    probing: false,
    consecutive_failures: 0,
    ...(input.enabled ? {} : byUser(ctx)),
    created_by: ctx.principal.user_id,
    ...by,
    created_at: ctx.now,
    updated_at: ctx.now,
  });
  await ctx.em.flush();
  const view = await viewOf(ctx, hook);
  audit(ctx, webhookCreated, targetOf(view), asNew(view, AUDITED));
  return { ...view, secret };
}

/** Changes a webhook. Enabling resets its failures and sends one message first, as a test. @throws Refusal as for create */
export async function change(ctx: InWorkspace & Writing, hook: WebhookEntity, input: WebhookPatchInput, by: DefinedBy) {
  const wanted = {
    ...(input.url === undefined ? {} : { url: readUrl(ctx, input.url) }),
    ...(input.event_types === undefined ? {} : { event_types: input.event_types }),
    ...(input.project_ids === undefined ? {} : { project_ids: await readProjectLimit(ctx, input.project_ids) }),
    ...(input.description === undefined ? {} : { description: input.description || null }),
    ...otherHeaders(ctx, hook, input),
    ...(await switched(ctx, hook, input.enabled)),
  };
  const before = await viewOf(ctx, hook);
  const hasEnded = before.disabled_reason === "credential_ended";
  // To enable a webhook defines it for a key, because it might get more than the key may read.
  const takes =
    redefines(hook, wanted) || (input.enabled === true && (by.key_id !== null || hasEnded) && !before.enabled);
  const taken = takes ? by : {};
  const changes = changesTo(hook, { ...wanted, ...taken });
  if (Object.keys(changes).length === 0) return before;
  const moved = changes.url === undefined ? {} : { url_set_by: ctx.principal.user_id };
  Object.assign(hook, changes, moved, { updated_at: ctx.now });
  await ctx.em.flush();
  const after = await viewOf(ctx, hook);
  // Values of headers are masked, so headers with other values look the same.
  const masked: AuditChanges = changes.headers === undefined ? {} : { headers: [before.headers, after.headers] };
  audit(ctx, webhookUpdated, targetOf(after), { ...changesBetween(before, after, AUDITED), ...masked });
  return after;
}

/** The credential of the caller who defines a webhook, with all scopes that it includes. */
export type DefinedBy = { key_id: string | null; key_scopes: string[] | null };

const redefines = (hook: WebhookEntity, wanted: Partial<WebhookEntity>): boolean =>
  ["url", "event_types", "project_ids", "headers"].some((name) => name in changesTo(hook, wanted));

/** Deletes a webhook. Its waiting messages are not sent any more. */
export async function remove(ctx: InWorkspace & Writing, hook: WebhookEntity) {
  Object.assign(hook, { deleted_at: ctx.now, updated_at: ctx.now });
  await ctx.em.flush();
  audit(ctx, webhookDeleted, targetOf(hook), { url: [hook.url, null], event_types: [hook.event_types, null] });
  await skipDeliveries(ctx.tx, ctx.workspace.id, hook.id);
  return { id: hook.id, deleted: true };
}

/**
 * A replaced secret signs until its own grace period ends, even if the secret is rotated again. At most three secrets
 * sign. If there are more, the earlier ones with the shorter grace periods are dropped.
 * @param graceSeconds how long the present secret continues to sign; 0 if it stops at once
 */
export async function rotateSecret(ctx: InWorkspace & Writing, hook: WebhookEntity, graceSeconds: number) {
  const { secret, ...stored } = newSecret(ctx);
  const graceEnds = new Date(Date.parse(ctx.now) + graceSeconds * 1000).toISOString();
  const older = longestLasting(ctx, hook);
  Object.assign(hook, {
    previous_secret_sealed: graceSeconds > 0 ? hook.secret_sealed : null,
    previous_secret_expires_at: graceSeconds > 0 ? graceEnds : null,
    older_secret_sealed: older?.sealed ?? null,
    older_secret_expires_at: older?.until ?? null,
    ...stored,
    secret_rotated_at: ctx.now,
    updated_at: ctx.now,
  });
  await ctx.em.flush();
  const view = await viewOf(ctx, hook);
  const until = view.previous_secret_expires_at;
  audit(ctx, webhookSecretRotated, targetOf(view), { previous_secret_expires_at: [null, until] });
  return { ...view, secret };
}

/** The replaced secret that still signs and whose grace period ends last. */
function longestLasting({ now }: InWorkspace, hook: WebhookEntity): { sealed: string; until: string } | null {
  const replaced = [
    { sealed: hook.previous_secret_sealed, until: hook.previous_secret_expires_at },
    { sealed: hook.older_secret_sealed, until: hook.older_secret_expires_at },
  ];
  const [longest] = replaced
    .flatMap(({ sealed, until }) => (sealed && until && until > now ? [{ sealed, until }] : []))
    .sort((a, b) => (a.until < b.until ? 1 : -1));
  return longest ?? null;
}

/** Locks a webhook of the workspace and returns it. */
export async function byId(ctx: InWorkspace & Writing, text: string): Promise<Found<WebhookEntity> | null> {
  const id = readId(text);
  return limitedTo(id && (await lockEntity(ctx, WebhookEntity, { id, deleted_at: null })));
}

const reachOf = ({ workspace, principal }: InWorkspace): Reach => ({
  workspaceId: workspace.id,
  projectIds: principal.project_ids,
});

function readUrl({ settings }: InWorkspace, text: string): string {
  const target = checkTarget(text, { allowLoopback: settings.webhookAllowLoopback });
  if ("problem" in target) refuse("invalid_url", { message: `url ${target.problem}.`, path: "/url" });
  return text;
}

function newSecret({ ports }: InWorkspace) {
  const secret = newWebhookSecret();
  return { secret, secret_sealed: ports.sealer.seal(secret), secret_prefix: secret.slice(0, 11) };
}

const byUser = ({ now }: InWorkspace) => ({ disabled_at: now, disabled_reason: "user" as const });

/**
 * Stored header values are meant for one receiver. So a body with a new URL must send the values themselves, or none.
 * Sealing the same value twice gives different texts, so this compares the opened values.
 * @throws Refusal validation_failed
 */
function otherHeaders(ctx: InWorkspace, hook: WebhookEntity, { url, headers }: WebhookPatchInput) {
  const stored = openHeaders(ctx, hook.headers);
  const moves = url !== undefined && url !== hook.url;
  if (moves && keepsStored(headers === undefined ? maskHeaders(stored) : (headers ?? {}))) {
    refuseField("/headers", "required", "must be sent with a new url: every header with its value, or {} for none");
  }
  if (headers === undefined) return {};
  const wanted = unmaskHeaders(headers ?? {}, stored);
  return isSame(wanted, stored) ? {} : { headers: sealHeaders(ctx, wanted) };
}

async function switched(ctx: InWorkspace & Writing, hook: WebhookEntity, enabled: boolean | undefined) {
  const { disabled_at, failing_since } = hook;
  if (enabled === undefined || (!enabled && disabled_at) || (enabled && !disabled_at && !failing_since)) return {};
  if (!enabled) return byUser(ctx);
  if (disabled_at)
    await enforcePlanLimit(ctx, "webhooks", async () => (await countWebhooks(ctx.tx, ctx.workspace.id)).enabled);
  return {
    disabled_at: null,
    disabled_reason: null,
    probing: true,
    consecutive_failures: 0,
    failing_since: null,
    failing_notified_at: null,
  };
}

/** The fields that people set. */
const AUDITED = ["url", "event_types", "project_ids", "description", "headers", "enabled", "disabled_reason"] as const;

/** A webhook in the audit log. */
export const targetOf = ({ id, url, description }: Pick<WebhookEntity, "id" | "url" | "description">) => ({
  id,
  name: description ?? withoutPath(url),
});

const viewOf = async (ctx: InWorkspace, { id }: WebhookEntity) =>
  webhookView(ctx, (await findWebhook(ctx.db, ctx.workspace.id, id))!);
