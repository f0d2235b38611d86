import type { Operation } from "../engine/operation.ts";
import { apiKeyOperations } from "./api-keys.ts";
import { attachmentOperations } from "./attachments.ts";
import { commentOperations } from "./comments.ts";
import { listIssueCommits } from "./commits.ts";
import { creditOperations } from "./credits.ts";
import { customFieldOperations } from "./custom-fields.ts";
import { formOperations } from "./forms.ts";
import { inviteOperations } from "./invites.ts";
import { issueOperations } from "./issues.ts";
import { linkOperations } from "./links.ts";
import { me } from "./me.ts";
import { memberOperations } from "./members.ts";
import { planningOperations } from "./planning.ts";
import { projectMemberOperations } from "./project-members.ts";
import { projectOperations } from "./projects.ts";
import { reportOperations } from "./reports.ts";
import { savedViewOperations } from "./saved-views.ts";
import { statusOperations } from "./statuses.ts";
import { timeOperations } from "./time.ts";
import { watcherOperations } from "./watchers.ts";
import { webhookOperations } from "./webhooks.ts";
import { workspaceOperations } from "./workspaces.ts";

/** The registry: every operation of the API, in the order of its reference. */
export const operations: readonly Operation[] = [
  me,
  ...workspaceOperations,
  ...memberOperations,
  ...inviteOperations,
  ...projectOperations,
  ...projectMemberOperations,
  ...statusOperations,
  ...reportOperations,
  ...savedViewOperations,
  ...issueOperations,
  ...linkOperations,
  ...customFieldOperations,
  ...timeOperations,
  listIssueCommits,
  ...commentOperations,
  ...attachmentOperations,
  ...watcherOperations,
  ...planningOperations,
  ...formOperations,
  ...apiKeyOperations,
  ...webhookOperations,
  ...creditOperations,
];
