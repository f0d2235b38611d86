import type { Operation } from "../engine/operation.ts";
import { apiKeyOperations } from "./api-keys.ts";
import { commentOperations } from "./comments.ts";
import { listIssueCommits } from "./commits.ts";
import { creditOperations } from "./credits.ts";
import { customFieldOperations } from "./custom-fields.ts";
import { inviteOperations } from "./invites.ts";
import { issueOperations } from "./issues.ts";
import { me } from "./me.ts";
import { memberOperations } from "./members.ts";
import { projectOperations } from "./projects.ts";
import { statusOperations } from "./statuses.ts";
import { timeOperations } from "./time.ts";
import { webhookOperations } from "./webhooks.ts";
import { workspaceOperations } from "./workspaces.ts";

/** The registry: every operation of the API, in the order of its reference. */
export const operations: readonly Operation[] = [
  me,
  ...workspaceOperations,
  ...memberOperations,
  ...inviteOperations,
  ...projectOperations,
  ...statusOperations,
  ...issueOperations,
  ...customFieldOperations,
  ...timeOperations,
  listIssueCommits,
  ...commentOperations,
  ...apiKeyOperations,
  ...webhookOperations,
  ...creditOperations,
];
