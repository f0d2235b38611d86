import { refuse } from "../errors.ts";
import { beyond, expand, grantsBilling } from "../identity/scopes.ts";
import type { Caller } from "../rows.ts";

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
