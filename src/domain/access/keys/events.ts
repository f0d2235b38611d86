import { defineAudit } from "../../events/audit/define-audit.ts";
import { defineEvent } from "../../events/define-event.ts";
import { ApiKeyView } from "./view.ts";

const ofKey = { view: ApiKeyView, audience: "workspace" } as const;

export const apiKeyCreated = defineEvent("api_key.created", {
  ...ofKey,
  audit: {
    target: "api_key",
    adds: ["kind", "prefix", "scopes", "project_ids", "rate_limit_per_minute", "expires_at", "agent_id"],
  },
});
export const apiKeyRevoked = defineEvent("api_key.revoked", {
  ...ofKey,
  audit: { target: "api_key", adds: ["revoke_reason"] },
});

/** No event is recorded, because receivers need not know about names and limits. */
export const apiKeyUpdated = defineAudit("api_key.updated", "api_key");
