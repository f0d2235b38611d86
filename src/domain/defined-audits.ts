import { apiKeyUpdated } from "./access/keys/events.ts";
import { grantApproved, grantRevoked } from "./access/oauth/audits.ts";
import { oauthAppCreated, oauthAppRevoked } from "./access/oauth-apps/audits.ts";
import { workflowRunForced } from "./automation/workflow-runs/events.ts";
import { workflowCreated, workflowGraphReplaced, workflowUpdated } from "./automation/workflows/events.ts";
import {
  webhookCreated,
  webhookDeleted,
  webhookReplayed,
  webhookRetried,
  webhookSecretRotated,
  webhookUpdated,
} from "./delivery/webhooks/events.ts";
import { auditLogExported } from "./events/audit/exports.ts";
import { docExported } from "./knowledge/docs/audits.ts";
import {
  cardSaved,
  cardSetupStarted,
  creditsAdjusted,
  creditsTakenBack,
  purchaseStarted,
} from "./tenancy/credits/events.ts";
import { workspaceCreated } from "./tenancy/workspaces/events.ts";
import { commitHookCreated, commitHookDeleted } from "./work/commits/hook.ts";
import { reportExported } from "./work/reports/audits.ts";

/** Every kind of audit entry that no event stands for. `npm run pin` writes this file. */
export const DEFINED_AUDITS = [
  apiKeyUpdated,
  grantApproved,
  grantRevoked,
  oauthAppCreated,
  oauthAppRevoked,
  workflowRunForced,
  workflowCreated,
  workflowGraphReplaced,
  workflowUpdated,
  webhookCreated,
  webhookDeleted,
  webhookReplayed,
  webhookRetried,
  webhookSecretRotated,
  webhookUpdated,
  auditLogExported,
  docExported,
  cardSaved,
  cardSetupStarted,
  creditsAdjusted,
  creditsTakenBack,
  purchaseStarted,
  workspaceCreated,
  commitHookCreated,
  commitHookDeleted,
  reportExported,
] as const;
