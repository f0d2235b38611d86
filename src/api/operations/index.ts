import type { Operation } from "../engine/operation.ts";
import { agentOperations } from "./access/agents.ts";
import { apiKeyOperations } from "./access/api-keys.ts";
import { auditLogOperations } from "./access/audit-log.ts";
import { me } from "./access/me.ts";
import { oauthAppOperations } from "./access/oauth-apps.ts";
import { agentEventOperations } from "./automation/agent-events.ts";
import { agentSessionOperations } from "./automation/agent-sessions.ts";
import { agentUsageOperations } from "./automation/agent-usage.ts";
import { automationOperations } from "./automation/automations.ts";
import { workflowRunOperations } from "./automation/workflow-runs.ts";
import { workflowOperations } from "./automation/workflows.ts";
import { webhookOperations } from "./delivery/webhooks.ts";
import { channelOperations } from "./knowledge/channels.ts";
import { docCommentOperations } from "./knowledge/doc-comments.ts";
import { docVersionOperations } from "./knowledge/doc-versions.ts";
import { docWatcherOperations } from "./knowledge/doc-watchers.ts";
import { docOperations } from "./knowledge/docs.ts";
import { goalOperations } from "./knowledge/goals.ts";
import { messageOperations } from "./knowledge/messages.ts";
import { notificationOperations } from "./knowledge/notifications.ts";
import { portfolioOperations } from "./knowledge/portfolios.ts";
import { searchOperations } from "./knowledge/search.ts";
import { viewOperations } from "./knowledge/views.ts";
import { creditOperations } from "./tenancy/credits.ts";
import { inviteOperations } from "./tenancy/invites.ts";
import { memberOperations } from "./tenancy/members.ts";
import { workspaceOperations } from "./tenancy/workspaces.ts";
import { attachmentOperations } from "./work/attachments.ts";
import { commentOperations } from "./work/comments.ts";
import { listIssueCommits } from "./work/commits.ts";
import { customFieldOperations } from "./work/custom-fields.ts";
import { formOperations } from "./work/forms.ts";
import { issueOperations } from "./work/issues.ts";
import { linkOperations } from "./work/links.ts";
import { planningOperations } from "./work/planning.ts";
import { projectMemberOperations } from "./work/project-members.ts";
import { projectOperations } from "./work/projects.ts";
import { reportOperations } from "./work/reports.ts";
import { savedViewOperations } from "./work/saved-views.ts";
import { statusOperations } from "./work/statuses.ts";
import { timeOperations } from "./work/time.ts";
import { watcherOperations } from "./work/watchers.ts";

/** The registry: every operation of the API, in the order of its reference. */
export const operations: readonly Operation[] = [
  me,
  ...workspaceOperations,
  ...memberOperations,
  ...inviteOperations,
  ...notificationOperations,
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
  ...docWatcherOperations,
  ...planningOperations,
  ...formOperations,
  ...goalOperations,
  ...portfolioOperations,
  ...viewOperations,
  ...docOperations,
  ...docCommentOperations,
  ...docVersionOperations,
  ...channelOperations,
  ...messageOperations,
  ...searchOperations,
  ...workflowOperations,
  ...workflowRunOperations,
  ...automationOperations,
  ...agentOperations,
  ...agentSessionOperations,
  ...agentUsageOperations,
  ...agentEventOperations,
  ...apiKeyOperations,
  ...oauthAppOperations,
  ...auditLogOperations,
  ...webhookOperations,
  ...creditOperations,
];
