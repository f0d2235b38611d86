import { defineAudit } from "../../events/audit/define-audit.ts";

/** What the audit log says about grants. They record no events: those of their agents tell what happened. */
export const grantApproved = defineAudit("oauth_grant.approved", "oauth_grant");
export const grantRevoked = defineAudit("oauth_grant.revoked", "oauth_grant");
