import type { Jwk } from "../../domain/kernel/ports/receipt-keys.ts";
import type { Json } from "../openapi/schemas.ts";
import { CREDITS, DOCUMENTS, reversedHost } from "./facts.ts";

const UCP_VERSION = "2026-04-08";
const SERVICE_VERSION = "2026-11-01";

/**
 * The commerce profile at `/.well-known/ucp` (Universal Commerce Protocol). The keys are in three places:
 * `signing_keys` belongs to this version, `keys` to the next one, and some readers look inside `ucp`.
 */
export function commerceProfile(baseUrl: string, keys: readonly Jwk[]): Json {
  const credits = {
    version: SERVICE_VERSION,
    transport: "rest",
    endpoint: baseUrl + CREDITS,
    spec: baseUrl + DOCUMENTS.agentGuide,
    schema: baseUrl + DOCUMENTS.payments,
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

/**
 * The service's host as a reversed domain name. Its parts consist of letters, digits and `_` and begin with a letter.
 */
function reversed(baseUrl: string): string {
  return reversedHost(baseUrl)
    .map((part) => part.replaceAll(/[^a-z0-9]/g, "_").replace(/^(?![a-z])/, "n"))
    .join(".");
}
