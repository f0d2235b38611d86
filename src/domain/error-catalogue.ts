import { agentErrors } from "./access/agents/errors.ts";
import { keyErrors } from "./access/keys/errors.ts";
import { sessionErrors } from "./automation/agent-sessions/errors.ts";
import { workflowRunErrors } from "./automation/workflow-runs/errors.ts";
import { workflowErrors } from "./automation/workflows/errors.ts";
import type { ErrorDefinition } from "./kernel/define-errors.ts";
import { generalErrors } from "./kernel/general-errors.ts";
import { messageErrors } from "./knowledge/chat-messages/errors.ts";
import { docErrors } from "./knowledge/docs/errors.ts";
import { goalErrors } from "./knowledge/goals/errors.ts";
import { keyResultErrors } from "./knowledge/key-results/errors.ts";
import { portfolioErrors } from "./knowledge/portfolios/errors.ts";
import { creditErrors } from "./tenancy/credits/errors.ts";
import { inviteErrors } from "./tenancy/invites/errors.ts";
import { memberErrors } from "./tenancy/workspaces/errors.ts";
import { attachmentErrors } from "./work/attachments/errors.ts";
import { customFieldErrors } from "./work/fields/errors.ts";
import { formErrors } from "./work/forms/errors.ts";
import { issueErrors } from "./work/issues/errors.ts";
import { linkErrors } from "./work/links/errors.ts";
import { boardErrors } from "./work/projects/errors.ts";
import { reportErrors } from "./work/reports/errors.ts";
import { savedViewErrors } from "./work/saved-views/errors.ts";

const SUBJECTS = [
  ...[generalErrors, keyErrors, agentErrors, memberErrors, inviteErrors, creditErrors],
  ...[boardErrors, customFieldErrors, issueErrors, linkErrors, attachmentErrors, savedViewErrors, formErrors],
  ...[reportErrors],
  ...[messageErrors, goalErrors, keyResultErrors, portfolioErrors],
  ...[docErrors],
  ...[workflowErrors],
  ...[workflowRunErrors, sessionErrors],
];

/** Every error that a client may see, in the order of their codes. */
export const ERRORS: readonly ErrorDefinition[] = SUBJECTS.flatMap((errors) =>
  Object.values<ErrorDefinition>(errors),
).sort((a, b) => (a.code < b.code ? -1 : 1));
