import type { Json } from "../openapi/schemas.ts";
import { CREDITS, DOCUMENTS } from "./facts.ts";

const VERSION = "2026-01-30";

/**
 * `/.well-known/acp.json` (Agentic Commerce Protocol). It has no services: there are no checkout sessions here, and its
 * documentation says how credits are bought instead.
 */
export const checkoutProfile = (baseUrl: string): Json => ({
  protocol: {
    name: "acp",
    version: VERSION,
    supported_versions: [VERSION],
    documentation_url: baseUrl + DOCUMENTS.agentGuide,
  },
  api_base_url: baseUrl + CREDITS,
  transports: ["rest"],
  capabilities: { services: [], extensions: [], supported_currencies: ["usd"] },
});
