import type { InWorkspace, WithCredential } from "../../kernel/context.ts";
import { counted } from "../../kernel/counted.ts";
import { refuse, refuseField } from "../../kernel/errors.ts";
import type { Credential, Principal } from "../../kernel/principal.ts";
import { excessScopes, expand, grantsBilling } from "../identity/scopes.ts";
import type { ApiKeyEntity } from "./entities.ts";
import { keyErrors } from "./errors.ts";

/** Rejects scopes that the user's role or the calling key does not have. @throws Refusal scope_exceeds_grantor */
export function checkGrant(
  { role }: Pick<Principal, "role">,
  { scopes: held }: Credential,
  wanted: readonly string[],
): void {
  const own = expand(held);
  const lacking = wanted.filter((scope) => ![...expand([scope])].every((fine) => own.has(fine)));
  const billing = grantsBilling(wanted) && !grantsBilling(held) ? ["admin"] : [];
  const excess = [...new Set([...(role ? excessScopes(role, wanted) : wanted), ...lacking, ...billing])];
  if (excess.length > 0) refuse(keyErrors.scope_exceeds_grantor, { scopes: excess, granted: held });
}

/** Changing or revoking another key requires all of its scopes. @throws Refusal scope_exceeds_grantor */
export function checkMayManageKey({ principal, credential }: InWorkspace & WithCredential, key: ApiKeyEntity): void {
  if (key.id === credential.id) return;
  checkGrant(principal, credential, key.scopes);
}

/**
 * Checks the expiry of a key that the calling key creates or changes (possibly itself): it must not be later than
 * that of the calling key.
 * @throws Refusal validation_failed, scope_exceeds_grantor
 */
export function checkExpiry({ now, credential }: InWorkspace & WithCredential, expiresAt: string | null): void {
  if (expiresAt !== null && expiresAt <= now) refuseField("/expires_at", "not_allowed", "must be in the future");
  const own = credential.expires_at;
  if (own === null || (expiresAt !== null && expiresAt <= own)) return;
  refuse(keyErrors.scope_exceeds_grantor, {
    message: "The calling key expires, so keys that it creates or changes must not expire later.",
    path: "/expires_at",
    expires_at: own,
  });
}

/**
 * The rate limit of a new key, in requests per minute. Null means the installation's default. A calling key with its
 * own limit cannot grant a higher one. A person in a browser, and a key without its own limit, can grant any.
 * @throws Refusal scope_exceeds_grantor
 */
export function rateLimitOf(
  { credential, settings }: InWorkspace & WithCredential,
  wanted: number | null | undefined,
): number | null {
  const own = credential.rate_limit_per_minute;
  if (own === null) return wanted ?? null;
  const inherited = own < settings.rateLimitPerMinute ? own : null;
  const given = wanted === undefined ? inherited : wanted;
  if ((given ?? settings.rateLimitPerMinute) > own) refuseRate(own);
  return given;
}

/**
 * Any key's limit may be lowered. Another key's limit cannot be raised above that of the calling key, and no key can
 * raise its own.
 * @throws Refusal scope_exceeds_grantor
 */
export function checkRateChange(
  { credential, settings }: InWorkspace & WithCredential,
  key: ApiKeyEntity,
  wanted: number | null,
): void {
  const effective = (limit: number | null | undefined) => limit ?? settings.rateLimitPerMinute;
  if (effective(wanted) <= effective(key.rate_limit_per_minute)) return;
  const own = credential.rate_limit_per_minute;
  if (key.id === credential.id) refuseRate(effective(own));
  if (own !== null && effective(wanted) > own) refuseRate(own);
}

function refuseRate(limit: number): never {
  refuse(keyErrors.scope_exceeds_grantor, {
    message: `The calling key may make ${counted(limit, "request")} per minute, so keys that it creates or changes cannot have a higher limit.`,
    path: "/rate_limit_per_minute",
    limit,
  });
}
