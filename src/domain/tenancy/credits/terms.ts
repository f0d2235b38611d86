import type { Challenge } from "./challenges.sql.ts";
import type { Terms } from "./challenges.ts";
import { type Credential, checkEcho } from "./credential.ts";
import { digestMatches } from "./offer.ts";

/** Returns the names of what differs between a paid call and its challenge. Empty if the call matches. */
export function mismatches(terms: Terms, challenge: Challenge, { echo }: Credential): string[] {
  const differs = checkEcho(echo, challenge);
  // Clients may serialise the same body differently, so equal credits are enough if the bytes differ.
  if (challenge.pack === terms.pack.pack && challenge.credits === terms.pack.credits) return differs;
  const digest = challenge.digest !== null && !digestMatches(challenge.digest, terms.bodyText);
  return ["pack", ...(digest ? ["digest"] : []), ...differs];
}
