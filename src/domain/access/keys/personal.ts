import type { InWorkspace, WithCredential, Writing } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { lockRole } from "../identity/lock-role.ts";
import { createKey } from "./create.ts";
import { keyErrors } from "./errors.ts";
import { checkExpiry, checkGrant } from "./grant.ts";
import type { PersonalTokenInput } from "./inputs.ts";
import { listPersonal } from "./keys.sql.ts";
import { byId, end } from "./keys.ts";
import { type ApiKeyView, apiKeyView } from "./view.ts";

/** Tokens that people create for themselves in one workspace. They act as that person, within that person's role. */

/** Maximum number of tokens of one person in one workspace. */
export const MAX_TOKENS = 50;

/** The caller's own tokens, newest first. */
export async function listTokens(ctx: InWorkspace): Promise<ApiKeyView[]> {
  const rows = await listPersonal(ctx, ctx.workspace.id, ctx.principal.user_id);
  return rows.map((row) => apiKeyView(ctx, row));
}

/**
 * Creates a token. `plaintext` is returned here and stored nowhere. If the person's role changes later, calls beyond
 * the new role are rejected.
 * @throws Refusal insufficient_role, scope_exceeds_grantor, key_project_limit, validation_failed, token_limit_reached
 */
export async function createToken(
  ctx: InWorkspace & WithCredential & Writing,
  { name, scopes, expires_at = ctx.credential.expires_at }: PersonalTokenInput,
): Promise<ApiKeyView & { plaintext: string }> {
  if (ctx.principal.project_ids) refuse("key_project_limit");
  checkExpiry(ctx, expires_at);
  const role = await lockRole(ctx);
  checkGrant({ role }, ctx.credential, scopes);
  const { length } = await listPersonal(ctx, ctx.workspace.id, ctx.principal.user_id);
  if (length >= MAX_TOKENS) refuse(keyErrors.token_limit_reached, { limit: MAX_TOKENS, used: length });

  const { plaintext, view } = await createKey(ctx, {
    workspaceId: ctx.workspace.id,
    userId: ctx.principal.user_id,
    createdBy: ctx.principal.user_id,
    kind: "personal",
    name,
    scopes: [...new Set(scopes)],
    expiresAt: expires_at,
  });
  return { ...view, plaintext };
}

/** Revokes one of the caller's own tokens, regardless of their current role. It may be revoked already. @throws Refusal not_found */
export async function revokeToken(ctx: InWorkspace & Writing, id: string): Promise<void> {
  const key = (await byId(ctx, id))?.object;
  if (key?.kind !== "personal" || key.user_id !== ctx.principal.user_id) return refuse("not_found");
  await end(ctx, key, "user");
}
