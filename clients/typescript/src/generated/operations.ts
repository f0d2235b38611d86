// Generated from the API description. Do not edit: `npm run pin` writes it again.

import type { Call } from "../call.ts";
import type { Connection } from "../connection.ts";
import type { EventStream, StreamOptions } from "../event-stream.ts";
import { type AgentEvent, type ChannelEvent, readAgentEvent, readChannelEvent } from "../events.ts";
import { Group } from "../group.ts";
import type { List } from "../list.ts";
import type { CallOptions } from "../options.ts";
import type { Activity, Agent, AgentAnswers, AgentDetail, AgentPatchInput, AgentSession, AgentSessionCreateInput, AgentSessionDetail, AgentSessionPatchInput, AgentUsage, AgentUsageInput, ApiKey, ApiKeyCreateInput, ApiKeyPatchInput, Attachment, AttachmentCommitInput, AttachmentIntentInput, AuditEntry, Automation, AutomationCreateInput, AutomationDryRun, AutomationDryRunInput, AutomationPatchInput, AutomationRun, BulkCommentRow, BulkCommentsCreateInput, BulkDocRow, BulkDocsCreateInput, BulkIssueRow, BulkIssuesCreateInput, CardSetup, ChatChannel, ChatChannelCreateInput, ChatChannelMember, ChatChannelMemberInput, ChatChannelMemberPatchInput, ChatChannelPatchInput, ChatDmInput, ChatMessage, ChatMessageCreateInput, ChatMessagePatchInput, ChatReactionInput, ChatReactions, ChatReadInput, ChatStreamInput, ChatStreamReply, Comment, CommentCreateInput, CommentPatchInput, CommitRef, CustomCreditsInput, CustomFieldDef, CustomFieldDefCreateInput, CustomFieldDefPatchInput, CustomFieldValue, CustomFieldValueInput, DeleteApiKeyQuery, DeleteApiKeyResult, DeleteAttachmentResult, DeleteAutomationResult, DeleteChatMemberResult, DeleteChatMessageResult, DeleteCommentResult, DeleteCustomFieldDefResult, DeleteDocCommentResult, DeleteDocResult, DeleteDocWatcherResult, DeleteFormResult, DeleteGoalResult, DeleteInviteResult, DeleteKeyResultResult, DeleteLabelResult, DeleteLinkResult, DeleteMemberResult, DeleteMilestoneResult, DeleteOauthAppResult, DeletePortfolioProjectResult, DeletePortfolioResult, DeleteProjectMemberResult, DeleteReleaseResult, DeleteSavedViewResult, DeleteSprintResult, DeleteStatusResult, DeleteTimeEntryResult, DeleteViewResult, DeleteWatcherResult, DeleteWebhookResult, DeleteWorkflowQuery, DeleteWorkflowResult, Doc, DocComment, DocCommentCreateInput, DocCommentPatchInput, DocCreateInput, DocExport, DocPatchInput, DocVersion, DocVersionSummary, FixedCreditsInput, Form, FormCreateInput, FormField, FormPatchInput, FormSubmission, FormSubmissionCreateInput, FormSummary, GetAgentSessionQuery, GetApiKeyUsageQuery, GetChatChannelQuery, GetDocExportQuery, GetDocQuery, GetGoalQuery, GetIssueByKeyQuery, GetIssueQuery, GetReportQuery, Goal, GoalCreateInput, GoalDetail, GoalPatchInput, Invite, InviteCreateInput, Issue, IssueCreateInput, IssueInProjectInput, IssueLink, IssueLinkCreateInput, IssuePatchInput, IssueTransitionInput, KeyResult, KeyResultCreateInput, KeyResultPatchInput, KeyUsage, Label, LabelCreateInput, LabelPatchInput, LabelWithCount, ListAgentSessionsQuery, ListAgentsQuery, ListApiKeysQuery, ListAttachmentsQuery, ListAuditLogQuery, ListAutomationRunsQuery, ListAutomationsQuery, ListChatChannelsQuery, ListChatMembersQuery, ListChatMessagesQuery, ListCommentsQuery, ListCustomFieldDefsQuery, ListDocCommentsQuery, ListDocVersionsQuery, ListDocsQuery, ListFormFieldsQuery, ListFormSubmissionsQuery, ListFormsQuery, ListGoalsQuery, ListInvitesQuery, ListIssueActivityQuery, ListIssueCommitsQuery, ListIssuesQuery, ListLabelsQuery, ListMembersQuery, ListMilestonesQuery, ListNotificationsQuery, ListOauthAppsQuery, ListPortfoliosQuery, ListProjectMembersQuery, ListProjectsQuery, ListReleasesQuery, ListSearchQueryQuery, ListSprintsQuery, ListTimeEntriesQuery, ListViewIssuesQuery, ListViewsQuery, ListWebhookDeliveriesQuery, ListWebhooksQuery, ListWorkflowRunsQuery, ListWorkflowsQuery, ListWorkspaceIssuesQuery, ListWorkspacesQuery, MarkNotificationAllReadQuery, Me, Member, MemberPatchInput, Milestone, MilestoneCreateInput, MilestonePatchInput, NewApiKey, NewOauthApp, Notification, NotificationPatchInput, NotificationsMarkedRead, OauthApp, OauthAppCreateInput, OwnershipTransferInput, Portfolio, PortfolioCreateInput, PortfolioPatchInput, PortfolioProject, PortfolioProjectAddInput, Project, ProjectCreateInput, ProjectMember, ProjectMemberAddInput, ProjectPatchInput, ProjectStatus, Purchase, Release, ReleaseCreateInput, ReleasePatchInput, Report, SavedView, SavedViewCreateInput, SavedViewPatchInput, SearchResult, Sprint, SprintCreateInput, SprintPatchInput, StatusCreateInput, StatusPatchInput, TimeEntry, TimeEntryCreateInput, TimeEntryPatchInput, TimePatchInput, TimeTracking, UploadIntent, Usage, Watcher, Webhook, WebhookCreateInput, WebhookDelivery, WebhookPatchInput, WebhookReplay, WebhookReplayInput, WebhookRotateSecretInput, WebhookWithSecret, Workflow, WorkflowAdvanceInput, WorkflowCancelled, WorkflowCompleteStageInput, WorkflowCreateInput, WorkflowDetail, WorkflowGraphInput, WorkflowPatchInput, WorkflowRun, WorkflowRunDetail, WorkflowStartInput, WorkflowStarted, Workspace, WorkspacePatchInput, WorkspaceView, WorkspaceViewCreateInput, WorkspaceViewPatchInput } from "./schema.ts";

/** Who the credential acts as: its user, workspace, role, scopes and limits. Call it first. */
export class MeOperations extends Group {
  /**
   * Identity of the calling key.
   * Call it first: the reply names the workspace whose slug all other paths need, the scopes of the credential, and the person or agent that it acts as.
   * 
   * Any valid credential; no scope is needed.
   * Operation `getMe`.
   */
  get(options?: CallOptions): Call<Me> {
    return this.connection.call("GET", "/v1/me", [], {}, options);
  }
}

/** The workspaces that a credential reaches, their settings, and what they used of their plan. */
export class WorkspacesOperations extends Group {
  /**
   * List the workspaces that the key can access: only its own.
   * A credential belongs to exactly one workspace, so the list has one entry. Use its `slug` in all other paths.
   * 
   * Scope: `workspaces:read`.
   * Operation `listWorkspaces`.
   */
  list(query?: ListWorkspacesQuery, options?: CallOptions): List<Workspace> {
    return this.connection.list("/v1/workspaces", [], query, options);
  }

  /**
   * Read the workspace.
   * Scope: `workspaces:read`.
   * Operation `getWorkspace`.
   */
  get(options?: CallOptions): Call<Workspace> {
    return this.connection.call("GET", "/v1/workspaces/{slug}", [], {}, options);
  }

  /**
   * Change the workspace's name, locale or time zone.
   * The slug cannot be changed. The time zone is used for schedules of automations that name none.
   * 
   * Scope: `workspaces:write`. Role: owner or admin. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `patchWorkspace`.
   */
  patch(body: WorkspacePatchInput, options?: CallOptions): Call<Workspace> {
    return this.connection.call("PATCH", "/v1/workspaces/{slug}", [], { body }, options);
  }

  /**
   * Read the workspace's usage of its plan: storage, AI credits, seats and limits.
   * Shows what the plan allows and how much of it is used. A limit that the plan does not have is `null`, or 9007199254740991 for storage. `ai_credits` has the month's grant and the credits that were bought; buy more with `POST /api/mpp/v1/credits/medium` and the calls like it.
   * 
   * Scope: `workspaces:read`. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `getWorkspaceUsage`.
   */
  getUsage(options?: CallOptions): Call<Usage> {
    return this.connection.call("GET", "/v1/workspaces/{slug}/usage", [], {}, options);
  }

  /**
   * List issues across the projects that you can see.
   * `assignee=me` lists what is assigned to you. Archived issues, and issues of archived projects, are left out. A project's own list has more filters.
   * 
   * Scope: `issues:read`.
   * Operation `listWorkspaceIssues`.
   */
  listIssues(query?: ListWorkspaceIssuesQuery, options?: CallOptions): List<Issue> {
    return this.connection.list("/v1/workspaces/{slug}/issues", [], query, options);
  }
}

/** People and agents of a workspace: find whom to assign, change roles, remove somebody who left. */
export class MembersOperations extends Group {
  /**
   * List the workspace's people, latest joined first or by name.
   * People only; agents are listed by `GET …/agents`. Guests appear with `is_guest` and the projects that they see.
   * 
   * Scope: `members:read`.
   * Operation `listMembers`.
   */
  list(query?: ListMembersQuery, options?: CallOptions): List<Member> {
    return this.connection.list("/v1/workspaces/{slug}/members", [], query, options);
  }

  /**
   * Change a member's role; a guest becomes a full member.
   * Nobody can raise their own role, and `owner` is given only by `POST …/transfer-ownership`. A key whose creator gets a smaller role loses the scopes above that role at once.
   * 
   * Scope: `members:write`. Role: owner or admin. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `patchMember`.
   */
  patch(userId: string, body: MemberPatchInput, options?: CallOptions): Call<Member> {
    return this.connection.call("PATCH", "/v1/workspaces/{slug}/members/{userId}", [userId], { body }, options);
  }

  /**
   * Remove a member: they are unassigned from open issues, and their keys are revoked; their content stays.
   * The person loses access with the next call: their API keys, access tokens and pending invites are revoked, and their streams end. They leave all projects and channels, and their open issues are unassigned: up to 200 at once, more of them within seconds, with an event each. Meanwhile these still show the person, but nobody can assign them to an issue; a person who comes back before the end stays assigned to the rest. Their private docs go to the owner or admin who removes them; everything else that they wrote stays in their name. `me` leaves the workspace. The last owner cannot leave (409 `last_owner`).
   * 
   * Scope: `members:write`. Role: owner or admin. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `deleteMember`.
   */
  delete(userId: string, options?: CallOptions): Call<DeleteMemberResult> {
    return this.connection.call("DELETE", "/v1/workspaces/{slug}/members/{userId}", [userId], {}, options);
  }

  /**
   * Transfer ownership to another member; you become an admin.
   * Both roles change at once. Only an owner may call it.
   * 
   * Scope: `members:write`. Role: owner or admin. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `transferMemberOwnership`.
   */
  transferOwnership(body: OwnershipTransferInput, options?: CallOptions): Call<Member> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/transfer-ownership", [], { body }, options);
  }
}

/** Invite people by e-mail, see who has not answered, and take an invitation back. */
export class InvitesOperations extends Group {
  /**
   * List pending invites, newest first.
   * Accepted, revoked and expired invites are not listed.
   * 
   * Scope: `members:read`. Role: owner or admin. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `listInvites`.
   */
  list(query?: ListInvitesQuery, options?: CallOptions): List<Invite> {
    return this.connection.list("/v1/workspaces/{slug}/invites", [], query, options);
  }

  /**
   * Invite someone by e-mail; a pending invite for the same address is replaced.
   * Sends a mail with a link that is valid for 7 days. The invited person signs in with that address and accepts. A new invite for an address replaces the pending one, named in `replaced_invite_id`. A guest sees only the projects in `project_ids`. How many invites a person and a workspace may send in a day is limited (429).
   * 
   * Scope: `members:write`. Role: owner or admin. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `createInvite`.
   */
  create(body: InviteCreateInput, options?: CallOptions): Call<Invite> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/invites", [], { body }, options);
  }

  /**
   * Revoke a pending invite.
   * The link in the mail stops working at once.
   * 
   * Scope: `members:write`. Role: owner or admin. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `deleteInvite`.
   */
  delete(id: string, options?: CallOptions): Call<DeleteInviteResult> {
    return this.connection.call("DELETE", "/v1/workspaces/{slug}/invites/{id}", [id], {}, options);
  }
}

/** What waits for the key's user: mentions, assignments, questions. Read them and mark them as read. */
export class NotificationsOperations extends Group {
  /**
   * List your notifications, newest first.
   * Shows what concerns the person or agent of the key: assignments, mentions, comments, due dates, sessions that need input. Nobody is notified of what they did themselves.
   * 
   * Scope: `notifications:read`.
   * Operation `listNotifications`.
   */
  list(query?: ListNotificationsQuery, options?: CallOptions): List<Notification> {
    return this.connection.list("/v1/workspaces/{slug}/notifications", [], query, options);
  }

  /**
   * Mark one of your notifications as read or unread.
   * Marking a read notification as read again keeps the first time.
   * 
   * Scope: `notifications:write`. Role: any.
   * Operation `patchNotification`.
   */
  patch(id: string, body?: NotificationPatchInput, options?: CallOptions): Call<Notification> {
    return this.connection.call("PATCH", "/v1/workspaces/{slug}/notifications/{id}", [id], { body }, options);
  }

  /**
   * Mark your notifications as read: all, or those about what the query names.
   * `count` is the number of notifications that were unread. Reading an object with `mark_read=true`, answering it, moving or archiving an issue, and `POST …/read` of a channel mark what is about it as read, too.
   * 
   * Scope: `notifications:write`. Role: any.
   * Operation `markNotificationAllRead`.
   */
  markAllRead(query?: MarkNotificationAllReadQuery, options?: CallOptions): Call<NotificationsMarkedRead> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/notifications/mark-all-read", [], { query }, options);
  }
}

/** Make room for a piece of work: a project has a board, issues, members and settings of its own. */
export class ProjectsOperations extends Group {
  /**
   * List the projects you can see, by name.
   * Projects with `scoped: true` are listed only for their members, owners and admins; guests see the projects that name them.
   * 
   * Scope: `projects:read`.
   * Operation `listProjects`.
   */
  list(query?: ListProjectsQuery, options?: CallOptions): List<Project> {
    return this.connection.list("/v1/workspaces/{slug}/projects", [], query, options);
  }

  /**
   * Create a project with its board.
   * The board gets the columns in `statuses`, or Backlog, To Do, In Progress, In Review, Done and Cancelled. `key` is the prefix of issue keys and can never change; if it is absent, it is made from the name. With `scoped: true` only members of the project, owners and admins see it. With it, you become its project admin. People in `member_ids` become its members.
   * 
   * Scope: `projects:write`. Role: member or above. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `createProject`.
   */
  create(body: ProjectCreateInput, options?: CallOptions): Call<Project> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/projects", [], { body }, options);
  }

  /**
   * Read a project.
   * `issue_counts` counts the issues of each category without archived ones.
   * 
   * Scope: `projects:read`.
   * Operation `getProject`.
   */
  get(key: string, options?: CallOptions): Call<Project> {
    return this.connection.call("GET", "/v1/workspaces/{slug}/projects/{key}", [key], {}, options);
  }

  /**
   * Change a project.
   * `key` and `slug` cannot be changed. `transition_rules`, `wip_mode` and `enforce_blockers` say which moves the board allows; they hold for every call, automation and agent. `scoped: true` hides the project at once from everybody who is not its member.
   * 
   * Scope: `projects:write`. Role: member or above.
   * Operation `patchProject`.
   */
  patch(key: string, body?: ProjectPatchInput, options?: CallOptions): Call<Project> {
    return this.connection.call("PATCH", "/v1/workspaces/{slug}/projects/{key}", [key], { body }, options);
  }

  /**
   * Archive a project.
   * The project becomes read-only: its issues leave search and lists, and writes get 409 `archived`. It can be restored for 30 days; then files of its issues are deleted. Its key stays taken. Open agent sessions and workflow runs on its issues are cancelled. Archiving it again changes nothing.
   * 
   * Scope: `projects:write`. Role: project admin, or owner or admin of the workspace.
   * Operation `deleteProject`.
   */
  delete(key: string, options?: CallOptions): Call<Project> {
    return this.connection.call("DELETE", "/v1/workspaces/{slug}/projects/{key}", [key], {}, options);
  }

  /**
   * Restore an archived project.
   * Brings back the project with its issues as they were. After 30 days the reply is 409 `restore_window_over`.
   * 
   * Scope: `projects:write`. Role: project admin, or owner or admin of the workspace.
   * Operation `restoreProject`.
   */
  restore(key: string, options?: CallOptions): Call<Project> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/projects/{key}/restore", [key], {}, options);
  }
}

/** Decide who may see and change a project that is limited to its members. */
export class ProjectMembersOperations extends Group {
  /**
   * List a project's members, newest first; only they and admins can see a scoped project.
   * Scope: `projects:read`.
   * Operation `listProjectMembers`.
   */
  list(key: string, query?: ListProjectMembersQuery, options?: CallOptions): List<ProjectMember> {
    return this.connection.list("/v1/workspaces/{slug}/projects/{key}/members", [key], query, options);
  }

  /**
   * Add a person or agent of the workspace to a project, or change their role in it.
   * Adding somebody again only changes their role in the project; the reply is 201 in any case. Guests and agents can be added too. The person must be in the workspace (400 `not_a_member`).
   * 
   * Scope: `projects:admin`. Role: project admin, or owner or admin of the workspace.
   * Operation `createProjectMember`.
   */
  create(key: string, body: ProjectMemberAddInput, options?: CallOptions): Call<ProjectMember> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/projects/{key}/members", [key], { body }, options);
  }

  /**
   * Remove a member from a project.
   * In a scoped project, the person no longer sees it, and their streams end. Removing somebody who is not a member changes nothing.
   * 
   * Scope: `projects:admin`. Role: project admin, or owner or admin of the workspace.
   * Operation `deleteProjectMember`.
   */
  delete(key: string, userId: string, options?: CallOptions): Call<DeleteProjectMemberResult> {
    return this.connection.call("DELETE", "/v1/workspaces/{slug}/projects/{key}/members/{userId}", [key, userId], {}, options);
  }
}

/** Columns of a project's board: what they are called, what counts as done, how many issues they hold. */
export class StatusesOperations extends Group {
  /**
   * List all columns of the board in order.
   * A column has a name of your choice and one of seven categories. The category is the `status` of the issues in the column.
   * 
   * Scope: `projects:read`.
   * Operation `listStatuses`.
   */
  list(key: string, options?: CallOptions): Call<ProjectStatus[]> {
    return this.connection.call("GET", "/v1/workspaces/{slug}/projects/{key}/statuses", [key], {}, options);
  }

  /**
   * Add a column; a board has at most 12.
   * The column goes to the end of the columns of its category, unless `before`, `after` or `rank` places it. At 12 columns the reply is 409 `status_limit_reached`.
   * 
   * Scope: `projects:write`. Role: member or above.
   * Operation `createStatus`.
   */
  create(key: string, body: StatusCreateInput, options?: CallOptions): Call<ProjectStatus> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/projects/{key}/statuses", [key], { body }, options);
  }

  /**
   * Change a column; its issues get its new category.
   * A new `category` changes all issues of the column: each gets the new `status`, new values of `started_at` and `resolved_at`, and an event of its own. If the category is changed back, issues that stayed in the column get their earlier times back. Issues that become open leave completed sprints and people who left the workspace; changed back, they return there. Of more than 200 issues, all reads show the change at once, and events and history follow within seconds to minutes. `is_default: true` makes it the column of new issues.
   * 
   * Scope: `projects:write`. Role: member or above.
   * Operation `patchStatus`.
   */
  patch(key: string, id: string, body?: StatusPatchInput, options?: CallOptions): Call<ProjectStatus> {
    return this.connection.call("PATCH", "/v1/workspaces/{slug}/projects/{key}/statuses/{id}", [key, id], { body }, options);
  }

  /**
   * Delete a column and archive its issues.
   * Its issues are archived with `archived_reason: status_deleted`, each with an event. A restored issue goes to the first column of its category, or else to the default column. If it was the default column, the first remaining one becomes the default. `transition_rules` lose the column; a rule that allowed only this column allows no move then. The last column cannot be deleted (409 `last_status`). `issues_deleted` counts the archived issues; of more than 200, all reads show them as archived at once, and events and history follow within seconds to minutes.
   * 
   * Scope: `projects:write`. Role: member or above.
   * Operation `deleteStatus`.
   */
  delete(key: string, id: string, options?: CallOptions): Call<DeleteStatusResult> {
    return this.connection.call("DELETE", "/v1/workspaces/{slug}/projects/{key}/statuses/{id}", [key, id], {}, options);
  }
}

/** Numbers about a project for people and spreadsheets: burndown, velocity, cycle time, throughput, workload. */
export class ReportsOperations extends Group {
  /**
   * Read a report about a project, as JSON, as CSV or as a picture.
   * `velocity` and `burndown` have `data: null` while the project has no sprint. With `format=csv` the reply is a file. Amounts are story points, minutes or issues, as the project estimates. Archived issues do not count. Each report takes the parameters that make sense for it, and refuses the others; days are those of the workspace's `timezone`, or of `tz`. If Accept names `image/svg+xml`, the reply is a chart of the report, for light and dark, `width` pixels wide.
   * 
   * Scope: `projects:read`. Not on every plan (403 `plan_required`).
   * Operation `getReport`.
   */
  get(key: string, report: string, query?: GetReportQuery, options?: CallOptions): Call<Report> {
    return this.connection.call("GET", "/v1/workspaces/{slug}/projects/{key}/reports/{report}", [key, report], { query }, options);
  }

  /**
   * Read a report about a project, as JSON, as CSV or as a picture.
   * `velocity` and `burndown` have `data: null` while the project has no sprint. With `format=csv` the reply is a file. Amounts are story points, minutes or issues, as the project estimates. Archived issues do not count. Each report takes the parameters that make sense for it, and refuses the others; days are those of the workspace's `timezone`, or of `tz`. If Accept names `image/svg+xml`, the reply is a chart of the report, for light and dark, `width` pixels wide.
   * 
   * Scope: `projects:read`. Not on every plan (403 `plan_required`).
   * Operation `getReport`.
   */
  getAs(key: string, report: string, as: "text/csv" | "image/svg+xml", query?: GetReportQuery, options?: CallOptions): Call<Blob> {
    return this.connection.blob("/v1/workspaces/{slug}/projects/{key}/reports/{report}", [key, report], as, { query }, options);
  }
}

/** Keep a filter of a project's issues under a name, for oneself or for all. */
export class SavedViewsOperations extends Group {
  /**
   * List all shared views of a project and your own.
   * Scope: `saved_views:read`.
   * Operation `listSavedViews`.
   */
  list(key: string, options?: CallOptions): Call<SavedView[]> {
    return this.connection.call("GET", "/v1/workspaces/{slug}/projects/{key}/saved-views", [key], {}, options);
  }

  /**
   * Save a view; viewers cannot share it.
   * `GET …/issues?view=<id>` applies the `filter`. Columns, labels and people that it names are stored by id: renaming them changes nothing. If one is deleted, `filter_deleted` says so.
   * 
   * Scope: `saved_views:write`. Role: any.
   * Operation `createSavedView`.
   */
  create(key: string, body: SavedViewCreateInput, options?: CallOptions): Call<SavedView> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/projects/{key}/saved-views", [key], { body }, options);
  }

  /**
   * Change a view; only its creator or a project admin may.
   * `filter` and `columns` are replaced as a whole.
   * 
   * Scope: `saved_views:write`. Role: any.
   * Operation `patchSavedView`.
   */
  patch(key: string, id: string, body?: SavedViewPatchInput, options?: CallOptions): Call<SavedView> {
    return this.connection.call("PATCH", "/v1/workspaces/{slug}/projects/{key}/saved-views/{id}", [key, id], { body }, options);
  }

  /**
   * Delete a view; only its creator or a project admin may.
   * Issues do not change.
   * 
   * Scope: `saved_views:write`. Role: any.
   * Operation `deleteSavedView`.
   */
  delete(key: string, id: string, options?: CallOptions): Call<DeleteSavedViewResult> {
    return this.connection.call("DELETE", "/v1/workspaces/{slug}/projects/{key}/saved-views/{id}", [key, id], {}, options);
  }
}

/** The work itself: create, find, change, move, archive and restore issues, and read their history. */
export class IssuesOperations extends Group {
  /**
   * List a project's issues in board order.
   * Filters are combined with and; several values in one filter, separated by commas, mean any of them. `q` looks for words in key, title and description; `GET …/search` also finds comments and ranks by relevance. `ready=true` lists the issues on which the caller could start now. Archived issues are left out unless `archived=true`.
   * 
   * Scope: `issues:read`.
   * Operation `listIssues`.
   */
  list(key: string, query?: ListIssuesQuery, options?: CallOptions): List<Issue> {
    return this.connection.list("/v1/workspaces/{slug}/projects/{key}/issues", [key], query, options);
  }

  /**
   * Create an issue.
   * The issue goes to the bottom of the project's default column unless `status`, `status_id` or a position says otherwise. Its number is the next one of the project; a refused call uses up no number. Labels, people and parents that do not exist are refused with 400 `invalid_reference`; labels are never created on the way. Reporter and assignees watch the issue, and assignees are notified; an assigned agent hears it on its event stream. To import without duplicates, send `external_source` and `external_id`: a second issue with the same pair is 409 `already_exists` with `existing_id`.
   * 
   * Scope: `issues:write`. Role: member or above, or a guest of the project.
   * Operation `createIssue`.
   */
  create(key: string, body: IssueCreateInput, options?: CallOptions): Call<Issue> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/projects/{key}/issues", [key], { body }, options);
  }

  /**
   * Create 1 to 50 issues; each item has its own result.
   * An item can name an earlier one of the same call as `parent` or `epic`: `#0` is the first. Issues get their numbers in the order of the items.
   * 
   * Scope: `issues:write`. Role: member or above, or a guest of the project. Items are independent: 201 if all succeed, otherwise 207. If an item fails, the others are still stored.
   * Operation `bulkCreateIssues`.
   */
  bulkCreate(key: string, body: BulkIssuesCreateInput, options?: CallOptions): Call<BulkIssueRow[]> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/projects/{key}/issues/bulk", [key], { body }, options);
  }

  /**
   * Read an issue.
   * The reply has the counts of comments, attachments, links and watchers, the values of custom fields, and the open agent sessions; the objects themselves have calls of their own.
   * 
   * Scope: `issues:read`.
   * Operation `getIssue`.
   */
  get(key: string, issueKey: string, query?: GetIssueQuery, options?: CallOptions): Call<Issue> {
    return this.connection.call("GET", "/v1/workspaces/{slug}/projects/{key}/issues/{issueKey}", [key, issueKey], { query }, options);
  }

  /**
   * Change an issue's fields.
   * Only the fields that are sent change; `null` clears one. `labels` and `assignee_ids` replace the whole list, while `add_labels` and `remove_labels` change single ones. A new `status` or `status_id` moves the issue like `POST …/transition`, by the same rules. `if_version` or `If-Match` protects against changes that you have not seen. An agent with a field policy may change only the fields that it names (403 `field_not_allowed`).
   * 
   * Scope: `issues:write`. Role: member or above.
   * Operation `patchIssue`.
   */
  patch(key: string, issueKey: string, body?: IssuePatchInput, options?: CallOptions): Call<Issue> {
    return this.connection.call("PATCH", "/v1/workspaces/{slug}/projects/{key}/issues/{issueKey}", [key, issueKey], { body }, options);
  }

  /**
   * Archive an issue.
   * The issue disappears from lists, boards, reports and search, but can still be read. Open agent sessions and the workflow run on it are cancelled; what it blocked is no longer blocked. It can be restored for 30 days. Archiving it again changes nothing. Its children are not archived.
   * 
   * Scope: `issues:write`. Role: member or above.
   * Operation `deleteIssue`.
   */
  delete(key: string, issueKey: string, options?: CallOptions): Call<Issue> {
    return this.connection.call("DELETE", "/v1/workspaces/{slug}/projects/{key}/issues/{issueKey}", [key, issueKey], {}, options);
  }

  /**
   * Restore an archived issue.
   * The issue returns to its column, or else to the first one of its category, or to the default column. It keeps its rank unless another issue has taken that. If it is open, it leaves a completed sprint (warning `sprint_completed`) and people who left the workspace. After 30 days the reply is 409 `restore_window_over`.
   * 
   * Scope: `issues:write`. Role: member or above.
   * Operation `restoreIssue`.
   */
  restore(key: string, issueKey: string, options?: CallOptions): Call<Issue> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/projects/{key}/issues/{issueKey}/restore", [key, issueKey], {}, options);
  }

  /**
   * Move an issue on its board.
   * Give a category in `status` (the issue stays in a column of that category, or else goes to the first one that `transition_rules` allow) or a column in `status_id`. The issue goes to the bottom unless `before`, `after`, `position` or `rank` places it. Moves that `transition_rules` forbid get 409 `transition_not_allowed` with the `allowed` columns; limits of columns and open blockers refuse or warn, as the project has set it. `warnings` also names required fields without a value. An issue that becomes open again leaves a completed sprint (warning `sprint_completed`) and people who left the workspace. `comment_md` adds a comment in the same transaction.
   * 
   * Scope: `issues:write`. Role: member or above.
   * Operation `transitionIssue`.
   */
  transition(key: string, issueKey: string, body: IssueTransitionInput, options?: CallOptions): Call<Issue> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/projects/{key}/issues/{issueKey}/transition", [key, issueKey], { body }, options);
  }

  /**
   * List an issue's history, newest first.
   * One line for each changed field, comment, link, file and session: who did it, by which key, and from which value to which.
   * 
   * Scope: `issues:read`.
   * Operation `listIssueActivity`.
   */
  listActivity(key: string, issueKey: string, query?: ListIssueActivityQuery, options?: CallOptions): List<Activity> {
    return this.connection.list("/v1/workspaces/{slug}/projects/{key}/issues/{issueKey}/activity", [key, issueKey], query, options);
  }

  /**
   * Create an issue in the project that the body names.
   * As `POST …/projects/{key}/issues`, with the project's key, slug or id in `project`. It may be left out by callers who see exactly one project that is not archived; others get 400, which names a few that they see.
   * 
   * Scope: `issues:write`. Role: member or above, or a guest of the project.
   * Operation `createIssueInWorkspace`.
   */
  createInWorkspace(body: IssueInProjectInput, options?: CallOptions): Call<Issue> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/issues", [], { body }, options);
  }

  /**
   * Read an issue by its key or id, without naming its project.
   * The reply has the counts of comments, attachments, links and watchers, the values of custom fields, and the open agent sessions; the objects themselves have calls of their own.
   * 
   * Scope: `issues:read`.
   * Operation `getIssueByKey`.
   */
  getByKey(issueKey: string, query?: GetIssueByKeyQuery, options?: CallOptions): Call<Issue> {
    return this.connection.call("GET", "/v1/workspaces/{slug}/issues/{issueKey}", [issueKey], { query }, options);
  }

  /**
   * Change an issue's fields, without naming its project.
   * Only the fields that are sent change; `null` clears one. `labels` and `assignee_ids` replace the whole list, while `add_labels` and `remove_labels` change single ones. A new `status` or `status_id` moves the issue like `POST …/transition`, by the same rules. `if_version` or `If-Match` protects against changes that you have not seen. An agent with a field policy may change only the fields that it names (403 `field_not_allowed`).
   * 
   * Scope: `issues:write`. Role: member or above.
   * Operation `patchIssueByKey`.
   */
  patchByKey(issueKey: string, body?: IssuePatchInput, options?: CallOptions): Call<Issue> {
    return this.connection.call("PATCH", "/v1/workspaces/{slug}/issues/{issueKey}", [issueKey], { body }, options);
  }

  /**
   * List the commits and pull requests that name an issue, newest first.
   * Commits and pull requests come from the repository's webhook. A key such as `WEB-1` in their text links them to the issue.
   * 
   * Scope: `issues:read`.
   * Operation `listIssueCommits`.
   */
  listCommits(key: string, issueKey: string, query?: ListIssueCommitsQuery, options?: CallOptions): List<CommitRef> {
    return this.connection.list("/v1/workspaces/{slug}/projects/{key}/issues/{issueKey}/commits", [key, issueKey], query, options);
  }
}

/** Say that an issue blocks, duplicates or relates to another one, also across projects. */
export class LinksOperations extends Group {
  /**
   * List all links of an issue in both directions, except links to issues you cannot see.
   * Each link is shown from the side of this issue: `direction: in` means that the other one points to it.
   * 
   * Scope: `issues:read`.
   * Operation `listLinks`.
   */
  list(key: string, issueKey: string, options?: CallOptions): Call<IssueLink[]> {
    return this.connection.call("GET", "/v1/workspaces/{slug}/projects/{key}/issues/{issueKey}/links", [key, issueKey], {}, options);
  }

  /**
   * Link an issue to another issue of the workspace; an existing link is returned.
   * `blocks` from A to B makes B blocked while A is open (`is_blocked`). A link that would close a circle of blockers is 400 `link_cycle`. `relates_to` has no direction.
   * 
   * Scope: `issues:write`. Role: member or above.
   * Operation `createLink`.
   */
  create(key: string, issueKey: string, body: IssueLinkCreateInput, options?: CallOptions): Call<IssueLink> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/projects/{key}/issues/{issueKey}/links", [key, issueKey], { body }, options);
  }

  /**
   * Delete a link, from either side.
   * Both issues lose the link. An issue without further open blockers is unblocked, which automations can react to.
   * 
   * Scope: `issues:write`. Role: member or above.
   * Operation `deleteLink`.
   */
  delete(key: string, issueKey: string, id: string, options?: CallOptions): Call<DeleteLinkResult> {
    return this.connection.call("DELETE", "/v1/workspaces/{slug}/projects/{key}/issues/{issueKey}/links/{id}", [key, issueKey, id], {}, options);
  }
}

/** Give a project's issues fields of its own: texts, numbers, choices, dates, people, links. */
export class CustomFieldDefsOperations extends Group {
  /**
   * List a project's custom fields in order.
   * The ids are the keys of `custom_fields` in issues.
   * 
   * Scope: `custom_fields:read`.
   * Operation `listCustomFieldDefs`.
   */
  list(key: string, query?: ListCustomFieldDefsQuery, options?: CallOptions): List<CustomFieldDef> {
    return this.connection.list("/v1/workspaces/{slug}/projects/{key}/custom-field-defs", [key], query, options);
  }

  /**
   * Add a custom field.
   * The field applies to issues of the types in `applies_to`, or of all types. `required` does not refuse anything: issues without a value get a warning, and forms ask for it.
   * 
   * Scope: `custom_fields:write`. Role: member or above.
   * Operation `createCustomFieldDef`.
   */
  create(key: string, body: CustomFieldDefCreateInput, options?: CallOptions): Call<CustomFieldDef> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/projects/{key}/custom-field-defs", [key], { body }, options);
  }

  /**
   * Change a custom field; dropping an option clears its values.
   * `kind` can change only while no issue has a value (409 `field_in_use`). Options that are left out are removed from all issues, and each issue that had one gets an event. Of more than 200 issues, all reads show it at once, and events and history follow within seconds to minutes.
   * 
   * Scope: `custom_fields:write`. Role: member or above.
   * Operation `patchCustomFieldDef`.
   */
  patch(key: string, id: string, body?: CustomFieldDefPatchInput, options?: CallOptions): Call<CustomFieldDef> {
    return this.connection.call("PATCH", "/v1/workspaces/{slug}/projects/{key}/custom-field-defs/{id}", [key, id], { body }, options);
  }

  /**
   * Delete a custom field with its values.
   * `values_deleted` counts the issues that had a value. Each gets an event. Of more than 200 issues, all reads show it at once, and events and history follow within seconds to minutes.
   * 
   * Scope: `custom_fields:write`. Role: member or above.
   * Operation `deleteCustomFieldDef`.
   */
  delete(key: string, id: string, options?: CallOptions): Call<DeleteCustomFieldDefResult> {
    return this.connection.call("DELETE", "/v1/workspaces/{slug}/projects/{key}/custom-field-defs/{id}", [key, id], {}, options);
  }
}

/** Read and set the values that an issue has in its project's own fields. */
export class CustomFieldsOperations extends Group {
  /**
   * List an issue's values of all fields that apply to it.
   * Fields without a value are listed with `null`.
   * 
   * Scope: `custom_fields:read`.
   * Operation `listCustomFields`.
   */
  list(key: string, issueKey: string, options?: CallOptions): Call<CustomFieldValue[]> {
    return this.connection.call("GET", "/v1/workspaces/{slug}/projects/{key}/issues/{issueKey}/custom-fields", [key, issueKey], {}, options);
  }

  /**
   * Set an issue's value of a field, or clear it with null.
   * The value's type depends on the field's kind: a text, a number, an option or a list of options, a date, a boolean, a URL, or the id of a person, project or doc. `PATCH` of the issue sets several fields at once with `custom_fields`.
   * 
   * Scope: `custom_fields:write`. Role: member or above.
   * Operation `setCustomField`.
   */
  set(key: string, issueKey: string, fieldId: string, body?: CustomFieldValueInput, options?: CallOptions): Call<CustomFieldValue> {
    return this.connection.call("PUT", "/v1/workspaces/{slug}/projects/{key}/issues/{issueKey}/custom-fields/{fieldId}", [key, issueKey, fieldId], { body }, options);
  }

  /**
   * Clear an issue's value of a field.
   * Clearing a field that has no value changes nothing.
   * 
   * Scope: `custom_fields:write`. Role: member or above.
   * Operation `clearCustomField`.
   */
  clear(key: string, issueKey: string, fieldId: string, options?: CallOptions): Call<CustomFieldValue> {
    return this.connection.call("DELETE", "/v1/workspaces/{slug}/projects/{key}/issues/{issueKey}/custom-fields/{fieldId}", [key, issueKey, fieldId], {}, options);
  }
}

/** Estimate an issue, log time spent on it, and see what remains. */
export class TimeOperations extends Group {
  /**
   * Read an issue's estimate and the time spent on it.
   * `remaining_minutes` is the estimate less the time spent, unless it was set. `children_spent_minutes` is not part of `spent_minutes`.
   * 
   * Scope: `issues:read`.
   * Operation `getTime`.
   */
  get(key: string, issueKey: string, options?: CallOptions): Call<TimeTracking> {
    return this.connection.call("GET", "/v1/workspaces/{slug}/projects/{key}/issues/{issueKey}/time", [key, issueKey], {}, options);
  }

  /**
   * Change an issue's estimate, or log time spent on it.
   * `log` adds minutes to the time spent, keeps an entry with a note and a day, and lowers `remaining_minutes` if it was set. `spent_minutes` sets the total instead; the two cannot be sent together. Only admins take back minutes that others logged. To correct an entry, change or delete it under `time/entries`.
   * 
   * Scope: `issues:write`. Role: member or above.
   * Operation `patchTime`.
   */
  patch(key: string, issueKey: string, body?: TimePatchInput, options?: CallOptions): Call<TimeTracking> {
    return this.connection.call("PATCH", "/v1/workspaces/{slug}/projects/{key}/issues/{issueKey}/time", [key, issueKey], { body }, options);
  }
}

/** Correct or delete single entries of an issue's time log. */
export class TimeEntriesOperations extends Group {
  /**
   * List the entries of an issue's time log, newest first.
   * Their sum need not be `spent_minutes`, which can also be set as a whole.
   * 
   * Scope: `issues:read`.
   * Operation `listTimeEntries`.
   */
  list(key: string, issueKey: string, query?: ListTimeEntriesQuery, options?: CallOptions): List<TimeEntry> {
    return this.connection.list("/v1/workspaces/{slug}/projects/{key}/issues/{issueKey}/time/entries", [key, issueKey], query, options);
  }

  /**
   * Log time spent on an issue.
   * Like `log` in `PATCH …/time`, and returns the entry alone, with the id by which it can be corrected.
   * 
   * Scope: `issues:write`. Role: member or above.
   * Operation `createTimeEntry`.
   */
  create(key: string, issueKey: string, body: TimeEntryCreateInput, options?: CallOptions): Call<TimeEntry> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/projects/{key}/issues/{issueKey}/time/entries", [key, issueKey], { body }, options);
  }

  /**
   * Read an entry of an issue's time log.
   * Scope: `issues:read`.
   * Operation `getTimeEntry`.
   */
  get(key: string, issueKey: string, entryId: string, options?: CallOptions): Call<TimeEntry> {
    return this.connection.call("GET", "/v1/workspaces/{slug}/projects/{key}/issues/{issueKey}/time/entries/{entryId}", [key, issueKey, entryId], {}, options);
  }

  /**
   * Correct an entry of an issue's time log.
   * The author, owners and admins may. `spent_minutes` of the issue changes by the difference, and `remaining_minutes` as if the entry had been right from the start, if it was set.
   * 
   * Scope: `issues:write`. Role: member or above.
   * Operation `patchTimeEntry`.
   */
  patch(key: string, issueKey: string, entryId: string, body?: TimeEntryPatchInput, options?: CallOptions): Call<TimeEntry> {
    return this.connection.call("PATCH", "/v1/workspaces/{slug}/projects/{key}/issues/{issueKey}/time/entries/{entryId}", [key, issueKey, entryId], { body }, options);
  }

  /**
   * Delete an entry of an issue's time log.
   * The author, owners and admins may. Its minutes are taken back from `spent_minutes` of the issue, and `remaining_minutes` gets back what they took from it, if it was set.
   * 
   * Scope: `issues:write`. Role: member or above.
   * Operation `deleteTimeEntry`.
   */
  delete(key: string, issueKey: string, entryId: string, options?: CallOptions): Call<DeleteTimeEntryResult> {
    return this.connection.call("DELETE", "/v1/workspaces/{slug}/projects/{key}/issues/{issueKey}/time/entries/{entryId}", [key, issueKey, entryId], {}, options);
  }
}

/** Discuss an issue, ask and answer; mentions notify people and wake agents. */
export class CommentsOperations extends Group {
  /**
   * List an issue's comments, oldest first.
   * Replies are in the list too; `parent_id` names the comment that they answer. `from` begins with one of the comments, e.g. with one that a search has found. A deleted comment that has replies stays as an empty row with `deleted_at`.
   * 
   * Scope: `comments:read`.
   * Operation `listComments`.
   */
  list(key: string, issueKey: string, query?: ListCommentsQuery, options?: CallOptions): List<Comment> {
    return this.connection.list("/v1/workspaces/{slug}/projects/{key}/issues/{issueKey}/comments", [key, issueKey], query, options);
  }

  /**
   * Comment on an issue.
   * `@[Name](user id)` mentions and notifies somebody; the author starts watching the issue. A person's comment on an issue also reaches the agents that work on it, as `agent_session.input`. `parent_id` makes it a reply; replies have one level. The same `external_id` by the same author returns the existing comment.
   * 
   * Scope: `comments:write`. Role: member or above, or a guest of the project.
   * Operation `createComment`.
   */
  create(key: string, issueKey: string, body: CommentCreateInput, options?: CallOptions): Call<Comment> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/projects/{key}/issues/{issueKey}/comments", [key, issueKey], { body }, options);
  }

  /**
   * Change a comment's text.
   * The author, owners and admins may. Only people whom the earlier text did not mention are notified.
   * 
   * Scope: `comments:write`. Role: member or above, or a guest of the project.
   * Operation `patchComment`.
   */
  patch(key: string, issueKey: string, id: string, body?: CommentPatchInput, options?: CallOptions): Call<Comment> {
    return this.connection.call("PATCH", "/v1/workspaces/{slug}/projects/{key}/issues/{issueKey}/comments/{id}", [key, issueKey, id], { body }, options);
  }

  /**
   * Delete a comment.
   * The author, owners and admins may. A comment with replies stays as an empty row with `deleted_at`.
   * 
   * Scope: `comments:write`. Role: member or above, or a guest of the project.
   * Operation `deleteComment`.
   */
  delete(key: string, issueKey: string, id: string, options?: CallOptions): Call<DeleteCommentResult> {
    return this.connection.call("DELETE", "/v1/workspaces/{slug}/projects/{key}/issues/{issueKey}/comments/{id}", [key, issueKey, id], {}, options);
  }

  /**
   * Add 1 to 50 comments; each item has its own result.
   * All items belong to the issue in the path.
   * 
   * Scope: `comments:write`. Role: member or above, or a guest of the project. Items are independent: 201 if all succeed, otherwise 207. If an item fails, the others are still stored.
   * Operation `bulkCreateComments`.
   */
  bulkCreate(key: string, issueKey: string, body: BulkCommentsCreateInput, options?: CallOptions): Call<BulkCommentRow[]> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/projects/{key}/issues/{issueKey}/comments/bulk", [key, issueKey], { body }, options);
  }
}

/** Attach screenshots, logs and other files to issues and comments. */
export class AttachmentsOperations extends Group {
  /**
   * List an issue's attachments, newest first, each with a download URL.
   * Each `url` is signed and valid until `url_expires_at`; list again for a new one.
   * 
   * Scope: `attachments:read`.
   * Operation `listAttachments`.
   */
  list(key: string, issueKey: string, query?: ListAttachmentsQuery, options?: CallOptions): List<Attachment> {
    return this.connection.list("/v1/workspaces/{slug}/projects/{key}/issues/{issueKey}/attachments", [key, issueKey], query, options);
  }

  /**
   * Announce a file and get a URL to upload it to; committing it makes it an attachment.
   * The first of three steps: PUT the bytes with the given `headers` to `url` (or, if your network allows only this service, to `relay_url`), then call `POST …/attachments/commit`. The upload reserves storage for its size and is valid for 15 minutes.
   * 
   * Scope: `attachments:write`. Role: member or above, or a guest of the project.
   * Operation `createAttachment`.
   */
  create(key: string, issueKey: string, body: AttachmentIntentInput, options?: CallOptions): Call<UploadIntent> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/projects/{key}/issues/{issueKey}/attachments", [key, issueKey], { body }, options);
  }

  /**
   * Attach an uploaded file; committing it again returns the same attachment.
   * Checks that the bytes have arrived and have the announced size and checksum: 409 `upload_missing` if there are none yet, 400 `upload_size_mismatch` or `checksum_mismatch` otherwise. Uploads that are not committed within 24 hours are deleted.
   * 
   * Scope: `attachments:write`. Role: member or above, or a guest of the project.
   * Operation `commitAttachment`.
   */
  commit(key: string, issueKey: string, body: AttachmentCommitInput, options?: CallOptions): Call<Attachment> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/projects/{key}/issues/{issueKey}/attachments/commit", [key, issueKey], { body }, options);
  }

  /**
   * Delete an attachment, or cancel an upload.
   * The file's bytes are deleted soon after, and its storage is free at once.
   * 
   * Scope: `attachments:write`. Role: member or above, or a guest of the project.
   * Operation `deleteAttachment`.
   */
  delete(key: string, issueKey: string, id: string, options?: CallOptions): Call<DeleteAttachmentResult> {
    return this.connection.call("DELETE", "/v1/workspaces/{slug}/projects/{key}/issues/{issueKey}/attachments/{id}", [key, issueKey, id], {}, options);
  }
}

/** Choose who is notified of an issue's changes. */
export class WatchersOperations extends Group {
  /**
   * List all watchers of an issue.
   * Scope: `issues:read`.
   * Operation `listWatchers`.
   */
  list(key: string, issueKey: string, options?: CallOptions): Call<Watcher[]> {
    return this.connection.call("GET", "/v1/workspaces/{slug}/projects/{key}/issues/{issueKey}/watchers", [key, issueKey], {}, options);
  }

  /**
   * Watch an issue; watching it again changes nothing.
   * Makes the caller a watcher, who is notified of comments and changes. Reporters, assignees, commenters and mentioned people watch without this call.
   * 
   * Scope: `issues:write`. Role: any.
   * Operation `createWatcher`.
   */
  create(key: string, issueKey: string, options?: CallOptions): Call<Watcher> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/projects/{key}/issues/{issueKey}/watchers", [key, issueKey], {}, options);
  }

  /**
   * Stop watching an issue; admins may stop others.
   * Stopping again changes nothing. It also holds for the reporter, assignees and commenters, until the person is mentioned or assigned again, or watches the issue again.
   * 
   * Scope: `issues:write`. Role: any.
   * Operation `deleteWatcher`.
   */
  delete(key: string, issueKey: string, userId: string, options?: CallOptions): Call<DeleteWatcherResult> {
    return this.connection.call("DELETE", "/v1/workspaces/{slug}/projects/{key}/issues/{issueKey}/watchers/{userId}", [key, issueKey, userId], {}, options);
  }
}

/** Choose who is notified of comments on a doc. */
export class DocWatchersOperations extends Group {
  /**
   * List all watchers of a doc.
   * Scope: `docs:read`.
   * Operation `listDocWatchers`.
   */
  list(id: string, options?: CallOptions): Call<Watcher[]> {
    return this.connection.call("GET", "/v1/workspaces/{slug}/docs/{id}/watchers", [id], {}, options);
  }

  /**
   * Watch a doc; watching it again changes nothing.
   * Makes the caller a watcher, who is notified of comments. The author, commenters and people mentioned in comments watch without this call.
   * 
   * Scope: `docs:write`. Role: any.
   * Operation `createDocWatcher`.
   */
  create(id: string, options?: CallOptions): Call<Watcher> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/docs/{id}/watchers", [id], {}, options);
  }

  /**
   * Stop watching a doc; admins may stop others.
   * Stopping again changes nothing. It holds until the person is mentioned or watches the doc again.
   * 
   * Scope: `docs:write`. Role: any.
   * Operation `deleteDocWatcher`.
   */
  delete(id: string, userId: string, options?: CallOptions): Call<DeleteDocWatcherResult> {
    return this.connection.call("DELETE", "/v1/workspaces/{slug}/docs/{id}/watchers/{userId}", [id, userId], {}, options);
  }
}

/** Sort a project's issues by topic, and filter by it. */
export class LabelsOperations extends Group {
  /**
   * List a project's labels by name.
   * `issue_count` counts the issues with the label, without archived ones. Leave it out of `fields` where nobody looks at it: of many issues, counting takes most of the time.
   * 
   * Scope: `labels:read`.
   * Operation `listLabels`.
   */
  list(key: string, query?: ListLabelsQuery, options?: CallOptions): List<LabelWithCount> {
    return this.connection.list("/v1/workspaces/{slug}/projects/{key}/labels", [key], query, options);
  }

  /**
   * Create a label.
   * Names are unique in the project, ignoring case (409 `already_exists`).
   * 
   * Scope: `labels:write`. Role: member or above.
   * Operation `createLabel`.
   */
  create(key: string, body: LabelCreateInput, options?: CallOptions): Call<Label> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/projects/{key}/labels", [key], { body }, options);
  }

  /**
   * Change a label.
   * The new name and color show on all issues at once; the issues record no event of their own.
   * 
   * Scope: `labels:write`. Role: member or above.
   * Operation `patchLabel`.
   */
  patch(key: string, id: string, body?: LabelPatchInput, options?: CallOptions): Call<Label> {
    return this.connection.call("PATCH", "/v1/workspaces/{slug}/projects/{key}/labels/{id}", [key, id], { body }, options);
  }

  /**
   * Delete a label and remove it from all issues.
   * Archived issues lose it, too. Each issue gets an event. Of more than 200 issues, all reads show it at once, and events and history follow within seconds to minutes.
   * 
   * Scope: `labels:write`. Role: member or above.
   * Operation `deleteLabel`.
   */
  delete(key: string, id: string, options?: CallOptions): Call<DeleteLabelResult> {
    return this.connection.call("DELETE", "/v1/workspaces/{slug}/projects/{key}/labels/{id}", [key, id], {}, options);
  }
}

/** Group issues that have to be done by a date, and follow their progress. */
export class MilestonesOperations extends Group {
  /**
   * List a project's milestones by rank.
   * Leave `progress` out of `fields` where nobody looks at it: of many issues, counting takes most of the time.
   * 
   * Scope: `projects:read`.
   * Operation `listMilestones`.
   */
  list(key: string, query?: ListMilestonesQuery, options?: CallOptions): List<Milestone> {
    return this.connection.list("/v1/workspaces/{slug}/projects/{key}/milestones", [key], query, options);
  }

  /**
   * Create a milestone.
   * Put issues into it with `milestone_id` of the issue.
   * 
   * Scope: `projects:write`. Role: member or above.
   * Operation `createMilestone`.
   */
  create(key: string, body: MilestoneCreateInput, options?: CallOptions): Call<Milestone> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/projects/{key}/milestones", [key], { body }, options);
  }

  /**
   * Read a milestone.
   * Scope: `projects:read`.
   * Operation `getMilestone`.
   */
  get(key: string, id: string, options?: CallOptions): Call<Milestone> {
    return this.connection.call("GET", "/v1/workspaces/{slug}/projects/{key}/milestones/{id}", [key, id], {}, options);
  }

  /**
   * Change a milestone.
   * Setting `status` to `completed` stores the time in `completed_at`; another status clears it. Issues do not change.
   * 
   * Scope: `projects:write`. Role: member or above.
   * Operation `patchMilestone`.
   */
  patch(key: string, id: string, body?: MilestonePatchInput, options?: CallOptions): Call<Milestone> {
    return this.connection.call("PATCH", "/v1/workspaces/{slug}/projects/{key}/milestones/{id}", [key, id], { body }, options);
  }

  /**
   * Delete a milestone and remove it from its issues.
   * `issues_detached` counts the issues that lost it. They are not archived, and each gets an event. Of more than 200 issues, all reads show it at once, and events and history follow within seconds to minutes.
   * 
   * Scope: `projects:write`. Role: member or above.
   * Operation `deleteMilestone`.
   */
  delete(key: string, id: string, options?: CallOptions): Call<DeleteMilestoneResult> {
    return this.connection.call("DELETE", "/v1/workspaces/{slug}/projects/{key}/milestones/{id}", [key, id], {}, options);
  }
}

/** Plan issues for a period of weeks, start it, complete it, and carry open issues over. */
export class SprintsOperations extends Group {
  /**
   * List a project's sprints by rank.
   * At most one sprint of a project is `active`. Leave `progress` out of `fields` where nobody looks at it: of many issues, counting takes most of the time.
   * 
   * Scope: `projects:read`.
   * Operation `listSprints`.
   */
  list(key: string, query?: ListSprintsQuery, options?: CallOptions): List<Sprint> {
    return this.connection.list("/v1/workspaces/{slug}/projects/{key}/sprints", [key], query, options);
  }

  /**
   * Create a sprint.
   * Put issues into it with `sprint_id` of the issue. With `status: active` it starts at once, and an active sprint goes back to planned.
   * 
   * Scope: `projects:write`. Role: member or above.
   * Operation `createSprint`.
   */
  create(key: string, body: SprintCreateInput, options?: CallOptions): Call<Sprint> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/projects/{key}/sprints", [key], { body }, options);
  }

  /**
   * Read a sprint.
   * Scope: `projects:read`.
   * Operation `getSprint`.
   */
  get(key: string, id: string, options?: CallOptions): Call<Sprint> {
    return this.connection.call("GET", "/v1/workspaces/{slug}/projects/{key}/sprints/{id}", [key, id], {}, options);
  }

  /**
   * Change, start or complete a sprint; starting one sets the active one back to planned.
   * `status: active` starts it: the issues in it are stored as its commitment, and another active sprint goes back to planned (`demoted_sprint_id`). `status: completed` ends it; `move_open_issues_to` then moves its open issues to another sprint or to the backlog, otherwise they stay. Of more than 200 issues, all reads show it at once, and events and history follow within seconds to minutes. From then on, no open issue comes to it (409 `sprint_completed`), and issues that are opened again leave it.
   * 
   * Scope: `projects:write`. Role: member or above.
   * Operation `patchSprint`.
   */
  patch(key: string, id: string, body?: SprintPatchInput, options?: CallOptions): Call<Sprint> {
    return this.connection.call("PATCH", "/v1/workspaces/{slug}/projects/{key}/sprints/{id}", [key, id], { body }, options);
  }

  /**
   * Delete a sprint and remove it from its issues.
   * `issues_detached` counts the issues that lost it. They are not archived, and each gets an event. Of more than 200 issues, all reads show it at once, and events and history follow within seconds to minutes.
   * 
   * Scope: `projects:write`. Role: member or above.
   * Operation `deleteSprint`.
   */
  delete(key: string, id: string, options?: CallOptions): Call<DeleteSprintResult> {
    return this.connection.call("DELETE", "/v1/workspaces/{slug}/projects/{key}/sprints/{id}", [key, id], {}, options);
  }
}

/** Collect the issues that a version contains, and mark it as released. */
export class ReleasesOperations extends Group {
  /**
   * List a project's releases by rank.
   * Leave `progress` out of `fields` where nobody looks at it: of many issues, counting takes most of the time.
   * 
   * Scope: `projects:read`.
   * Operation `listReleases`.
   */
  list(key: string, query?: ListReleasesQuery, options?: CallOptions): List<Release> {
    return this.connection.list("/v1/workspaces/{slug}/projects/{key}/releases", [key], query, options);
  }

  /**
   * Create a release.
   * Put issues into it with `release_id` of the issue. With `version`, a tag of the same name in the project's repository releases it.
   * 
   * Scope: `projects:write`. Role: member or above.
   * Operation `createRelease`.
   */
  create(key: string, body: ReleaseCreateInput, options?: CallOptions): Call<Release> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/projects/{key}/releases", [key], { body }, options);
  }

  /**
   * Read a release.
   * Scope: `projects:read`.
   * Operation `getRelease`.
   */
  get(key: string, id: string, options?: CallOptions): Call<Release> {
    return this.connection.call("GET", "/v1/workspaces/{slug}/projects/{key}/releases/{id}", [key, id], {}, options);
  }

  /**
   * Change a release, or mark it as released.
   * `status: released` stores `released_at`; another status clears it. Issues do not change.
   * 
   * Scope: `projects:write`. Role: member or above.
   * Operation `patchRelease`.
   */
  patch(key: string, id: string, body?: ReleasePatchInput, options?: CallOptions): Call<Release> {
    return this.connection.call("PATCH", "/v1/workspaces/{slug}/projects/{key}/releases/{id}", [key, id], { body }, options);
  }

  /**
   * Delete a release and remove it from its issues.
   * `issues_detached` counts the issues that lost it. They are not archived, and each gets an event. Of more than 200 issues, all reads show it at once, and events and history follow within seconds to minutes.
   * 
   * Scope: `projects:write`. Role: member or above.
   * Operation `deleteRelease`.
   */
  delete(key: string, id: string, options?: CallOptions): Call<DeleteReleaseResult> {
    return this.connection.call("DELETE", "/v1/workspaces/{slug}/projects/{key}/releases/{id}", [key, id], {}, options);
  }
}

/** Let people without an account report something: each submission of a form makes an issue. */
export class FormsOperations extends Group {
  /**
   * List a project's forms, newest first.
   * Scope: `forms:read`.
   * Operation `listForms`.
   */
  list(key: string, query?: ListFormsQuery, options?: CallOptions): List<FormSummary> {
    return this.connection.list("/v1/workspaces/{slug}/projects/{key}/forms", [key], query, options);
  }

  /**
   * Create a form; it is a draft unless the body sets another status.
   * A published form with `public_enabled` has a page at `share_url`, where anybody can submit it, within `access_mode` and the password. Submitting creates an issue with the form's defaults; fields with a `mapping` set its title, description or priority, those with a `custom_field_id` that custom field, and all others are listed in the description. A key needs `issues:write` as well. The form keeps the limits of the key that last defined it, and takes no more answers when that key ends (`disabled_reason`).
   * 
   * Scope: `forms:write`. Role: owner or admin.
   * Operation `createForm`.
   */
  create(key: string, body: FormCreateInput, options?: CallOptions): Call<Form> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/projects/{key}/forms", [key], { body }, options);
  }

  /**
   * Read a form with its fields in order.
   * Scope: `forms:read`.
   * Operation `getForm`.
   */
  get(key: string, id: string, options?: CallOptions): Call<Form> {
    return this.connection.call("GET", "/v1/workspaces/{slug}/projects/{key}/forms/{id}", [key, id], {}, options);
  }

  /**
   * Change a form, or publish it; `fields` replaces all fields.
   * A field in `fields` that names its `id` keeps its answers; fields that are left out are removed. `public_enabled: false` closes the page and keeps its address.
   * 
   * Scope: `forms:write`. Role: owner or admin.
   * Operation `patchForm`.
   */
  patch(key: string, id: string, body?: FormPatchInput, options?: CallOptions): Call<Form> {
    return this.connection.call("PATCH", "/v1/workspaces/{slug}/projects/{key}/forms/{id}", [key, id], { body }, options);
  }

  /**
   * Delete a form; its public page is gone at once, its submissions stay.
   * Issues that the form has created stay.
   * 
   * Scope: `forms:write`. Role: owner or admin.
   * Operation `deleteForm`.
   */
  delete(key: string, id: string, options?: CallOptions): Call<DeleteFormResult> {
    return this.connection.call("DELETE", "/v1/workspaces/{slug}/projects/{key}/forms/{id}", [key, id], {}, options);
  }

  /**
   * List a form's fields in order.
   * Scope: `forms:read`.
   * Operation `listFormFields`.
   */
  listFields(key: string, id: string, query?: ListFormFieldsQuery, options?: CallOptions): List<FormField> {
    return this.connection.list("/v1/workspaces/{slug}/projects/{key}/forms/{id}/fields", [key, id], query, options);
  }

  /**
   * List a form's submissions, newest first; for members.
   * `answers` are as sent, by the id of the field; `GET …/forms/{id}/fields` names the fields.
   * 
   * Scope: `forms:read`.
   * Operation `listFormSubmissions`.
   */
  listSubmissions(key: string, id: string, query?: ListFormSubmissionsQuery, options?: CallOptions): List<FormSubmission> {
    return this.connection.list("/v1/workspaces/{slug}/projects/{key}/forms/{id}/submissions", [key, id], query, options);
  }

  /**
   * Submit a form, which creates an issue; only admins may submit unpublished forms.
   * Answers are checked like on the public page. `created_issue_key` names the new issue. The limit of responses, the closing time and one answer for each address hold here too (409 `form_closed`, `already_answered`).
   * 
   * Scope: `issues:write`. Role: member or above.
   * Operation `submitForm`.
   */
  submit(key: string, id: string, body: FormSubmissionCreateInput, options?: CallOptions): Call<FormSubmission> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/projects/{key}/forms/{id}/submissions", [key, id], { body }, options);
  }

  /**
   * Read a submission, also of a deleted form; for members.
   * Scope: `forms:read`.
   * Operation `getFormSubmission`.
   */
  getSubmission(key: string, id: string, sid: string, options?: CallOptions): Call<FormSubmission> {
    return this.connection.call("GET", "/v1/workspaces/{slug}/projects/{key}/forms/{id}/submissions/{sid}", [key, id, sid], {}, options);
  }

  /**
   * Replace the address of a form's public page; the earlier address stops working at once.
   * Use it when the address has reached people who should not have it.
   * 
   * Scope: `forms:write`. Role: owner or admin.
   * Operation `rotateFormLink`.
   */
  rotateLink(key: string, id: string, options?: CallOptions): Call<Form> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/projects/{key}/forms/{id}/rotate-link", [key, id], {}, options);
  }
}

/** Say what is to be reached; progress follows from key results and the goals below. */
export class GoalsOperations extends Group {
  /**
   * List goals, newest first.
   * `scope=company` lists goals without a portfolio. It cannot be combined with `portfolio_id` (400 `mutually_exclusive`). Guests see no goals.
   * 
   * Scope: `goals:read`. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `listGoals`.
   */
  list(query?: ListGoalsQuery, options?: CallOptions): List<Goal> {
    return this.connection.list("/v1/workspaces/{slug}/goals", [], query, options);
  }

  /**
   * Create a goal.
   * Progress comes from key results and from the goals below it: add key results with `POST …/goals/{goalId}/key-results`. Goals have at most ten levels (400 `depth_limit_reached`). You own it unless `owner_user_id` says otherwise.
   * 
   * Scope: `goals:write`. Role: member or above. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `createGoal`.
   */
  create(body: GoalCreateInput, options?: CallOptions): Call<Goal> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/goals", [], { body }, options);
  }

  /**
   * Change a goal, or set its status.
   * The progress of the goals above is computed again in the same call. `progress_override` and `status_override` replace what is computed, until they are `null` again. A goal cannot be moved below itself (400 `goal_cycle`).
   * 
   * Scope: `goals:write`. Role: member or above. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `patchGoal`.
   */
  patch(id: string, body?: GoalPatchInput, options?: CallOptions): Call<Goal> {
    return this.connection.call("PATCH", "/v1/workspaces/{slug}/goals/{id}", [id], { body }, options);
  }

  /**
   * Delete a goal with its key results; the goals below it stay, without a parent.
   * `orphaned_goal_count` counts the goals that lost their parent.
   * 
   * Scope: `goals:write`. Role: member or above. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `deleteGoal`.
   */
  delete(id: string, options?: CallOptions): Call<DeleteGoalResult> {
    return this.connection.call("DELETE", "/v1/workspaces/{slug}/goals/{id}", [id], {}, options);
  }

  /**
   * Read a goal with its key results, the goals below it, and how its progress was computed.
   * Progress is the mean of the measured key results and goals below, by weight; `rollup` shows the numbers. What is not measured does not count, and a goal with nothing measured has the progress `null`. If Accept names `image/svg+xml`, the reply is a chart of the roll-up.
   * 
   * Scope: `goals:read`. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `getGoal`.
   */
  get(id: string, query?: GetGoalQuery, options?: CallOptions): Call<GoalDetail> {
    return this.connection.call("GET", "/v1/workspaces/{slug}/goals/{id}", [id], { query }, options);
  }

  /**
   * Read a goal with its key results, the goals below it, and how its progress was computed.
   * Progress is the mean of the measured key results and goals below, by weight; `rollup` shows the numbers. What is not measured does not count, and a goal with nothing measured has the progress `null`. If Accept names `image/svg+xml`, the reply is a chart of the roll-up.
   * 
   * Scope: `goals:read`. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `getGoal`.
   */
  getAs(id: string, as: "image/svg+xml", query?: GetGoalQuery, options?: CallOptions): Call<Blob> {
    return this.connection.blob("/v1/workspaces/{slug}/goals/{id}", [id], as, { query }, options);
  }
}

/** Measure a goal by hand or by the issues that are done. */
export class KeyResultsOperations extends Group {
  /**
   * List a goal's key results, newest first.
   * Scope: `goals:read`. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `listKeyResults`.
   */
  list(goalId: string, options?: CallOptions): Call<KeyResult[]> {
    return this.connection.call("GET", "/v1/workspaces/{slug}/goals/{goalId}/key-results", [goalId], {}, options);
  }

  /**
   * Create a key result: a value that somebody reports, or a count of issues.
   * `manual` takes values that people report in `current_value`. `auto` counts the done issues within `scope`, and follows them without further calls; by default it counts the projects of the goal's portfolio, or of the whole workspace.
   * 
   * Scope: `goals:write`. Role: member or above. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `createKeyResult`.
   */
  create(goalId: string, body: KeyResultCreateInput, options?: CallOptions): Call<KeyResult> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/goals/{goalId}/key-results", [goalId], { body }, options);
  }

  /**
   * Change a key result, or report its value.
   * The progress of its goal, and of the goals above, is computed again in the same call. `kind` cannot be changed; values sent for an `auto` key result are ignored with a warning.
   * 
   * Scope: `goals:write`. Role: member or above. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `patchKeyResult`.
   */
  patch(goalId: string, id: string, body?: KeyResultPatchInput, options?: CallOptions): Call<KeyResult> {
    return this.connection.call("PATCH", "/v1/workspaces/{slug}/goals/{goalId}/key-results/{id}", [goalId, id], { body }, options);
  }

  /**
   * Delete a key result.
   * The progress of its goal, and of the goals above, is computed again in the same call.
   * 
   * Scope: `goals:write`. Role: member or above. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `deleteKeyResult`.
   */
  delete(goalId: string, id: string, options?: CallOptions): Call<DeleteKeyResultResult> {
    return this.connection.call("DELETE", "/v1/workspaces/{slug}/goals/{goalId}/key-results/{id}", [goalId, id], {}, options);
  }
}

/** Look at several projects and goals as one, with their common progress. */
export class PortfoliosOperations extends Group {
  /**
   * List portfolios, newest first.
   * Scope: `portfolios:read`. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `listPortfolios`.
   */
  list(query?: ListPortfoliosQuery, options?: CallOptions): List<Portfolio> {
    return this.connection.list("/v1/workspaces/{slug}/portfolios", [], query, options);
  }

  /**
   * Create a portfolio.
   * Add projects with `POST …/portfolios/{portfolioId}/projects`, and goals with `portfolio_id` of the goal.
   * 
   * Scope: `portfolios:write`. Role: owner or admin. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `createPortfolio`.
   */
  create(body: PortfolioCreateInput, options?: CallOptions): Call<Portfolio> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/portfolios", [], { body }, options);
  }

  /**
   * Read a portfolio.
   * Scope: `portfolios:read`. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `getPortfolio`.
   */
  get(portfolioId: string, options?: CallOptions): Call<Portfolio> {
    return this.connection.call("GET", "/v1/workspaces/{slug}/portfolios/{portfolioId}", [portfolioId], {}, options);
  }

  /**
   * Change a portfolio.
   * Goals and projects in it do not change.
   * 
   * Scope: `portfolios:write`. Role: owner or admin. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `patchPortfolio`.
   */
  patch(portfolioId: string, body?: PortfolioPatchInput, options?: CallOptions): Call<Portfolio> {
    return this.connection.call("PATCH", "/v1/workspaces/{slug}/portfolios/{portfolioId}", [portfolioId], { body }, options);
  }

  /**
   * Delete a portfolio; its goals become goals of the company, its projects stay.
   * `released_goal_count` and `removed_project_count` count what it contained. Automatic key results that counted the portfolio's projects count others now.
   * 
   * Scope: `portfolios:write`. Role: owner or admin. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `deletePortfolio`.
   */
  delete(portfolioId: string, options?: CallOptions): Call<DeletePortfolioResult> {
    return this.connection.call("DELETE", "/v1/workspaces/{slug}/portfolios/{portfolioId}", [portfolioId], {}, options);
  }
}

/** Put projects into a portfolio and take them out. */
export class PortfolioProjectsOperations extends Group {
  /**
   * List the projects of a portfolio that you can see, by name.
   * Scope: `portfolios:read`. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `listPortfolioProjects`.
   */
  list(portfolioId: string, options?: CallOptions): Call<PortfolioProject[]> {
    return this.connection.call("GET", "/v1/workspaces/{slug}/portfolios/{portfolioId}/projects", [portfolioId], {}, options);
  }

  /**
   * Add a project to a portfolio.
   * Adding it again changes nothing; the reply is 201 in any case. Automatic key results of the portfolio's goals count its issues too.
   * 
   * Scope: `portfolios:write`. Role: owner or admin. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `createPortfolioProject`.
   */
  create(portfolioId: string, body: PortfolioProjectAddInput, options?: CallOptions): Call<PortfolioProject> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/portfolios/{portfolioId}/projects", [portfolioId], { body }, options);
  }

  /**
   * Remove a project from a portfolio; the project stays as it is.
   * The reply is 200 also if the project was not in the portfolio.
   * 
   * Scope: `portfolios:write`. Role: owner or admin. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `deletePortfolioProject`.
   */
  delete(portfolioId: string, projectId: string, options?: CallOptions): Call<DeletePortfolioProjectResult> {
    return this.connection.call("DELETE", "/v1/workspaces/{slug}/portfolios/{portfolioId}/projects/{projectId}", [portfolioId, projectId], {}, options);
  }
}

/** Keep a filter of issues across projects under a name, and list what matches. */
export class ViewsOperations extends Group {
  /**
   * List the shared views across projects and your own, newest first.
   * Scope: `saved_views:read`. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `listViews`.
   */
  list(query?: ListViewsQuery, options?: CallOptions): List<WorkspaceView> {
    return this.connection.list("/v1/workspaces/{slug}/views", [], query, options);
  }

  /**
   * Save a view across projects; viewers cannot share it.
   * A view across projects shows to each reader the issues that they can see; read them with `GET …/views/{id}/issues`.
   * 
   * Scope: `saved_views:write`. Role: any. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `createView`.
   */
  create(body: WorkspaceViewCreateInput, options?: CallOptions): Call<WorkspaceView> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/views", [], { body }, options);
  }

  /**
   * Read a view.
   * Scope: `saved_views:read`. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `getView`.
   */
  get(id: string, options?: CallOptions): Call<WorkspaceView> {
    return this.connection.call("GET", "/v1/workspaces/{slug}/views/{id}", [id], {}, options);
  }

  /**
   * Change a view; only its creator, an owner or an admin may.
   * `filter` and `columns` are replaced as a whole.
   * 
   * Scope: `saved_views:write`. Role: any. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `patchView`.
   */
  patch(id: string, body?: WorkspaceViewPatchInput, options?: CallOptions): Call<WorkspaceView> {
    return this.connection.call("PATCH", "/v1/workspaces/{slug}/views/{id}", [id], { body }, options);
  }

  /**
   * Delete a view; only its creator, an owner or an admin may.
   * Issues do not change.
   * 
   * Scope: `saved_views:write`. Role: any. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `deleteView`.
   */
  delete(id: string, options?: CallOptions): Call<DeleteViewResult> {
    return this.connection.call("DELETE", "/v1/workspaces/{slug}/views/{id}", [id], {}, options);
  }

  /**
   * List the issues that a view shows, from the projects that you can see.
   * Issues are in the order of the view's `sort`. Two readers of a shared view may get different issues.
   * 
   * Scope: `issues:read`. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `listViewIssues`.
   */
  listIssues(id: string, query?: ListViewIssuesQuery, options?: CallOptions): List<Issue> {
    return this.connection.list("/v1/workspaces/{slug}/views/{id}/issues", [id], query, options);
  }
}

/** Write and read documents as Markdown, append to them, replace parts, and export them. */
export class DocsOperations extends Group {
  /**
   * List docs, newest first, without their texts.
   * Without `project`, docs of all projects that you see and of the workspace itself. Private docs are listed only for their author. To read texts, name `body_md` in `fields`, or read the doc.
   * 
   * Scope: `docs:read`.
   * Operation `listDocs`.
   */
  list(query?: ListDocsQuery, options?: CallOptions): List<Doc> {
    return this.connection.list("/v1/workspaces/{slug}/docs", [], query, options);
  }

  /**
   * Create a doc.
   * A doc belongs to a project, or to the workspace if it names none; `parent_id` puts it below another one of the same place. `body_md` is the text. `body_json` keeps the state of an editor beside it; if only `body_json` is sent and it is rich text, the Markdown is made from it. Only its author sees a doc with `visibility: private`.
   * 
   * Scope: `docs:write`. Role: member or above.
   * Operation `createDoc`.
   */
  create(body?: DocCreateInput, options?: CallOptions): Call<Doc> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/docs", [], { body }, options);
  }

  /**
   * Create 1 to 50 docs; each item has its own result.
   * The body may have up to 8 MiB.
   * 
   * Scope: `docs:write`. Role: member or above. Items are independent: 201 if all succeed, otherwise 207. If an item fails, the others are still stored.
   * Operation `bulkCreateDocs`.
   */
  bulkCreate(body: BulkDocsCreateInput, options?: CallOptions): Call<BulkDocRow[]> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/docs/bulk", [], { body }, options);
  }

  /**
   * Read a doc.
   * Archived docs can still be read.
   * 
   * Scope: `docs:read`.
   * Operation `getDoc`.
   */
  get(id: string, query?: GetDocQuery, options?: CallOptions): Call<Doc> {
    return this.connection.call("GET", "/v1/workspaces/{slug}/docs/{id}", [id], { query }, options);
  }

  /**
   * Change a doc, append to it, replace parts of it, or bring it back from the archive.
   * `append` adds to the end; `replace` changes parts: each `find` must occur exactly once (400 `replace_not_found`, `replace_ambiguous`), so nobody overwrites what they have not read. Sending `body_md` replaces the text and clears a stored `body_json`. A change of title or text makes a version. `archived: false` brings the doc back for 30 days after it was archived.
   * 
   * Scope: `docs:write`. Role: member or above.
   * Operation `patchDoc`.
   */
  patch(id: string, body?: DocPatchInput, options?: CallOptions): Call<Doc> {
    return this.connection.call("PATCH", "/v1/workspaces/{slug}/docs/{id}", [id], { body }, options);
  }

  /**
   * Archive a doc; archiving it again changes nothing.
   * It leaves lists and search, but can still be read. `PATCH` with `archived: false` brings it back within 30 days.
   * 
   * Scope: `docs:write`. Role: member or above.
   * Operation `deleteDoc`.
   */
  delete(id: string, options?: CallOptions): Call<DeleteDocResult> {
    return this.connection.call("DELETE", "/v1/workspaces/{slug}/docs/{id}", [id], {}, options);
  }

  /**
   * Export a doc as Markdown, HTML or PDF, in JSON or as a file if Accept names its type.
   * `format` chooses Markdown, HTML or PDF; comments are not in the export. HTML is sanitized and stands alone. In JSON, a PDF is base64. A large doc costs more units of the rate limit.
   * 
   * Scope: `docs:read`.
   * Operation `getDocExport`.
   */
  getExport(id: string, query?: GetDocExportQuery, options?: CallOptions): Call<DocExport> {
    return this.connection.call("GET", "/v1/workspaces/{slug}/docs/{id}/export", [id], { query }, options);
  }

  /**
   * Export a doc as Markdown, HTML or PDF, in JSON or as a file if Accept names its type.
   * `format` chooses Markdown, HTML or PDF; comments are not in the export. HTML is sanitized and stands alone. In JSON, a PDF is base64. A large doc costs more units of the rate limit.
   * 
   * Scope: `docs:read`.
   * Operation `getDocExport`.
   */
  getExportAs(id: string, as: "text/markdown" | "text/html" | "application/pdf", options?: CallOptions): Call<Blob> {
    return this.connection.blob("/v1/workspaces/{slug}/docs/{id}/export", [id], as, {}, options);
  }
}

/** Discuss a doc or a passage of it, and mark a discussion as resolved. */
export class DocCommentsOperations extends Group {
  /**
   * List a doc's comments, oldest first.
   * Scope: `docs:read`.
   * Operation `listDocComments`.
   */
  list(id: string, query?: ListDocCommentsQuery, options?: CallOptions): List<DocComment> {
    return this.connection.list("/v1/workspaces/{slug}/docs/{id}/comments", [id], query, options);
  }

  /**
   * Comment on a doc, on a part of it, or on another comment.
   * `anchor.quote` says to which part of the text the comment belongs. `parent_id` makes it a reply. `@[Name](user id)` mentions and notifies somebody.
   * 
   * Scope: `docs:write`. Role: member or above.
   * Operation `createDocComment`.
   */
  create(id: string, body: DocCommentCreateInput, options?: CallOptions): Call<DocComment> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/docs/{id}/comments", [id], { body }, options);
  }

  /**
   * Change a comment's text, or resolve it; only its author and admins may.
   * `resolved` may be sent alone.
   * 
   * Scope: `docs:write`. Role: member or above.
   * Operation `patchDocComment`.
   */
  patch(id: string, commentId: string, body?: DocCommentPatchInput, options?: CallOptions): Call<DocComment> {
    return this.connection.call("PATCH", "/v1/workspaces/{slug}/docs/{id}/comments/{commentId}", [id, commentId], { body }, options);
  }

  /**
   * Delete a comment; only its author and admins may.
   * A comment with replies stays as an empty row with `deleted_at`.
   * 
   * Scope: `docs:write`. Role: member or above.
   * Operation `deleteDocComment`.
   */
  delete(id: string, commentId: string, options?: CallOptions): Call<DeleteDocCommentResult> {
    return this.connection.call("DELETE", "/v1/workspaces/{slug}/docs/{id}/comments/{commentId}", [id, commentId], {}, options);
  }
}

/** Read earlier states of a doc and bring one back. A change of the title or text makes a version. Changes by the same author within five minutes make one version, unless `snapshot: true` keeps a state as a version of its own. */
export class DocVersionsOperations extends Group {
  /**
   * List a doc's versions, newest first, without their texts.
   * How many versions are kept depends on the plan; the oldest go first.
   * 
   * Scope: `docs:read`.
   * Operation `listDocVersions`.
   */
  list(id: string, query?: ListDocVersionsQuery, options?: CallOptions): List<DocVersionSummary> {
    return this.connection.list("/v1/workspaces/{slug}/docs/{id}/versions", [id], query, options);
  }

  /**
   * Read a version of a doc.
   * Send its id to `POST …/versions/{versionId}/restore` to bring the doc back to it.
   * 
   * Scope: `docs:read`.
   * Operation `getDocVersion`.
   */
  get(id: string, versionId: string, options?: CallOptions): Call<DocVersion> {
    return this.connection.call("GET", "/v1/workspaces/{slug}/docs/{id}/versions/{versionId}", [id, versionId], {}, options);
  }

  /**
   * Restore a doc's title and text to those of a version; the present ones are kept as a version.
   * The restored state becomes the newest version, so nothing is lost. Comments, the place of the doc and its visibility do not change.
   * 
   * Scope: `docs:write`. Role: member or above.
   * Operation `restoreDocVersion`.
   */
  restore(id: string, versionId: string, options?: CallOptions): Call<Doc> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/docs/{id}/versions/{versionId}/restore", [id, versionId], {}, options);
  }
}

/** Open channels for topics, projects and private groups, follow them live, and archive them. */
export class ChatChannelsOperations extends Group {
  /**
   * List public channels and your own private channels and direct messages, newest first.
   * Agents see the channels that they are in, like people. `unread_count` counts messages of others after your read mark.
   * 
   * Scope: `chat:read`.
   * Operation `listChatChannels`.
   */
  list(query?: ListChatChannelsQuery, options?: CallOptions): List<ChatChannel> {
    return this.connection.list("/v1/workspaces/{slug}/chat/channels", [], query, options);
  }

  /**
   * Create a channel.
   * You become its owner. `slug` is made from the name and is unique among live channels (409 `already_exists`). A public channel with `project` is seen by those who see the project. Direct messages are opened with `POST …/chat/dms`.
   * 
   * Scope: `chat:write`. Role: member or above.
   * Operation `createChatChannel`.
   */
  create(body: ChatChannelCreateInput, options?: CallOptions): Call<ChatChannel> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/chat/channels", [], { body }, options);
  }

  /**
   * Read a channel.
   * Scope: `chat:read`.
   * Operation `getChatChannel`.
   */
  get(channelId: string, query?: GetChatChannelQuery, options?: CallOptions): Call<ChatChannel> {
    return this.connection.call("GET", "/v1/workspaces/{slug}/chat/channels/{channelId}", [channelId], { query }, options);
  }

  /**
   * Rename a channel, set its topic, or archive it.
   * The owners of the channel and admins may. In an archived channel messages can be read, but not written (409 `archived`). A direct message can only be archived, and only for yourself: the next message brings it back.
   * 
   * Scope: `chat:write`. Role: any.
   * Operation `patchChatChannel`.
   */
  patch(channelId: string, body?: ChatChannelPatchInput, options?: CallOptions): Call<ChatChannel> {
    return this.connection.call("PATCH", "/v1/workspaces/{slug}/chat/channels/{channelId}", [channelId], { body }, options);
  }

  /**
   * Open a direct message; the same people always have the same one.
   * `user_ids` are the other people or agents, 1 to 8.
   * 
   * Scope: `chat:write`. Role: any. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `dmChatChannel`.
   */
  dm(body: ChatDmInput, options?: CallOptions): Call<ChatChannel> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/chat/dms", [], { body }, options);
  }
}

/** See who is in a channel, and add and remove people and agents. */
export class ChatMembersOperations extends Group {
  /**
   * List a channel's members, most recently joined first.
   * Scope: `chat:read`.
   * Operation `listChatMembers`.
   */
  list(channelId: string, query?: ListChatMembersQuery, options?: CallOptions): List<ChatChannelMember> {
    return this.connection.list("/v1/workspaces/{slug}/chat/channels/{channelId}/members", [channelId], query, options);
  }

  /**
   * Join a public channel, or add somebody to a channel that you own.
   * Without `user_id`, or with `me`, you join. Adding somebody again changes nothing; the reply is 201 in any case.
   * 
   * Scope: `chat:write`. Role: any.
   * Operation `createChatMember`.
   */
  create(channelId: string, body?: ChatChannelMemberInput, options?: CallOptions): Call<ChatChannelMember> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/chat/channels/{channelId}/members", [channelId], { body }, options);
  }

  /**
   * Mute a channel for yourself, or end that.
   * In a muted channel only mentions of you notify you; its messages still count as unread. Everybody mutes for themselves only.
   * 
   * Scope: `chat:write`. Role: any.
   * Operation `patchChatMember`.
   */
  patch(channelId: string, userId: string, body?: ChatChannelMemberPatchInput, options?: CallOptions): Call<ChatChannelMember> {
    return this.connection.call("PATCH", "/v1/workspaces/{slug}/chat/channels/{channelId}/members/{userId}", [channelId, userId], { body }, options);
  }

  /**
   * Leave a channel, or remove somebody from a channel that you own.
   * They no longer see a private channel, and their streams of it end. When the last owner leaves, the oldest member becomes the owner.
   * 
   * Scope: `chat:write`. Role: any.
   * Operation `deleteChatMember`.
   */
  delete(channelId: string, userId: string, options?: CallOptions): Call<DeleteChatMemberResult> {
    return this.connection.call("DELETE", "/v1/workspaces/{slug}/chat/channels/{channelId}/members/{userId}", [channelId, userId], {}, options);
  }
}

/** Write messages, also part by part while a model produces them, answer in threads, and react. */
export class ChatMessagesOperations extends Group {
  /**
   * List a channel's messages, newest first; the newest page marks them as read.
   * Replies are in the list; `top_level=true` leaves them out, and `root_id` lists one thread. `around` begins with the page that has a certain message in its middle, and marks nothing as read. To follow a channel, listen to `GET …/channels/{channelId}/stream` instead of polling.
   * 
   * Scope: `chat:read`.
   * Operation `listChatMessages`.
   */
  list(channelId: string, query?: ListChatMessagesQuery, options?: CallOptions): List<ChatMessage> {
    return this.connection.list("/v1/workspaces/{slug}/chat/channels/{channelId}/messages", [channelId], query, options);
  }

  /**
   * Write a message or a reply; in a public channel, this makes you a member.
   * `@[Name](user id)` mentions and notifies somebody; an agent hears it on its event stream. `parent_id` makes it a reply in a thread. The same `client_id` by the same author returns the existing message, so a repeated call writes once.
   * 
   * Scope: `chat:write`. Role: any.
   * Operation `createChatMessage`.
   */
  create(channelId: string, body: ChatMessageCreateInput, options?: CallOptions): Call<ChatMessage> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/chat/channels/{channelId}/messages", [channelId], { body }, options);
  }

  /**
   * Change the text of your own message.
   * Sets `edited_at`. Only people whom the earlier text did not mention are notified.
   * 
   * Scope: `chat:write`. Role: any.
   * Operation `patchChatMessage`.
   */
  patch(channelId: string, messageId: string, body?: ChatMessagePatchInput, options?: CallOptions): Call<ChatMessage> {
    return this.connection.call("PATCH", "/v1/workspaces/{slug}/chat/channels/{channelId}/messages/{messageId}", [channelId, messageId], { body }, options);
  }

  /**
   * Delete your own message; admins may delete any.
   * Replies stay. A message that has replies stays as an empty row with `deleted_at`.
   * 
   * Scope: `chat:write`. Role: any.
   * Operation `deleteChatMessage`.
   */
  delete(channelId: string, messageId: string, options?: CallOptions): Call<DeleteChatMessageResult> {
    return this.connection.call("DELETE", "/v1/workspaces/{slug}/chat/channels/{channelId}/messages/{messageId}", [channelId, messageId], {}, options);
  }

  /**
   * Write a message part by part: open it, add to it, and end it with `done`.
   * Without `message_id` the call opens a message, which everybody in the channel sees at once with `streaming: true`. Each further call adds `delta`; number them with `seq`, and a repeated call changes nothing, while a missing one is 409 `stream_gap` with `expected_seq`. `done: true` completes it; `body_md` may then replace the whole text. After two minutes without a call the message is completed with the text so far (409 `stream_closed`). A message has at most 64,000 characters.
   * 
   * Scope: `chat:write`. Role: any.
   * Operation `streamChatMessage`.
   */
  stream(channelId: string, body?: ChatStreamInput, options?: CallOptions): Call<ChatStreamReply> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/chat/channels/{channelId}/messages/stream", [channelId], { body }, options);
  }

  /**
   * Listen to a channel: new and changed messages, and messages while they are written.
   * Server-sent events: `chat.message.created`, `.delta`, `.updated`, `.reactions` and `.deleted`. The stream begins with `stream.ready` and sends nothing of earlier; read `GET …/messages` after that. It closes after an hour with `stream.closing`: connect again. A key has at most 20 streams open and opens at most 60 a minute.
   * 
   * Scope: `chat:read`.
   * Operation `getChatMessageListen`.
   */
  listen(channelId: string, options?: StreamOptions): EventStream<ChannelEvent> {
    return this.connection.stream("/v1/workspaces/{slug}/chat/channels/{channelId}/stream", [channelId], readChannelEvent, options);
  }

  /**
   * Mark the messages of a channel as read.
   * Without `message_id`, all messages up to now. The mark never moves back.
   * 
   * Scope: `chat:write`. Role: any.
   * Operation `readChatMessage`.
   */
  read(channelId: string, body?: ChatReadInput, options?: CallOptions): Call<ChatChannel> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/chat/channels/{channelId}/read", [channelId], { body }, options);
  }

  /**
   * Add your reaction to a message.
   * The same reaction again changes nothing.
   * 
   * Scope: `chat:write`. Role: any.
   * Operation `reactChatMessage`.
   */
  react(channelId: string, messageId: string, body: ChatReactionInput, options?: CallOptions): Call<ChatReactions> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/chat/channels/{channelId}/messages/{messageId}/reactions", [channelId, messageId], { body }, options);
  }

  /**
   * Remove your reaction from a message.
   * Removing a reaction that you have not given changes nothing.
   * 
   * Scope: `chat:write`. Role: any.
   * Operation `unreactChatMessage`.
   */
  unreact(channelId: string, messageId: string, emoji: string, options?: CallOptions): Call<ChatReactions> {
    return this.connection.call("DELETE", "/v1/workspaces/{slug}/chat/channels/{channelId}/messages/{messageId}/reactions/{emoji}", [channelId, messageId, emoji], {}, options);
  }
}

/** Find issues, docs, comments, messages, projects, people and goals by words, in all projects that the caller sees. */
export class SearchOperations extends Group {
  /**
   * Search issues, docs, comments, messages, projects, people and goals, the best matches first.
   * Words are combined with and, `"…"` finds a phrase, and `-word` excludes. The last word also matches the beginning of longer words. Without `types`, issues and docs are searched, and projects, people and goals if the key has their scopes. An issue key finds its issue first; then title, key and labels count more than the text, and recent issues, docs, comments and messages more than old ones. People are the members of the workspace, whom their names and, except for guests, the beginnings of their e-mail addresses find; agents are listed by `GET …/agents`. Archived and deleted objects are not found. `snippet` is escaped HTML with `<mark>` around matches. A key searches at most 60 times a minute.
   * 
   * Scope: `search:read`.
   * Operation `listSearchQuery`.
   */
  query(query: ListSearchQueryQuery, options?: CallOptions): List<SearchResult> {
    return this.connection.list("/v1/workspaces/{slug}/search", [], query, options);
  }
}

/** Define the stages that issues go through, with approvals, waits and branches, and who works on each. */
export class WorkflowsOperations extends Group {
  /**
   * List workflows, newest first.
   * Scope: `workflows:read`.
   * Operation `listWorkflows`.
   */
  list(query?: ListWorkflowsQuery, options?: CallOptions): List<Workflow> {
    return this.connection.list("/v1/workspaces/{slug}/workflows", [], query, options);
  }

  /**
   * Create a workflow as a draft, with or without its graph.
   * Send `nodes` and `edges` here or later with `PUT …/graph`. Enable it with `PATCH` and `status: enabled`, then start it on issues with `POST …/issues/{issueKey}/workflow`.
   * 
   * Scope: `workflows:write`. Role: owner or admin.
   * Operation `createWorkflow`.
   */
  create(body: WorkflowCreateInput, options?: CallOptions): Call<Workflow> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/workflows", [], { body }, options);
  }

  /**
   * Change a workflow, or enable or disable it.
   * Enabling checks the whole graph: exactly one start, everything reachable, both branches of each condition, people and agents that exist. `problems` in the reply of a read lists what is wrong beforehand; 400 `graph_invalid` otherwise. Back to `draft`, it takes no new starts; open runs go on.
   * 
   * Scope: `workflows:write`. Role: owner or admin.
   * Operation `patchWorkflow`.
   */
  patch(id: string, body?: WorkflowPatchInput, options?: CallOptions): Call<Workflow> {
    return this.connection.call("PATCH", "/v1/workspaces/{slug}/workflows/{id}", [id], { body }, options);
  }

  /**
   * Read a workflow with its graph, or its picture if Accept names image/svg+xml.
   * `valid` and `problems` say whether it can be enabled.
   * 
   * Scope: `workflows:read`.
   * Operation `getWorkflow`.
   */
  get(id: string, options?: CallOptions): Call<WorkflowDetail> {
    return this.connection.call("GET", "/v1/workspaces/{slug}/workflows/{id}", [id], {}, options);
  }

  /**
   * Read a workflow with its graph, or its picture if Accept names image/svg+xml.
   * `valid` and `problems` say whether it can be enabled.
   * 
   * Scope: `workflows:read`.
   * Operation `getWorkflow`.
   */
  getAs(id: string, as: "image/svg+xml", options?: CallOptions): Call<Blob> {
    return this.connection.blob("/v1/workspaces/{slug}/workflows/{id}", [id], as, {}, options);
  }

  /**
   * Delete a workflow.
   * Refused while issues are in it (409 `workflow_runs_in_flight` with the number), unless `cancel_runs=true` cancels these runs.
   * 
   * Scope: `workflows:write`. Role: owner or admin.
   * Operation `deleteWorkflow`.
   */
  delete(id: string, query?: DeleteWorkflowQuery, options?: CallOptions): Call<DeleteWorkflowResult> {
    return this.connection.call("DELETE", "/v1/workspaces/{slug}/workflows/{id}", [id], { query }, options);
  }

  /**
   * Replace the graph of a workflow; open runs keep theirs.
   * Each call makes a new version. Ids of nodes and edges are yours and are kept. The graph must have no circle and no unknown or double id, else nothing is stored (400 `graph_invalid`); a draft may be incomplete in other ways.
   * 
   * Scope: `workflows:write`. Role: owner or admin.
   * Operation `graphWorkflow`.
   */
  graph(id: string, body: WorkflowGraphInput, options?: CallOptions): Call<WorkflowDetail> {
    return this.connection.call("PUT", "/v1/workspaces/{slug}/workflows/{id}/graph", [id], { body }, options);
  }
}

/** Send an issue through a workflow, complete and approve its stages, and see where it stands. */
export class WorkflowRunsOperations extends Group {
  /**
   * Start a run of a workflow for an issue.
   * An issue is in at most one open run (409 `run_already_active`). The run keeps the version of the graph with which it started. The first stages are active at once: their people are notified and assigned, and agents hear of it on their event stream. `context` is yours and is returned with the run.
   * 
   * Scope: `workflow.run`. Role: member or above.
   * Operation `startWorkflowRun`.
   */
  start(key: string, issueKey: string, body: WorkflowStartInput, options?: CallOptions): Call<WorkflowStarted> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/projects/{key}/issues/{issueKey}/workflow", [key, issueKey], { body }, options);
  }

  /**
   * Cancel the workflow run that an issue is in.
   * Open stages end, and their agents and people are told. Without an open run the reply is 404 `no_active_run`.
   * 
   * Scope: `workflow.run`. Role: member or above.
   * Operation `cancelWorkflowRun`.
   */
  cancel(key: string, issueKey: string, options?: CallOptions): Call<WorkflowCancelled> {
    return this.connection.call("DELETE", "/v1/workspaces/{slug}/projects/{key}/issues/{issueKey}/workflow", [key, issueKey], {}, options);
  }

  /**
   * List the runs of a workflow for issues that you can see, newest first.
   * Read one run for the states of its stages.
   * 
   * Scope: `workflows:read`.
   * Operation `listWorkflowRuns`.
   */
  list(id: string, query?: ListWorkflowRunsQuery, options?: CallOptions): List<WorkflowRun> {
    return this.connection.list("/v1/workspaces/{slug}/workflows/{id}/runs", [id], query, options);
  }

  /**
   * Read a workflow run with the states of its stages, or its picture if Accept names image/svg+xml.
   * Each stage has its state, outcome, who works on it, and until when.
   * 
   * Scope: `workflows:read`.
   * Operation `getWorkflowRun`.
   */
  get(id: string, options?: CallOptions): Call<WorkflowRunDetail> {
    return this.connection.call("GET", "/v1/workspaces/{slug}/workflow-runs/{id}", [id], {}, options);
  }

  /**
   * Read a workflow run with the states of its stages, or its picture if Accept names image/svg+xml.
   * Each stage has its state, outcome, who works on it, and until when.
   * 
   * Scope: `workflows:read`.
   * Operation `getWorkflowRun`.
   */
  getAs(id: string, as: "image/svg+xml", options?: CallOptions): Call<Blob> {
    return this.connection.blob("/v1/workspaces/{slug}/workflow-runs/{id}", [id], as, {}, options);
  }

  /**
   * Complete a stage of a workflow run, or vote on an approval.
   * Without `node_id`, all active stages that you may complete. `outcome` decides which branch follows: `failure` takes the failure branch or fails the run; `approved` and `rejected` are votes on an approval. Only those who are named in the stage, or admins, may complete a stage of a person (403 `not_stage_actor`); neither who started the run nor who completed the stage before may approve, unless the stage allows it.
   * 
   * Scope: `workflow.run`. Role: member or above.
   * Operation `completeWorkflowRunStage`.
   */
  completeStage(id: string, body?: WorkflowCompleteStageInput, options?: CallOptions): Call<WorkflowRunDetail> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/workflow-runs/{id}/complete-stage", [id], { body }, options);
  }

  /**
   * Skip active stages of a workflow run by force, or reopen the failed stages of a failed run.
   * For a run that is stuck. `node_ids` names the stages that you saw; without it, all active stages are skipped. Owners and admins may; the one who started the run may unless a stage is an approval or somebody else's. Active stages end with the outcome `forced` and their good branch follows. A forced approval counts as not approved: its branch `forced` follows, or else that of a rejection. The history of the issue and the audit log say so.
   * 
   * Scope: `workflows:write`. Role: owner or admin; in some cases the one who started the run.
   * Operation `advanceWorkflowRun`.
   */
  advance(id: string, body?: WorkflowAdvanceInput, options?: CallOptions): Call<WorkflowRunDetail> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/workflow-runs/{id}/advance", [id], { body }, options);
  }
}

/** Let rules act on events: when an issue changes, comments, assigns, moves or calls others. */
export class AutomationsOperations extends Group {
  /**
   * List automations, newest first.
   * Scope: `automations:read`.
   * Operation `listAutomations`.
   */
  list(query?: ListAutomationsQuery, options?: CallOptions): List<Automation> {
    return this.connection.list("/v1/workspaces/{slug}/automations", [], query, options);
  }

  /**
   * Create an automation; it acts with your rights.
   * `trigger` says when it starts, `conditions` whether, and `actions` what it does, in order. It acts with the rights that you have when it runs. A change that an automation, a workflow or a woken agent made starts no other automation unless that one has `allow_chaining`. Try it with `POST …/dry-run` before you rely on it.
   * 
   * Scope: `automations:write`. Role: owner or admin. Not on every plan (403 `plan_required`).
   * Operation `createAutomation`.
   */
  create(body: AutomationCreateInput, options?: CallOptions): Call<Automation> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/automations", [], { body }, options);
  }

  /**
   * Read an automation.
   * `disabled_reason` says why the service has disabled it, and `last_skipped` when a change was ignored because another automation had made it.
   * 
   * Scope: `automations:read`.
   * Operation `getAutomation`.
   */
  get(id: string, options?: CallOptions): Call<Automation> {
    return this.connection.call("GET", "/v1/workspaces/{slug}/automations/{id}", [id], {}, options);
  }

  /**
   * Change an automation, or enable or disable it.
   * `conditions` and `actions` are replaced as a whole. `enabled: true` clears the count of failures; if its creator is no longer an admin, you become its creator. Runs that have begun keep the earlier actions.
   * 
   * Scope: `automations:write`. Role: owner or admin.
   * Operation `patchAutomation`.
   */
  patch(id: string, body?: AutomationPatchInput, options?: CallOptions): Call<Automation> {
    return this.connection.call("PATCH", "/v1/workspaces/{slug}/automations/{id}", [id], { body }, options);
  }

  /**
   * Delete an automation; runs that have begun go on.
   * Its runs can be read for 30 more days.
   * 
   * Scope: `automations:write`. Role: owner or admin.
   * Operation `deleteAutomation`.
   */
  delete(id: string, options?: CallOptions): Call<DeleteAutomationResult> {
    return this.connection.call("DELETE", "/v1/workspaces/{slug}/automations/{id}", [id], {}, options);
  }

  /**
   * List an automation's runs that have ended, newest first; for 30 days after its deletion, too.
   * A change that matches no condition leaves no run. `actions_applied` says for each action and issue what it did, or why it failed.
   * 
   * Scope: `automations:read`.
   * Operation `listAutomationRuns`.
   */
  listRuns(id: string, query?: ListAutomationRunsQuery, options?: CallOptions): List<AutomationRun> {
    return this.connection.list("/v1/workspaces/{slug}/automations/{id}/runs", [id], query, options);
  }

  /**
   * Say what an automation would do to an issue; nothing changes, and it may be disabled.
   * Names the first condition that does not hold, and tries each action alone in a transaction that is rolled back, with the present rights of the automation's creator. At most 60 a minute for each key.
   * 
   * Scope: `automations:write`. Role: owner or admin.
   * Operation `dryAutomationRun`.
   */
  dryRun(id: string, body?: AutomationDryRunInput, options?: CallOptions): Call<AutomationDryRun> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/automations/{id}/dry-run", [id], { body }, options);
  }
}

/** See the workspace's agents and what they cost, limit what they may spend and change, pause or disconnect them. */
export class AgentsOperations extends Group {
  /**
   * List the workspace's agents, newest first.
   * An agent is a member of the workspace without a seat: its `agent_id` can be assigned, mentioned and added like a person's id. Connect one with `POST …/api-keys` and `agent_name`, or over OAuth (`/auth.md`). Guests see no agents.
   * 
   * Scope: `agents:read`. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `listAgents`.
   */
  list(query?: ListAgentsQuery, options?: CallOptions): List<Agent> {
    return this.connection.list("/v1/workspaces/{slug}/agents", [], query, options);
  }

  /**
   * Read an agent's profile; `me` is the calling agent.
   * Besides the profile: costs of the month, limits, and `pending_sessions`, the work that waits for it.
   * 
   * Scope: `agents:read`. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `getAgent`.
   */
  get(id: string, options?: CallOptions): Call<AgentDetail> {
    return this.connection.call("GET", "/v1/workspaces/{slug}/agents/{id}", [id], {}, options);
  }

  /**
   * Change or pause an agent; its owner and admins may.
   * A paused agent can only read (403 `agent_paused`); its open sessions wait until it is resumed. `field_policy` limits which fields of existing issues it may change. `spend_cap_usd` raises alarms at 80 % and 100 % of a month's costs; with `spend_cap_action: block` it also starts nothing new. No agent can change itself.
   * 
   * Scope: `agents:write`. Role: member or above. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `patchAgent`.
   */
  patch(id: string, body?: AgentPatchInput, options?: CallOptions): Call<AgentDetail> {
    return this.connection.call("PATCH", "/v1/workspaces/{slug}/agents/{id}", [id], { body }, options);
  }

  /**
   * Disconnect an agent: all its keys and grants are revoked; what it wrote stays.
   * Its open sessions are cancelled and its streams end. A new key or approval connects it again, with its profile and history.
   * 
   * Scope: `agents:write`. Role: member or above. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `deleteAgent`.
   */
  delete(id: string, options?: CallOptions): Call<AgentDetail> {
    return this.connection.call("DELETE", "/v1/workspaces/{slug}/agents/{id}", [id], {}, options);
  }
}

/** Take over an issue as an agent, report plan, notes and cost, ask people, and hand in for review. */
export class AgentSessionsOperations extends Group {
  /**
   * List agent sessions, newest activity first.
   * Sessions without an issue are seen by all members but guests, others by those who see the issue.
   * 
   * Scope: `agents:read`.
   * Operation `listAgentSessions`.
   */
  list(query?: ListAgentSessionsQuery, options?: CallOptions): List<AgentSession> {
    return this.connection.list("/v1/workspaces/{slug}/agent-sessions", [], query, options);
  }

  /**
   * Start a session, or continue the agent's open one on the issue.
   * An agent has at most one open session on an issue: another start returns that one with `existing: true`. `issue_key: next` with a `project` takes the next issue that is ready and claims it; of many agents that ask at once, each gets another (409 `nothing_ready` says why there is none). `claim: true` keeps other sessions from claiming the issue (409 `issue_claimed`). A key of a person starts a session for the agent in `agent_id`, or one of their own. Then report with `PATCH …/agent-sessions/{id}` at least every 30 minutes.
   * 
   * Scope: `agents:write`. Role: member or above.
   * Operation `createAgentSession`.
   */
  create(body: AgentSessionCreateInput, options?: CallOptions): Call<AgentSession> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/agent-sessions", [], { body }, options);
  }

  /**
   * Read an agent session.
   * `stalled` says that nothing was reported for 30 minutes, and `other_open_session_ids` who else works on the issue. `answers` are those to the last question.
   * 
   * Scope: `agents:read`.
   * Operation `getAgentSession`.
   */
  get(id: string, query?: GetAgentSessionQuery, options?: CallOptions): Call<AgentSessionDetail> {
    return this.connection.call("GET", "/v1/workspaces/{slug}/agent-sessions/{id}", [id], { query }, options);
  }

  /**
   * Report progress or a new state; `{}` says that the agent is at work.
   * Every call says that the agent is at work, also one with `{}`. `needs_input` with a `question` notifies people, whose answer arrives as `agent_session.input` on the event stream and is read with `GET …/answers`; `review` asks people to look at `external_url`. `done` and `failed` end the session and may be reopened; `cancelled` is final (409 `session_cancelled`): stop then. `plan` replaces the whole plan. A `running` session that is silent for a day fails.
   * 
   * Scope: `agents:write`. Role: member or above.
   * Operation `patchAgentSession`.
   */
  patch(id: string, body?: AgentSessionPatchInput, options?: CallOptions): Call<AgentSession> {
    return this.connection.call("PATCH", "/v1/workspaces/{slug}/agent-sessions/{id}", [id], { body }, options);
  }

  /**
   * Read the answers to a session's last question.
   * The answers are the comments that people have written on the session's issue since it asked. The tool `update_session` returns them, too, and waits for them with `wait_seconds`.
   * 
   * Scope: `comments:read`.
   * Operation `getAgentSessionAnswers`.
   */
  getAnswers(id: string, options?: CallOptions): Call<AgentAnswers> {
    return this.connection.call("GET", "/v1/workspaces/{slug}/agent-sessions/{id}/answers", [id], {}, options);
  }

  /**
   * Report what a turn of a session used: costs, or tokens and the model.
   * Call it once a turn with a `turn_id`, and a repeated call counts once. `cost_usd` is taken as sent; without it, costs are estimated from tokens and model, or stay `null` if the model is not known. Usage is always recorded, also above the agent's cap.
   * 
   * Scope: `agents:write`. Role: member or above.
   * Operation `usageAgentSession`.
   */
  usage(id: string, body?: AgentUsageInput, options?: CallOptions): Call<AgentUsage> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/agent-sessions/{id}/usage", [id], { body }, options);
  }
}

/** Stay connected, and hear at once what people assign, mention and answer. */
export class AgentEventsOperations extends Group {
  /**
   * Listen, with an agent's key, to what concerns the agent: assignments, mentions, sessions, wakes.
   * Server-sent events. The first is `stream.ready`; then each has an id, its name, and a message like that of webhooks with `context`. After a break send `Last-Event-ID` (or `since`), and what was missed within 24 hours is sent before anything new. An event may come twice with the same id. After `stream.closing` connect again; `stream.closed` says why the stream ended. A key connects at most 60 times a minute.
   * 
   * Scope: `agents:read`.
   * Operation `getAgentEventListen`.
   */
  listen(options?: StreamOptions): EventStream<AgentEvent> {
    return this.connection.stream("/v1/workspaces/{slug}/agent-events", [], readAgentEvent, options);
  }
}

/** Create keys for programs and agents, limit them to scopes and projects, see their use, and revoke them. */
export class ApiKeysOperations extends Group {
  /**
   * List the workspace's keys, newest first; revoked keys stay listed for 90 days.
   * A key limited to projects sees only keys that are limited to some of the same projects. Credentials of programs that people have approved over OAuth are in the list, too.
   * 
   * Scope: `api_keys:read`. Role: owner or admin.
   * Operation `listApiKeys`.
   */
  list(query?: ListApiKeysQuery, options?: CallOptions): List<ApiKey> {
    return this.connection.list("/v1/workspaces/{slug}/api-keys", [], query, options);
  }

  /**
   * Create an API key; `plaintext` is shown only once.
   * `plaintext` is in this reply only; store it now. The key acts as you, or with `agent_name` or `agent_id` as an agent. It never has more rights than you have: scopes above your role or those of the calling key are 403 `scope_exceeds_grantor`. If the calling key expires, the new one expires with it or earlier. `project_ids` limits it to projects; calls on the whole workspace are then refused.
   * 
   * Scope: `api_keys:write`. Role: owner or admin. The reply shows a secret that is shown only once.
   * Operation `createApiKey`.
   */
  create(body: ApiKeyCreateInput, options?: CallOptions): Call<NewApiKey> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/api-keys", [], { body }, options);
  }

  /**
   * Read an API key.
   * Scope: `api_keys:read`. Role: owner or admin.
   * Operation `getApiKey`.
   */
  get(id: string, options?: CallOptions): Call<ApiKey> {
    return this.connection.call("GET", "/v1/workspaces/{slug}/api-keys/{id}", [id], {}, options);
  }

  /**
   * Change a key's name, rate limit or expiry.
   * Takes effect with the next call of the key. Scopes and projects cannot be changed: create another key. A revoked key cannot be changed (409 `invalid_state_change`); more time for an expired one makes it valid again.
   * 
   * Scope: `api_keys:write`. Role: owner or admin.
   * Operation `patchApiKey`.
   */
  patch(id: string, body?: ApiKeyPatchInput, options?: CallOptions): Call<ApiKey> {
    return this.connection.call("PATCH", "/v1/workspaces/{slug}/api-keys/{id}", [id], { body }, options);
  }

  /**
   * Revoke a key immediately and permanently.
   * From the next call on it is 401; its streams end, and its creator gets a mail. If it was the last key of an agent, the agent counts as revoked and its open sessions are cancelled. Revoking it again changes nothing.
   * 
   * Scope: `api_keys:write`. Role: owner or admin.
   * Operation `deleteApiKey`.
   */
  delete(id: string, query?: DeleteApiKeyQuery, options?: CallOptions): Call<DeleteApiKeyResult> {
    return this.connection.call("DELETE", "/v1/workspaces/{slug}/api-keys/{id}", [id], { query }, options);
  }

  /**
   * Read a key's calls, errors and latencies by day (UTC), for at most 90 days.
   * Days without calls are in the list with zeros. A period of more than 90 days begins later (`clamped`). Percentiles are in milliseconds; those of the totals are computed from all calls, not from the days. If Accept names `image/svg+xml`, the reply is a chart.
   * 
   * Scope: `api_keys:read`. Role: owner or admin.
   * Operation `getApiKeyUsage`.
   */
  getUsage(id: string, query?: GetApiKeyUsageQuery, options?: CallOptions): Call<KeyUsage> {
    return this.connection.call("GET", "/v1/workspaces/{slug}/api-keys/{id}/usage", [id], { query }, options);
  }

  /**
   * Read a key's calls, errors and latencies by day (UTC), for at most 90 days.
   * Days without calls are in the list with zeros. A period of more than 90 days begins later (`clamped`). Percentiles are in milliseconds; those of the totals are computed from all calls, not from the days. If Accept names `image/svg+xml`, the reply is a chart.
   * 
   * Scope: `api_keys:read`. Role: owner or admin.
   * Operation `getApiKeyUsage`.
   */
  getUsageAs(id: string, as: "image/svg+xml", query?: GetApiKeyUsageQuery, options?: CallOptions): Call<Blob> {
    return this.connection.blob("/v1/workspaces/{slug}/api-keys/{id}/usage", [id], as, { query }, options);
  }
}

/** Register programs that act for people with their approval. */
export class OauthAppsOperations extends Group {
  /**
   * List the workspace's OAuth apps, newest first, with programs that registered themselves and were approved.
   * Scope: `oauth_apps:read`. Role: owner or admin. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `listOauthApps`.
   */
  list(query?: ListOauthAppsQuery, options?: CallOptions): List<OauthApp> {
    return this.connection.list("/v1/workspaces/{slug}/oauth-apps", [], query, options);
  }

  /**
   * Create an OAuth app for this workspace; `client_secret` is shown only once.
   * For programs of your own that people of the workspace approve, instead of a client that registers itself (`/auth.md`). `client_secret` is `null` for a public app, which has no secret. Redirect addresses are compared exactly, apart from the port of loopback addresses.
   * 
   * Scope: `oauth_apps:write`. Role: owner or admin. Not with a key limited to projects (403 `key_project_limit`). The reply shows a secret that is shown only once.
   * Operation `createOauthApp`.
   */
  create(body: OauthAppCreateInput, options?: CallOptions): Call<NewOauthApp> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/oauth-apps", [], { body }, options);
  }

  /**
   * Read an OAuth app.
   * Scope: `oauth_apps:read`. Role: owner or admin. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `getOauthApp`.
   */
  get(clientId: string, options?: CallOptions): Call<OauthApp> {
    return this.connection.call("GET", "/v1/workspaces/{slug}/oauth-apps/{clientId}", [clientId], {}, options);
  }

  /**
   * Revoke an OAuth app, with all its grants and tokens in this workspace.
   * Everything that people have granted to it ends: its access and refresh tokens get 401 from the next call on, and agents that have no other credential count as revoked.
   * 
   * Scope: `oauth_apps:write`. Role: owner or admin. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `deleteOauthApp`.
   */
  delete(clientId: string, options?: CallOptions): Call<DeleteOauthAppResult> {
    return this.connection.call("DELETE", "/v1/workspaces/{slug}/oauth-apps/{clientId}", [clientId], {}, options);
  }
}

/** Find out who changed the administration of a workspace or exported data, with which credential and from where. */
export class AuditLogOperations extends Group {
  /**
   * List who changed the workspace's administration, newest first.
   * Entries tell who changed members, roles, keys, grants, apps, webhooks, credits, plans, agents, automations, workflows and access to projects, and who exported data; with which credential, and from which network. Nobody can change or delete them. With `format=csv` or `format=ndjson`, or if Accept names the type, the reply is a file with all matching entries. Types are `agent.connected`, `agent.revoked`, `agent.updated`, `api_key.created`, `api_key.revoked`, `api_key.updated`, `audit_log.exported`, `automation.created`, `automation.deleted`, `automation.disabled`, `automation.updated`, `card.saved`, `card.setup_started`, `commit_hook.created`, `commit_hook.deleted`, `credits.adjusted`, `credits.charge_refunded`, `credits.purchase_started`, `credits.purchased`, `credits.taken_back`, `doc.exported`, `invite.accepted`, `invite.created`, `invite.revoked`, `member.added`, `member.removed`, `member.role_changed`, `oauth_app.created`, `oauth_app.revoked`, `oauth_grant.approved`, `oauth_grant.revoked`, `project.archived`, `project.member.added`, `project.member.removed`, `project.member.role_changed`, `project.restored`, `project.updated`, `report.exported`, `webhook.created`, `webhook.deleted`, `webhook.delivery_retried`, `webhook.disabled`, `webhook.replayed`, `webhook.secret_rotated`, `webhook.updated`, `workflow.created`, `workflow.deleted`, `workflow.disabled`, `workflow.enabled`, `workflow.graph_replaced`, `workflow.updated`, `workflow_run.advanced`, `workspace.created`, `workspace.updated`.
   * 
   * Scope: `audit:read`. Role: owner or admin. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `listAuditLog`.
   */
  list(query?: ListAuditLogQuery, options?: CallOptions): List<AuditEntry> {
    return this.connection.list("/v1/workspaces/{slug}/audit-log", [], query, options);
  }

  /**
   * List who changed the workspace's administration, newest first.
   * Entries tell who changed members, roles, keys, grants, apps, webhooks, credits, plans, agents, automations, workflows and access to projects, and who exported data; with which credential, and from which network. Nobody can change or delete them. With `format=csv` or `format=ndjson`, or if Accept names the type, the reply is a file with all matching entries. Types are `agent.connected`, `agent.revoked`, `agent.updated`, `api_key.created`, `api_key.revoked`, `api_key.updated`, `audit_log.exported`, `automation.created`, `automation.deleted`, `automation.disabled`, `automation.updated`, `card.saved`, `card.setup_started`, `commit_hook.created`, `commit_hook.deleted`, `credits.adjusted`, `credits.charge_refunded`, `credits.purchase_started`, `credits.purchased`, `credits.taken_back`, `doc.exported`, `invite.accepted`, `invite.created`, `invite.revoked`, `member.added`, `member.removed`, `member.role_changed`, `oauth_app.created`, `oauth_app.revoked`, `oauth_grant.approved`, `oauth_grant.revoked`, `project.archived`, `project.member.added`, `project.member.removed`, `project.member.role_changed`, `project.restored`, `project.updated`, `report.exported`, `webhook.created`, `webhook.deleted`, `webhook.delivery_retried`, `webhook.disabled`, `webhook.replayed`, `webhook.secret_rotated`, `webhook.updated`, `workflow.created`, `workflow.deleted`, `workflow.disabled`, `workflow.enabled`, `workflow.graph_replaced`, `workflow.updated`, `workflow_run.advanced`, `workspace.created`, `workspace.updated`.
   * 
   * Scope: `audit:read`. Role: owner or admin. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `listAuditLog`.
   */
  listAs(as: "text/csv" | "application/x-ndjson", query?: Omit<ListAuditLogQuery, "cursor" | "limit">, options?: CallOptions): Call<Blob> {
    return this.connection.blob("/v1/workspaces/{slug}/audit-log", [], as, { query }, options);
  }
}

/** Have events sent to a server of yours, signed and retried; see what was delivered, and send messages again. Each message has a `sequence`, a number that grows with every event of the workspace. Messages come in that order as long as none fails and the endpoint keeps up; otherwise ignore a message about an object (`data.id`) if you have handled one with a larger `sequence`. */
export class WebhooksOperations extends Group {
  /**
   * List the workspace's webhooks, newest first.
   * Scope: `webhooks:read`. Role: owner or admin.
   * Operation `listWebhooks`.
   */
  list(query?: ListWebhooksQuery, options?: CallOptions): List<Webhook> {
    return this.connection.list("/v1/workspaces/{slug}/webhooks", [], query, options);
  }

  /**
   * Create a webhook; its signing `secret` is shown only once.
   * Messages are signed as Standard Webhooks has it; verify them with the `secret` of this reply, which is shown only here. An event comes at least once: skip a `webhook-id` that you know. A delivery that fails is repeated for about three days; a webhook that answers 410, or nothing but errors for days, is disabled. Try it with `POST …/webhooks/{id}/test`. A webhook with `project_ids` gets only events of these projects.
   * 
   * Scope: `webhooks:write`. Role: owner or admin. The reply shows a secret that is shown only once.
   * Operation `createWebhook`.
   */
  create(body: WebhookCreateInput, options?: CallOptions): Call<WebhookWithSecret> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/webhooks", [], { body }, options);
  }

  /**
   * Read a webhook.
   * Scope: `webhooks:read`. Role: owner or admin.
   * Operation `getWebhook`.
   */
  get(id: string, options?: CallOptions): Call<Webhook> {
    return this.connection.call("GET", "/v1/workspaces/{slug}/webhooks/{id}", [id], {}, options);
  }

  /**
   * Change a webhook, or enable it again.
   * `enabled: true` enables a disabled webhook again and clears its failures. Messages of the time in which it was disabled are not sent by themselves.
   * 
   * Scope: `webhooks:write`. Role: owner or admin.
   * Operation `patchWebhook`.
   */
  patch(id: string, body?: WebhookPatchInput, options?: CallOptions): Call<Webhook> {
    return this.connection.call("PATCH", "/v1/workspaces/{slug}/webhooks/{id}", [id], { body }, options);
  }

  /**
   * Delete a webhook.
   * Nothing more is sent, and its deliveries can no longer be read.
   * 
   * Scope: `webhooks:write`. Role: owner or admin.
   * Operation `deleteWebhook`.
   */
  delete(id: string, options?: CallOptions): Call<DeleteWebhookResult> {
    return this.connection.call("DELETE", "/v1/workspaces/{slug}/webhooks/{id}", [id], {}, options);
  }

  /**
   * List a webhook's delivery attempts, newest first.
   * One row for each attempt; `delivery_id` is the id of the message, the same on every attempt.
   * 
   * Scope: `webhooks:read`. Role: owner or admin.
   * Operation `listWebhookDeliveries`.
   */
  listDeliveries(id: string, query?: ListWebhookDeliveriesQuery, options?: CallOptions): List<WebhookDelivery> {
    return this.connection.list("/v1/workspaces/{slug}/webhooks/{id}/deliveries", [id], query, options);
  }

  /**
   * Read an attempt by its `id`, or a message's newest attempt by its `delivery_id`.
   * Scope: `webhooks:read`. Role: owner or admin.
   * Operation `getWebhookDelivery`.
   */
  getDelivery(id: string, deliveryId: string, options?: CallOptions): Call<WebhookDelivery> {
    return this.connection.call("GET", "/v1/workspaces/{slug}/webhooks/{id}/deliveries/{deliveryId}", [id, deliveryId], {}, options);
  }

  /**
   * Send a message again now, by its `delivery_id` or the `id` of one of its attempts.
   * The message has the same id, so a receiver that has handled it can skip it. One that waits for its next attempt is sent at once; any other gets one more attempt. While it waits or is being sent, the call adds nothing and returns that attempt. 409 while the webhook is disabled.
   * 
   * Scope: `webhooks:write`. Role: owner or admin.
   * Operation `retryWebhookDelivery`.
   */
  retryDelivery(id: string, deliveryId: string, options?: CallOptions): Call<WebhookDelivery> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/webhooks/{id}/deliveries/{deliveryId}/retry", [id, deliveryId], {}, options);
  }

  /**
   * Send a webhook's messages since a time again, oldest first.
   * By default those whose newest attempt is `failed` or `skipped`, as far back as the plan keeps deliveries. They keep their ids, so a receiver that has handled one can skip it. They wait in the background however many there are, and take turns with new messages. The same call made twice at a time sends each message once. 409 while the webhook is disabled.
   * 
   * Scope: `webhooks:write`. Role: owner or admin.
   * Operation `replayWebhook`.
   */
  replay(id: string, body: WebhookReplayInput, options?: CallOptions): Call<WebhookReplay> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/webhooks/{id}/replay", [id], { body }, options);
  }

  /**
   * Rotate a webhook's signing `secret`, which is shown only once.
   * For 24 hours (or `grace_seconds`) messages are signed with both secrets, so receivers can change over without a gap.
   * 
   * Scope: `webhooks:write`. Role: owner or admin. The reply shows a secret that is shown only once.
   * Operation `rotateWebhookSecret`.
   */
  rotateSecret(id: string, body?: WebhookRotateSecretInput, options?: CallOptions): Call<WebhookWithSecret> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/webhooks/{id}/rotate-secret", [id], { body }, options);
  }

  /**
   * Send one signed `webhook.test`; waits up to 3 s for the outcome.
   * Works while the webhook is disabled, is tried once, and does not count for its health. If the outcome takes longer than 3 seconds, the reply has `state: pending`; the list of deliveries shows it later.
   * 
   * Scope: `webhooks:write`. Role: owner or admin.
   * Operation `testWebhook`.
   */
  test(id: string, options?: CallOptions): Call<WebhookDelivery> {
    return this.connection.call("POST", "/v1/workspaces/{slug}/webhooks/{id}/test", [id], {}, options);
  }
}

/** Buy AI credits with a program: ask, pay the challenge (HTTP 402), and get a signed receipt. */
export class CreditsOperations extends Group {
  /**
   * Buy 2000 AI credits.
   * Call it without a payment first: the reply is 402 with a challenge, valid for one payment within 10 minutes. Pay it with a shared payment token or with the saved card: send the same call again with the `Payment` credential in `Authorization` and the key in `X-Api-Key`. After 202 the processor is still at work, and the credits come when it has succeeded. After 503 the outcome is unknown: send the same call again, which never charges twice. Send one `Idempotency-Key` with all calls of a purchase. A lost reply can be read again with `GET /api/mpp/v1/purchases/{id}`.
   * 
   * Scope: `admin`. Role: owner or admin. Not with a key limited to projects (403 `key_project_limit`). Without a Payment credential the reply is 402 with a challenge; see /llms.txt.
   * Operation `buyCreditsSmall`.
   */
  buySmall(body?: FixedCreditsInput, options?: CallOptions): Call<Purchase> {
    return this.connection.call("POST", "/api/mpp/v1/credits/small", [], { body }, options);
  }

  /**
   * Buy 5500 AI credits.
   * Call it without a payment first: the reply is 402 with a challenge, valid for one payment within 10 minutes. Pay it with a shared payment token or with the saved card: send the same call again with the `Payment` credential in `Authorization` and the key in `X-Api-Key`. After 202 the processor is still at work, and the credits come when it has succeeded. After 503 the outcome is unknown: send the same call again, which never charges twice. Send one `Idempotency-Key` with all calls of a purchase. A lost reply can be read again with `GET /api/mpp/v1/purchases/{id}`.
   * 
   * Scope: `admin`. Role: owner or admin. Not with a key limited to projects (403 `key_project_limit`). Without a Payment credential the reply is 402 with a challenge; see /llms.txt.
   * Operation `buyCreditsMedium`.
   */
  buyMedium(body?: FixedCreditsInput, options?: CallOptions): Call<Purchase> {
    return this.connection.call("POST", "/api/mpp/v1/credits/medium", [], { body }, options);
  }

  /**
   * Buy 12000 AI credits.
   * Call it without a payment first: the reply is 402 with a challenge, valid for one payment within 10 minutes. Pay it with a shared payment token or with the saved card: send the same call again with the `Payment` credential in `Authorization` and the key in `X-Api-Key`. After 202 the processor is still at work, and the credits come when it has succeeded. After 503 the outcome is unknown: send the same call again, which never charges twice. Send one `Idempotency-Key` with all calls of a purchase. A lost reply can be read again with `GET /api/mpp/v1/purchases/{id}`.
   * 
   * Scope: `admin`. Role: owner or admin. Not with a key limited to projects (403 `key_project_limit`). Without a Payment credential the reply is 402 with a challenge; see /llms.txt.
   * Operation `buyCreditsLarge`.
   */
  buyLarge(body?: FixedCreditsInput, options?: CallOptions): Call<Purchase> {
    return this.connection.call("POST", "/api/mpp/v1/credits/large", [], { body }, options);
  }

  /**
   * Buy 500 to 50000 AI credits at 1 cent each.
   * Call it without a payment first: the reply is 402 with a challenge, valid for one payment within 10 minutes. Pay it with a shared payment token or with the saved card: send the same call again with the `Payment` credential in `Authorization` and the key in `X-Api-Key`. After 202 the processor is still at work, and the credits come when it has succeeded. After 503 the outcome is unknown: send the same call again, which never charges twice. Send one `Idempotency-Key` with all calls of a purchase. A lost reply can be read again with `GET /api/mpp/v1/purchases/{id}`.
   * 
   * Scope: `admin`. Role: owner or admin. Not with a key limited to projects (403 `key_project_limit`). Without a Payment credential the reply is 402 with a challenge; see /llms.txt.
   * Operation `buyCreditsCustom`.
   */
  buyCustom(body: CustomCreditsInput, options?: CallOptions): Call<Purchase> {
    return this.connection.call("POST", "/api/mpp/v1/credits/custom", [], { body }, options);
  }
}

/** Look up a purchase of credits and its receipt, for instance after a lost reply. */
export class PurchasesOperations extends Group {
  /**
   * Read a purchase again, with its receipt.
   * For buyers that lost the reply of their purchase: the same body and the same `Payment-Receipt`. While `payment_status` is `pending`, ask again later.
   * 
   * Scope: `admin`. Role: owner or admin. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `getPurchase`.
   */
  get(id: string, options?: CallOptions): Call<Purchase> {
    return this.connection.call("GET", "/api/mpp/v1/purchases/{id}", [id], {}, options);
  }
}

/** Have a person save a card that programs may pay with later. */
export class CardsOperations extends Group {
  /**
   * Open a page of the card processor where a person saves a card: only in a person's browser session.
   * A key or token gets 403 `person_required`: send an owner or admin to the page in `action_url`, where they save the card in a browser. After that, purchases can be paid with `{"use_saved_card": true}`. A new card replaces the saved one.
   * 
   * Scope: `admin`. Role: owner or admin. Not with a key limited to projects (403 `key_project_limit`).
   * Operation `setupCard`.
   */
  setup(options?: CallOptions): Call<CardSetup> {
    return this.connection.call("POST", "/api/mpp/v1/card/setup", [], {}, options);
  }
}

/** All operations, in groups. */
export class Operations {
  /** Who the credential acts as: its user, workspace, role, scopes and limits. Call it first. */
  readonly me: MeOperations;
  /** The workspaces that a credential reaches, their settings, and what they used of their plan. */
  readonly workspaces: WorkspacesOperations;
  /** People and agents of a workspace: find whom to assign, change roles, remove somebody who left. */
  readonly members: MembersOperations;
  /** Invite people by e-mail, see who has not answered, and take an invitation back. */
  readonly invites: InvitesOperations;
  /** What waits for the key's user: mentions, assignments, questions. Read them and mark them as read. */
  readonly notifications: NotificationsOperations;
  /** Make room for a piece of work: a project has a board, issues, members and settings of its own. */
  readonly projects: ProjectsOperations;
  /** Decide who may see and change a project that is limited to its members. */
  readonly projectMembers: ProjectMembersOperations;
  /** Columns of a project's board: what they are called, what counts as done, how many issues they hold. */
  readonly statuses: StatusesOperations;
  /** Numbers about a project for people and spreadsheets: burndown, velocity, cycle time, throughput, workload. */
  readonly reports: ReportsOperations;
  /** Keep a filter of a project's issues under a name, for oneself or for all. */
  readonly savedViews: SavedViewsOperations;
  /** The work itself: create, find, change, move, archive and restore issues, and read their history. */
  readonly issues: IssuesOperations;
  /** Say that an issue blocks, duplicates or relates to another one, also across projects. */
  readonly links: LinksOperations;
  /** Give a project's issues fields of its own: texts, numbers, choices, dates, people, links. */
  readonly customFieldDefs: CustomFieldDefsOperations;
  /** Read and set the values that an issue has in its project's own fields. */
  readonly customFields: CustomFieldsOperations;
  /** Estimate an issue, log time spent on it, and see what remains. */
  readonly time: TimeOperations;
  /** Correct or delete single entries of an issue's time log. */
  readonly timeEntries: TimeEntriesOperations;
  /** Discuss an issue, ask and answer; mentions notify people and wake agents. */
  readonly comments: CommentsOperations;
  /** Attach screenshots, logs and other files to issues and comments. */
  readonly attachments: AttachmentsOperations;
  /** Choose who is notified of an issue's changes. */
  readonly watchers: WatchersOperations;
  /** Choose who is notified of comments on a doc. */
  readonly docWatchers: DocWatchersOperations;
  /** Sort a project's issues by topic, and filter by it. */
  readonly labels: LabelsOperations;
  /** Group issues that have to be done by a date, and follow their progress. */
  readonly milestones: MilestonesOperations;
  /** Plan issues for a period of weeks, start it, complete it, and carry open issues over. */
  readonly sprints: SprintsOperations;
  /** Collect the issues that a version contains, and mark it as released. */
  readonly releases: ReleasesOperations;
  /** Let people without an account report something: each submission of a form makes an issue. */
  readonly forms: FormsOperations;
  /** Say what is to be reached; progress follows from key results and the goals below. */
  readonly goals: GoalsOperations;
  /** Measure a goal by hand or by the issues that are done. */
  readonly keyResults: KeyResultsOperations;
  /** Look at several projects and goals as one, with their common progress. */
  readonly portfolios: PortfoliosOperations;
  /** Put projects into a portfolio and take them out. */
  readonly portfolioProjects: PortfolioProjectsOperations;
  /** Keep a filter of issues across projects under a name, and list what matches. */
  readonly views: ViewsOperations;
  /** Write and read documents as Markdown, append to them, replace parts, and export them. */
  readonly docs: DocsOperations;
  /** Discuss a doc or a passage of it, and mark a discussion as resolved. */
  readonly docComments: DocCommentsOperations;
  /** Read earlier states of a doc and bring one back. A change of the title or text makes a version. Changes by the same author within five minutes make one version, unless `snapshot: true` keeps a state as a version of its own. */
  readonly docVersions: DocVersionsOperations;
  /** Open channels for topics, projects and private groups, follow them live, and archive them. */
  readonly chatChannels: ChatChannelsOperations;
  /** See who is in a channel, and add and remove people and agents. */
  readonly chatMembers: ChatMembersOperations;
  /** Write messages, also part by part while a model produces them, answer in threads, and react. */
  readonly chatMessages: ChatMessagesOperations;
  /** Find issues, docs, comments, messages, projects, people and goals by words, in all projects that the caller sees. */
  readonly search: SearchOperations;
  /** Define the stages that issues go through, with approvals, waits and branches, and who works on each. */
  readonly workflows: WorkflowsOperations;
  /** Send an issue through a workflow, complete and approve its stages, and see where it stands. */
  readonly workflowRuns: WorkflowRunsOperations;
  /** Let rules act on events: when an issue changes, comments, assigns, moves or calls others. */
  readonly automations: AutomationsOperations;
  /** See the workspace's agents and what they cost, limit what they may spend and change, pause or disconnect them. */
  readonly agents: AgentsOperations;
  /** Take over an issue as an agent, report plan, notes and cost, ask people, and hand in for review. */
  readonly agentSessions: AgentSessionsOperations;
  /** Stay connected, and hear at once what people assign, mention and answer. */
  readonly agentEvents: AgentEventsOperations;
  /** Create keys for programs and agents, limit them to scopes and projects, see their use, and revoke them. */
  readonly apiKeys: ApiKeysOperations;
  /** Register programs that act for people with their approval. */
  readonly oauthApps: OauthAppsOperations;
  /** Find out who changed the administration of a workspace or exported data, with which credential and from where. */
  readonly auditLog: AuditLogOperations;
  /** Have events sent to a server of yours, signed and retried; see what was delivered, and send messages again. Each message has a `sequence`, a number that grows with every event of the workspace. Messages come in that order as long as none fails and the endpoint keeps up; otherwise ignore a message about an object (`data.id`) if you have handled one with a larger `sequence`. */
  readonly webhooks: WebhooksOperations;
  /** Buy AI credits with a program: ask, pay the challenge (HTTP 402), and get a signed receipt. */
  readonly credits: CreditsOperations;
  /** Look up a purchase of credits and its receipt, for instance after a lost reply. */
  readonly purchases: PurchasesOperations;
  /** Have a person save a card that programs may pay with later. */
  readonly cards: CardsOperations;

  constructor(connection: Connection) {
    this.me = new MeOperations(connection);
    this.workspaces = new WorkspacesOperations(connection);
    this.members = new MembersOperations(connection);
    this.invites = new InvitesOperations(connection);
    this.notifications = new NotificationsOperations(connection);
    this.projects = new ProjectsOperations(connection);
    this.projectMembers = new ProjectMembersOperations(connection);
    this.statuses = new StatusesOperations(connection);
    this.reports = new ReportsOperations(connection);
    this.savedViews = new SavedViewsOperations(connection);
    this.issues = new IssuesOperations(connection);
    this.links = new LinksOperations(connection);
    this.customFieldDefs = new CustomFieldDefsOperations(connection);
    this.customFields = new CustomFieldsOperations(connection);
    this.time = new TimeOperations(connection);
    this.timeEntries = new TimeEntriesOperations(connection);
    this.comments = new CommentsOperations(connection);
    this.attachments = new AttachmentsOperations(connection);
    this.watchers = new WatchersOperations(connection);
    this.docWatchers = new DocWatchersOperations(connection);
    this.labels = new LabelsOperations(connection);
    this.milestones = new MilestonesOperations(connection);
    this.sprints = new SprintsOperations(connection);
    this.releases = new ReleasesOperations(connection);
    this.forms = new FormsOperations(connection);
    this.goals = new GoalsOperations(connection);
    this.keyResults = new KeyResultsOperations(connection);
    this.portfolios = new PortfoliosOperations(connection);
    this.portfolioProjects = new PortfolioProjectsOperations(connection);
    this.views = new ViewsOperations(connection);
    this.docs = new DocsOperations(connection);
    this.docComments = new DocCommentsOperations(connection);
    this.docVersions = new DocVersionsOperations(connection);
    this.chatChannels = new ChatChannelsOperations(connection);
    this.chatMembers = new ChatMembersOperations(connection);
    this.chatMessages = new ChatMessagesOperations(connection);
    this.search = new SearchOperations(connection);
    this.workflows = new WorkflowsOperations(connection);
    this.workflowRuns = new WorkflowRunsOperations(connection);
    this.automations = new AutomationsOperations(connection);
    this.agents = new AgentsOperations(connection);
    this.agentSessions = new AgentSessionsOperations(connection);
    this.agentEvents = new AgentEventsOperations(connection);
    this.apiKeys = new ApiKeysOperations(connection);
    this.oauthApps = new OauthAppsOperations(connection);
    this.auditLog = new AuditLogOperations(connection);
    this.webhooks = new WebhooksOperations(connection);
    this.credits = new CreditsOperations(connection);
    this.purchases = new PurchasesOperations(connection);
    this.cards = new CardsOperations(connection);
  }
}
