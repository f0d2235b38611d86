import { defineAudit } from "../../events/audit/define-audit.ts";

/** What the audit log says about apps. They record no events: only admins know them. */
export const oauthAppCreated = defineAudit("oauth_app.created", "oauth_app");
export const oauthAppRevoked = defineAudit("oauth_app.revoked", "oauth_app");
