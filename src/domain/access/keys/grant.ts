import type { InWorkspace, WithCredential } from "../../kernel/context.ts";
import { refuse, refuseField } from "../../kernel/errors.ts";
import type { Credential, Principal } from "../../kernel/principal.ts";
import { beyond, expand, grantsBilling } from "../identity/scopes.ts";
import type { ApiKeyEntity } from "./entities.ts";
import { keyErrors } from "./errors.ts";

/**
 * A key hands on no more than its user's role holds, and no more than it holds itself.
 * @throws Refusal scope_exceeds_grantor
 */
export function checkGrant(
  { role }: Pick<Principal, "role">,
  { scopes: held }: Credential,
  wanted: readonly string[],
): void {
  const own = expand(held);
  const lacking = wanted.filter((scope) => ![...expand([scope])].every((fine) => own.has(fine)));
  const billing = grantsBilling(wanted) && !grantsBilling(held) ? ["admin"] : [];
  const excess = [...new Set([...(role ? beyond(role, wanted) : wanted), ...lacking, ...billing])];
  if (excess.length > 0) refuse(keyErrors.scope_exceeds_grantor, { scopes: excess, granted: held });
}

/**
 * Another key is changed or revoked only by one that holds all of its scopes.
 * @throws Refusal scope_exceeds_grantor
 */
export function checkHolds({ principal, credential }: InWorkspace & WithCredential, key: ApiKeyEntity): void {
  if (key.id === credential.id) return;
  checkGrant(principal, credential, key.scopes);
}

/**
 * When a key is to expire that another one makes or changes, itself perhaps: not after the one that asks.
 * @throws Refusal validation_failed, scope_exceeds_grantor
 */
export function checkExpiry({ now, credential }: InWorkspace & WithCredential, expiresAt: string | null): void {
  if (expiresAt !== null && expiresAt <= now) refuseField("/expires_at", "not_allowed", "must be in the future");
  const own = credential.expires_at;
  if (own === null || (expiresAt !== null && expiresAt <= own)) return;
  refuse(keyErrors.scope_exceeds_grantor, {
    message: "The calling key expires, so that no key it makes or changes may live longer.",
    path: "/expires_at",
    expires_at: own,
  });
}

/**
 * The rate limit of a new key, in requests a minute; null is the installation's default. A key with a limit of its own
 * gives none above it. A person in their browser, and a key without a limit of its own, may give any.
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
 * Any key may be slowed down. Another one is not made faster than the calling key may be, and none makes itself faster.
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
    message: `The calling key may make ${limit} requests a minute; no key that it makes or changes may make more.`,
    path: "/rate_limit_per_minute",
    limit,
  });
}
