import type { OperationTool } from "./operation-tool.ts";

/** The calls that agents make most, as tools. All other operations are called with `call_operation`. */

const ISSUE_ROW = "key,title,type,status,priority,assignee_name,labels,due_at,is_blocked";
const ISSUE = `${ISSUE_ROW},status_name,status_id,description_md,assignees,reporter_id,parent_key,epic_key,sprint_id,milestone_id,release_id,estimate_minutes,story_points,start_at,custom_fields,children,counts,active_session_ids,archived_at,created_at,updated_at,version,url`;
const CHANGED_ISSUE = ["key", "title", "type", "status", "status_name", "priority", "assignee_name", "version", "url"];
const ISSUE_INPUT = ["description_md", "type", "priority", "assignee", "labels", "parent", "sprint_id", "due_at"];
const SESSION = [
  "id",
  "state",
  "title",
  "issue_key",
  "agent_name",
  "note",
  "existing",
  "claim",
  "question",
  "cost_usd",
];
const DOC = ["id", "title", "project_key", "version", "updated_at", "url"];

export const OPERATION_TOOLS: readonly OperationTool[] = [
  {
    name: "whoami",
    title: "Who am I",
    description: "Your user, role, workspace, scopes and limits. Call it first.",
    operation: "getMe",
  },
  {
    name: "list_projects",
    title: "List projects",
    description: "Projects of the workspace. Other tools name a project by its key.",
    operation: "listProjects",
    offers: ["archived"],
    fields: "key,name,issue_counts",
  },
  {
    name: "list_issues",
    title: "List issues",
    description: "Issues of a project. `ready` lists those that you can start now.",
    operation: "listIssues",
    offers: [
      ...["status", "assignee", "label", "priority", "type", "sprint", "parent", "epic", "customFields"],
      ...["q", "ready", "sort"],
    ],
    fields: ISSUE_ROW,
  },
  {
    name: "list_members",
    title: "List people",
    description: "People of the workspace, for assignees and reporters. `q` finds them by name.",
    operation: "listMembers",
    offers: ["q", "email"],
    fields: "user_id,name,email,role",
  },
  {
    name: "list_labels",
    title: "List labels",
    description: "Labels of a project.",
    operation: "listLabels",
    fields: "id,name,description",
  },
  {
    name: "search",
    title: "Search",
    description: "Issues, docs, projects, people, goals, comments and chat messages of the workspace with some words.",
    operation: "listSearchQuery",
    offers: ["q", "types"],
    fields: "type,id,key,title,status,snippet,url",
  },
  {
    name: "get_issue",
    title: "Read an issue",
    description: "One issue with its description.",
    operation: "getIssue",
    fields: ISSUE,
  },
  {
    name: "create_issue",
    title: "Create an issue",
    description: "Creates an issue in a project.",
    operation: "createIssue",
    offers: ["title", "status", ...ISSUE_INPUT],
    shows: CHANGED_ISSUE,
  },
  {
    name: "create_issues",
    title: "Create several issues",
    description: "Creates up to 50 issues. Each succeeds or fails on its own. Items have the fields of create_issue.",
    operation: "bulkCreateIssues",
    offers: ["items"],
    brief: ["items"],
    shows: CHANGED_ISSUE,
  },
  {
    name: "update_issue",
    title: "Change an issue",
    description: "Changes fields of an issue. Those that you leave out stay as they are.",
    operation: "patchIssue",
    offers: ["title", ...ISSUE_INPUT, "add_labels", "remove_labels", "custom_fields", "if_version"],
    shows: CHANGED_ISSUE,
  },
  {
    name: "transition_issue",
    title: "Move an issue",
    description: "Moves an issue to another column of its board, as far as the board's rules allow.",
    operation: "transitionIssue",
    offers: ["status", "status_id", "comment_md"],
    shows: CHANGED_ISSUE,
  },
  {
    name: "list_comments",
    title: "List comments",
    description: "Comments of an issue, oldest first.",
    operation: "listComments",
    fields: "id,author_name,author_kind,body_md,created_at,parent_id",
  },
  {
    name: "add_comment",
    title: "Comment on an issue",
    description: "Adds a comment to an issue.",
    operation: "createComment",
    offers: ["body_md", "parent_id"],
    shows: ["id", "issue_key", "created_at"],
  },
  {
    name: "link_issues",
    title: "Link two issues",
    description: "Links an issue to another one: it relates to, blocks or duplicates it.",
    operation: "createLink",
    offers: ["kind", "direction", "target_key"],
    shows: ["id", "kind", "direction", "target_key", "target_title"],
  },
  {
    name: "start_session",
    title: "Start working on an issue",
    description:
      'Says that you work on an issue, or continues your open session on it. `issue_key: "next"` with a project claims the next ready issue.',
    operation: "createAgentSession",
    offers: ["title", "issue_key", "project", "claim", "note", "model"],
    shows: SESSION,
  },
  {
    name: "update_session",
    title: "Report on your work",
    description:
      "Reports progress, asks a question or ends a session. Returns the answers to your question; `wait_seconds` waits for one.",
    operation: "patchAgentSession",
    offers: ["state", "note", "question", "plan", "summary", "external_url", "branch", "error"],
    shows: SESSION,
  },
  {
    name: "report_usage",
    title: "Report tokens and costs",
    description: "Adds the tokens or costs of a turn to a session.",
    operation: "usageAgentSession",
    offers: ["tokens_in", "tokens_out", "cached_tokens", "cost_usd", "model", "turn_id"],
    shows: ["id", "tokens_in", "tokens_out", "cost_usd"],
  },
  {
    name: "get_doc",
    title: "Read a doc",
    description: "One doc with its text. search finds docs.",
    operation: "getDoc",
    fields: `${DOC.join(",")},parent_id,visibility,body_md`,
  },
  {
    name: "create_doc",
    title: "Write a doc",
    description: "Creates a doc in a project or in the workspace.",
    operation: "createDoc",
    offers: ["title", "body_md", "project", "parent_id", "visibility"],
    shows: DOC,
  },
  {
    name: "update_doc",
    title: "Edit a doc",
    description: "Appends to a doc's text, replaces parts of it, or replaces all of it.",
    operation: "patchDoc",
    offers: ["append", "replace", "body_md", "title", "if_version"],
    shows: DOC,
  },
  {
    name: "list_notifications",
    title: "List your notifications",
    description: "What happened that concerns you, newest first.",
    operation: "listNotifications",
    offers: ["unread"],
    fields: "id,kind,title,body,actor_name,issue_key,doc_id,channel_id,read_at,created_at",
  },
];
