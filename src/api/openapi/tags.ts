/** What the groups of operations are used for, by the first part of their ids. */
export const TAGS: Readonly<Record<string, string>> = {
  me: "Who the credential acts as: its user, workspace, role, scopes and limits. Call it first.",
  workspaces: "The workspaces that a credential reaches, their settings, and what they used of their plan.",
  members: "People and agents of a workspace: find whom to assign, change roles, remove somebody who left.",
  invites: "Invite people by e-mail, see who has not answered, and take an invitation back.",
  notifications: "What waits for the key's user: mentions, assignments, questions. Read them and mark them as read.",
  search:
    "Find issues, docs, comments, messages, projects, people and goals by words, in all projects that the caller sees.",
  projects: "Make room for a piece of work: a project has a board, issues, members and settings of its own.",
  "project-members": "Decide who may see and change a project that is limited to its members.",
  statuses: "Columns of a project's board: what they are called, what counts as done, how many issues they hold.",
  reports: "Numbers about a project for people and spreadsheets: burndown, velocity, cycle time, throughput, workload.",
  "saved-views": "Keep a filter of a project's issues under a name, for oneself or for all.",
  issues: "The work itself: create, find, change, move, archive and restore issues, and read their history.",
  links: "Say that an issue blocks, duplicates or relates to another one, also across projects.",
  commits: "See which commits and pull requests name an issue.",
  comments: "Discuss an issue, ask and answer; mentions notify people and wake agents.",
  attachments: "Attach screenshots, logs and other files to issues and comments.",
  "custom-fields": "Read and set the values that an issue has in its project's own fields.",
  time: "Estimate an issue, log time spent on it, and see what remains.",
  "time-entries": "Correct or delete single entries of an issue's time log.",
  watchers: "Choose who is notified of an issue's changes.",
  labels: "Sort a project's issues by topic, and filter by it.",
  milestones: "Group issues that have to be done by a date, and follow their progress.",
  sprints: "Plan issues for a period of weeks, start it, complete it, and carry open issues over.",
  releases: "Collect the issues that a version contains, and mark it as released.",
  "custom-field-defs": "Give a project's issues fields of its own: texts, numbers, choices, dates, people, links.",
  forms: "Let people without an account report something: each submission of a form makes an issue.",
  goals: "Say what is to be reached; progress follows from key results and the goals below.",
  "key-results": "Measure a goal by hand or by the issues that are done.",
  portfolios: "Look at several projects and goals as one, with their common progress.",
  "portfolio-projects": "Put projects into a portfolio and take them out.",
  docs: "Write and read documents as Markdown, append to them, replace parts, and export them.",
  "doc-comments": "Discuss a doc or a passage of it, and mark a discussion as resolved.",
  "doc-watchers": "Choose who is notified of comments on a doc.",
  "doc-versions":
    "Read earlier states of a doc and bring one back. A change of the title or text makes a version. Changes by the same author within five minutes make one version, unless `snapshot: true` keeps a state as a version of its own.",
  "chat-channels": "Open channels for topics, projects and private groups, follow them live, and archive them.",
  "chat-members": "See who is in a channel, and add and remove people and agents.",
  "chat-messages": "Write messages, also part by part while a model produces them, answer in threads, and react.",
  automations: "Let rules act on events: when an issue changes, comments, assigns, moves or calls others.",
  workflows: "Define the stages that issues go through, with approvals, waits and branches, and who works on each.",
  "workflow-runs": "Send an issue through a workflow, complete and approve its stages, and see where it stands.",
  agents:
    "See the workspace's agents and what they cost, limit what they may spend and change, pause or disconnect them.",
  "agent-events": "Stay connected, and hear at once what people assign, mention and answer.",
  "agent-sessions": "Take over an issue as an agent, report plan, notes and cost, ask people, and hand in for review.",
  "api-keys": "Create keys for programs and agents, limit them to scopes and projects, see their use, and revoke them.",
  webhooks:
    "Have events sent to a server of yours, signed and retried; see what was delivered, and send messages again. Each message has a `sequence`, a number that grows with every event of the workspace. Messages come in that order as long as none fails and the endpoint keeps up; otherwise ignore a message about an object (`data.id`) if you have handled one with a larger `sequence`.",
  "oauth-apps": "Register programs that act for people with their approval.",
  "audit-log":
    "Find out who changed the administration of a workspace or exported data, with which credential and from where.",
  views: "Keep a filter of issues across projects under a name, and list what matches.",
  credits: "Buy AI credits with a program: ask, pay the challenge (HTTP 402), and get a signed receipt.",
  purchases: "Look up a purchase of credits and its receipt, for instance after a lost reply.",
  cards: "Have a person save a card that programs may pay with later.",
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
  "Docs and chat": [
    "docs",
    "doc-comments",
    "doc-watchers",
    "doc-versions",
    "chat-channels",
    "chat-members",
    "chat-messages",
  ],
  "Automation and agents": [
    ...["automations", "workflows", "workflow-runs"],
    ...["agents", "agent-events", "agent-sessions"],
  ],
  Developers: ["api-keys", "webhooks", "oauth-apps", "audit-log"],
  Credits: ["credits", "purchases", "cards"],
};

type Chapter = { name: string; tags: string[] };

/** The chapters with the given groups, without empty ones. */
export const chapters = (tags: readonly string[]): Chapter[] =>
  Object.entries(CHAPTERS)
    .map(([name, all]) => ({ name, tags: all.filter((tag) => tags.includes(tag)) }))
    .filter((chapter) => chapter.tags.length > 0);
