import type { Json } from "./schemas.ts";

/** Descriptions of the groups of operations, by the first part of their ids. */
export const TAGS: Readonly<Record<string, string>> = {
  me: "The calling key.",
  workspaces: "Workspaces and their usage.",
  members: "People of a workspace and their roles.",
  invites: "Invitations to a workspace.",
  notifications: "Notifications of the key's user.",
  search: "Full-text search of issues, docs, comments and messages.",
  projects: "Projects of a workspace.",
  "project-members": "Members of a project.",
  statuses: "Columns of a project's board.",
  reports: "Reports about a project.",
  "saved-views": "Named filters of a project.",
  issues: "Issues, their board and their history.",
  links: "Relations between issues.",
  commits: "Commits and pull requests that name an issue.",
  comments: "Comments on issues.",
  attachments: "Files on issues.",
  "custom-fields": "Values of a project's own fields on issues.",
  time: "Estimates and time spent on issues.",
  "time-entries": "Single entries of an issue's time log.",
  watchers: "People who are notified about an issue.",
  labels: "Labels of a project.",
  milestones: "Milestones of a project.",
  sprints: "Sprints of a project.",
  releases: "Releases of a project.",
  "custom-field-defs": "Fields that a project adds to its issues.",
  forms: "Forms that turn submissions into issues.",
  goals: "Goals of a workspace.",
  "key-results": "Measures of a goal.",
  portfolios: "Groups of goals and projects.",
  "portfolio-projects": "Projects of a portfolio.",
  docs: "Documents, kept as Markdown.",
  "doc-comments": "Comments on docs.",
  "doc-versions":
    "States of docs. A change of the title or text makes a version. Changes by the same author within five minutes make one version, unless `snapshot: true` keeps a state as a version of its own.",
  "chat-channels": "Channels of the chat.",
  "chat-members": "Members of a channel.",
  "chat-messages": "Messages of a channel and reactions to them.",
  automations: "Rules that act on events.",
  workflows: "Graphs of stages that issues go through.",
  "workflow-runs": "Runs of one issue through a workflow.",
  agents: "Software agents of a workspace.",
  "agent-events": "Events that wake an agent.",
  "agent-sessions": "An agent's work on an issue.",
  "api-keys": "Keys of a workspace.",
  webhooks:
    "Endpoints that events are sent to, and their deliveries. Each message has a `sequence`, a number that grows with every event of the workspace. Messages come in that order as long as none fails and the endpoint keeps up; otherwise ignore a message about an object (`data.id`) if you have handled one with a larger `sequence`.",
  "oauth-apps": "Programs that act for people.",
  "audit-log": "Who changed the administration of a workspace, and who exported data.",
  views: "Named filters of issues across the projects of a workspace.",
  credits: "AI credits that a program can buy.",
  purchases: "Credit purchases and their receipts.",
  cards: "The saved card of a workspace.",
};

/** Chapters of the reference (`x-tagGroups`). */
const CHAPTERS: Readonly<Record<string, readonly string[]>> = {
  "Workspace and people": ["me", "workspaces", "members", "invites", "notifications", "search"],
  Projects: ["projects", "project-members", "statuses", "reports", "saved-views", "forms", "views"],
  Issues: [
    ...["issues", "links", "commits", "comments", "attachments", "custom-fields", "custom-field-defs"],
    ...["time", "time-entries", "watchers", "labels", "milestones", "sprints", "releases"],
  ],
  Goals: ["goals", "key-results", "portfolios", "portfolio-projects"],
  "Docs and chat": ["docs", "doc-comments", "doc-versions", "chat-channels", "chat-members", "chat-messages"],
  "Automation and agents": [
    ...["automations", "workflows", "workflow-runs"],
    ...["agents", "agent-events", "agent-sessions"],
  ],
  Developers: ["api-keys", "webhooks", "oauth-apps", "audit-log"],
  Credits: ["credits", "purchases", "cards"],
};

/** The chapters with the given groups. */
export function tagGroups(tags: readonly string[]): Json[] {
  return Object.entries(CHAPTERS)
    .map(([name, all]) => ({ name, tags: all.filter((tag) => tags.includes(tag)) }))
    .filter((chapter) => chapter.tags.length > 0);
}
