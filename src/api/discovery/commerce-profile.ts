import type { Jwk } from "../../domain/kernel/ports/receipt-keys.ts";
import type { Json } from "../openapi/schemas.ts";

const UCP_VERSION = "2026-04-08";
const SERVICE_VERSION = "2026-11-01";

/**
 * The commerce profile at `/.well-known/ucp` (Universal Commerce Protocol). The keys stand in three places: `signing_keys`
 * is this version's, `keys` the next one's, and some readers look inside `ucp`.
 */
export function commerceProfile(baseUrl: string, keys: readonly Jwk[]): Json {
  const credits = {
    version: SERVICE_VERSION,
    transport: "rest",
    endpoint: `${baseUrl}/api/mpp/v1`,
    spec: `${baseUrl}/llms.txt`,
    schema: `${baseUrl}/api/mpp/v1/openapi.json`,
  };
  return {
    ucp: {
      version: UCP_VERSION,
      services: { [`${reversed(baseUrl)}.credits`]: [credits] },
      capabilities: {},
      payment_handlers: {},
      signing_keys: keys,
    },
    signing_keys: keys,
    keys,
  };
}

/** Our host as the beginning of a reverse-domain name, whose parts are letters, digits and `_` after a letter. */
function reversed(baseUrl: string): string {
  const parts = new URL(baseUrl).hostname.split(".").reverse();
  return parts.map((part) => part.replaceAll(/[^a-z0-9]/g, "_").replace(/^(?![a-z])/, "n")).join(".");
}
