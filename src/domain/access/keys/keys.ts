import { audit, changesFrom } from "../../events/audit/audit.ts";
import { record } from "../../events/record.ts";
import { type Found, limitedTo } from "../../kernel/belongs.ts";
import type { InWorkspace, WithCredential, Writing } from "../../kernel/context.ts";
import { changesTo } from "../../kernel/difference.ts";
import { refuse, refuseField } from "../../kernel/errors.ts";
import { readId } from "../../kernel/ids.ts";
import { lockEntity, lockWorkspace } from "../../kernel/locks.sql.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import { readProjectLimit } from "../../kernel/project-limit.ts";
import { isAdmin } from "../../kernel/roles.ts";
import { credentialAdded, credentialsEnded } from "../agents/lifecycle.ts";
import { accessChanged } from "../identity/access-changed.ts";
import { lockRole } from "../identity/lock-role.ts";
import { deleteGrantRecords } from "../oauth/delete-grant-records.ts";
import { actorOf, checkAgentLimit } from "./agent.ts";
import { createKey } from "./create.ts";
import { ApiKeyEntity } from "./entities.ts";
import { apiKeyRevoked, apiKeyUpdated } from "./events.ts";
import { checkExpiry, checkGrant, checkMayManageKey, checkRateChange, rateLimitOf } from "./grant.ts";
import type { ApiKeyCreateInput, ApiKeyPatchInput } from "./inputs.ts";
import { findKey, listKeys } from "./keys.sql.ts";
import { mailKeyCreators } from "./revoked-mail.ts";
import { type ApiKeyView, apiKeyView } from "./view.ts";

/**
 * Newest first. Revoked keys stay listed for 90 days. A key limited to projects sees only keys limited to some of the
 * same projects.
 */
export async function listPage(ctx: InWorkspace, paging: Paging) {
  const rows = await listKeys(ctx, ctx.workspace.id, {
    within: ctx.principal.project_ids,
    after: paging.after,
    limit: paging.limit + 1,
  });
  const page = pageOf(rows, paging, (row) => [row.created_at, row.id]);
  return { rows: page.rows.map((row) => apiKeyView(ctx, row)), next_cursor: page.next_cursor };
}

export async function read(ctx: InWorkspace, text: string): Promise<Found<ApiKeyView> | null> {
  const id = readId(text);
  const row = id && (await findKey(ctx, ctx.workspace.id, id));
  return limitedTo(row && apiKeyView(ctx, row));
}

/**
 * Creates a key for the caller or for an agent. It expires with the calling key unless an earlier time is given, and
 * its rate limit is not higher than that of the calling key.
 * @throws Refusal insufficient_role, scope_exceeds_grantor, key_project_limit, invalid_reference, plan_limit_reached
 */
export async function create(ctx: InWorkspace & WithCredential & Writing, input: ApiKeyCreateInput) {
  const scopes = [...new Set(input.scopes)];
  const role = await lockRole(ctx);
  if (!isAdmin(role)) refuse("insufficient_role", { role, required_role: "admin" });
  checkGrant({ role }, ctx.credential, scopes);
  const { expires_at: expiresAt = ctx.credential.expires_at } = input;
  checkExpiry(ctx, expiresAt);
  const projectIds = await readProjectLimit(ctx, input.project_ids);
  const { kind, userId } = await actorOf(ctx, input);

  const { plaintext, view } = await createKey(ctx, {
    workspaceId: ctx.workspace.id,
    userId,
    createdBy: ctx.principal.user_id,
    kind,
    name: input.name,
    scopes,
    projectIds,
    rateLimitPerMinute: rateLimitOf(ctx, input.rate_limit_per_minute),
    expiresAt,
  });
  if (kind === "agent") await credentialAdded(ctx, ctx.workspace.id, userId);
  return { ...view, plaintext };
}

/**
 * Changes a key. Every call reads its key, so the change takes effect with the next call, and open streams end with the
 * key. More time for an agent's expired
 * key brings the agent back.
 * @throws Refusal validation_failed, invalid_state_change, scope_exceeds_grantor, not_owner_of_resource,
 *   plan_limit_reached
 */
export async function change(ctx: InWorkspace & WithCredential & Writing, key: ApiKeyEntity, input: ApiKeyPatchInput) {
  checkMayManageKey(ctx, key);
  checkOwn(ctx, key, input);
  if (input.expires_at !== undefined) {
    checkExpiry(ctx, input.expires_at);
    checkGrantExpiry(key, input.expires_at);
  }
  if (input.rate_limit_per_minute !== undefined) checkRateChange(ctx, key, input.rate_limit_per_minute);
  if (key.revoked_at) {
    refuse("invalid_state_change", { message: "A revoked key cannot be changed.", from: "revoked", allowed: [] });
  }
  const revives = key.kind === "agent" && hasExpired(ctx, key) && input.expires_at !== undefined;
  if (revives) await checkAgentLimit(ctx, key.user_id);
  const changes = changesTo(key, input);
  if (Object.keys(changes).length > 0) {
    audit(ctx, apiKeyUpdated, key, changesFrom(key, changes));
    ctx.em.assign(key, { ...changes, updated_at: ctx.now });
  }
  await ctx.em.flush();
  if (changes.expires_at !== undefined) accessChanged(ctx, ctx.workspace.id, key.user_id);
  if (revives) await credentialAdded(ctx, ctx.workspace.id, key.user_id);
  return viewOf(ctx, key.id);
}

/**
 * Revokes a key for good. Its next call is rejected. A repeated call changes nothing and gets the same reply.
 * @throws Refusal scope_exceeds_grantor
 */
export async function revoke(ctx: InWorkspace & WithCredential & Writing, key: ApiKeyEntity, reason = "user") {
  checkMayManageKey(ctx, key);
  return end(ctx, key, reason);
}

/** Revokes a key, unless it is revoked already, and mails its creator. The caller has checked the permission. */
export async function end(ctx: InWorkspace & Writing, key: ApiKeyEntity, reason: string) {
  const reply = { id: key.id, revoked: true };
  if (key.revoked_at) return reply;
  ctx.em.assign(key, { revoked_at: ctx.now, revoke_reason: reason, updated_at: ctx.now });
  await ctx.em.flush();
  accessChanged(ctx, ctx.workspace.id, key.user_id);
  if (key.kind === "oauth") await deleteGrantRecords(ctx, [key]);
  await credentialsEnded(ctx, ctx.workspace.id, [key.user_id]);
  record(ctx, apiKeyRevoked, await viewOf(ctx, key.id));
  await mailKeyCreators(ctx, ctx.workspace.id, [key], reason);
  return reply;
}

/** As `byId`, for a change that may bring an agent back: the workspace, with its limit on agents, is locked first. */
export async function forChange(ctx: InWorkspace & Writing, text: string): Promise<Found<ApiKeyEntity> | null> {
  await lockWorkspace(ctx, ctx.workspace.id);
  return byId(ctx, text);
}

const hasExpired = ({ now }: InWorkspace, { expires_at: until }: ApiKeyEntity) => until !== null && until <= now;

/** Loads and locks a key of the workspace. */
export async function byId(ctx: InWorkspace & Writing, text: string): Promise<Found<ApiKeyEntity> | null> {
  const id = readId(text);
  return limitedTo(id && (await lockEntity(ctx, ApiKeyEntity, { id })));
}

/** Only its owner can rename a personal token or change its expiry. Others may lower its rate limit or revoke it. */
function checkOwn({ principal }: InWorkspace, key: ApiKeyEntity, { name, expires_at }: ApiKeyPatchInput) {
  if (key.kind !== "personal" || key.user_id === principal.user_id) return;
  if (name === undefined && expires_at === undefined) return;
  refuse("not_owner_of_resource", { message: "Only its owner can change a personal token's name or expiry." });
}

/**
 * A grant's expiry cannot be extended, so that the person is asked for approval again.
 * @throws Refusal validation_failed
 */
function checkGrantExpiry({ kind, expires_at: until }: ApiKeyEntity, wanted: string | null) {
  if (kind !== "oauth" || !until || (wanted !== null && wanted <= until)) return;
  refuseField("/expires_at", "not_allowed", `must not be later than ${until}, until when it was approved`);
}

const viewOf = async (ctx: InWorkspace, id: string) => apiKeyView(ctx, (await findKey(ctx, ctx.workspace.id, id))!);
