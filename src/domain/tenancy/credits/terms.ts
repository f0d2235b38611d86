import type { Challenge } from "./challenges.sql.ts";
import type { Terms } from "./challenges.ts";
import { type Credential, checkEcho } from "./credential.ts";
import { digestMatches } from "./offer.ts";

/** Names of what a paid call says differently from the challenge that it pays; none: it is the call of that challenge. */
export function mismatches(terms: Terms, challenge: Challenge, { echo }: Credential): string[] {
  const differs = checkEcho(echo, challenge);
  // Clients may write the same body anew, so equal credits are enough where the bytes differ.
  if (challenge.pack === terms.pack.pack && challenge.credits === terms.pack.credits) return differs;
  const digest = challenge.digest !== null && !digestMatches(challenge.digest, terms.bodyText);
  return ["pack", ...(digest ? ["digest"] : []), ...differs];
}
