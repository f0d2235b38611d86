import type { InWorkspace } from "../context.ts";
import { refuse, refuseField } from "../errors.ts";
import { beyond, expand, grantsBilling } from "../identity/scopes.ts";
import type { Caller } from "../rows.ts";
import type { ApiKeyEntity } from "./entities.ts";

/**
 * A key hands on no more than its user's role holds, and no more than it holds itself.
 * @throws Refusal scope_exceeds_grantor
 */
export function checkGrant({ role, scopes: held }: Caller, wanted: readonly string[]): void {
  const own = expand(held);
  const lacking = wanted.filter((scope) => ![...expand([scope])].every((fine) => own.has(fine)));
  const billing = grantsBilling(wanted) && !grantsBilling(held) ? ["admin"] : [];
  const excess = [...new Set([...(role ? beyond(role, wanted) : wanted), ...lacking, ...billing])];
  if (excess.length > 0) refuse("scope_exceeds_grantor", { scopes: excess, granted: held });
}

/**
 * Another key is changed or revoked only by one that holds as much: its projects and its scopes.
 * @throws Refusal key_project_limit, scope_exceeds_grantor
 */
export function checkHolds(caller: Caller, key: ApiKeyEntity): void {
  if (key.id === caller.key_id) return;
  const own = caller.project_ids;
  if (own && !key.project_ids?.every((id) => own.includes(id))) refuse("key_project_limit");
  checkGrant(caller, key.scopes);
}

/**
 * When a key is to expire that another one makes or changes, itself perhaps: not after the one that asks.
 * @throws Refusal validation_failed, scope_exceeds_grantor
 */
export function checkExpiry({ now, caller }: InWorkspace, expiresAt: string | null): void {
  if (expiresAt !== null && expiresAt <= now) refuseField("/expires_at", "not_allowed", "must be in the future");
  const own = caller.key_expires_at;
  if (own === null || (expiresAt !== null && expiresAt <= own)) return;
  refuse("scope_exceeds_grantor", {
    message: "The calling key expires, so that no key it makes or changes may live longer.",
    path: "/expires_at",
    expires_at: own,
  });
}
