import { own } from "./own.ts";

/** The calls that list and create the objects of a kind, by the `operationId` and the path of the API description. */

const PROJECT = "/v1/workspaces/{slug}/projects/{key}";
const WORKSPACE = "/v1/workspaces/{slug}";

const listedAt = (list: string, path: string, create?: string) =>
  `${list} (GET ${path}) lists what exists${create ? `, ${create} (POST to the same path) creates one` : ""}.`;

const LABELS = listedAt("listLabels", `${PROJECT}/labels`, "createLabel");
const PEOPLE = listedAt("listMembers", `${WORKSPACE}/members`);
const COLUMNS = listedAt("listStatuses", `${PROJECT}/statuses`, "createStatus");
const SPRINTS = listedAt("listSprints", `${PROJECT}/sprints`, "createSprint");
const MILESTONES = listedAt("listMilestones", `${PROJECT}/milestones`, "createMilestone");
const RELEASES = listedAt("listReleases", `${PROJECT}/releases`, "createRelease");
const ISSUES = listedAt("listWorkspaceIssues", `${WORKSPACE}/issues`);
const PROJECTS = listedAt("listProjects", `${WORKSPACE}/projects`);
const FIELDS = listedAt("listCustomFieldDefs", `${PROJECT}/custom-field-defs`, "createCustomFieldDef");
const AGENTS = listedAt("listAgents", `${WORKSPACE}/agents`);

/** Fields of bodies, and parameters of filters, by the kind of object that they name. */
const BY_FIELD: Readonly<Record<string, string>> = {
  ...{ label: LABELS, labels: LABELS, add_labels: LABELS, remove_labels: LABELS, label_ids: LABELS },
  default_label_ids: LABELS,
  ...{ assignee: PEOPLE, assignee_ids: PEOPLE, reporter: PEOPLE, watcher_ids: PEOPLE, user_id: PEOPLE },
  ...{ user_ids: PEOPLE, member_ids: PEOPLE, lead_user_id: PEOPLE, owner_user_id: PEOPLE, assigneeId: PEOPLE },
  ...{ default_assignee_id: PEOPLE, member_id: PEOPLE },
  ...{ status: COLUMNS, status_id: COLUMNS, statuses: COLUMNS, default_status_id: COLUMNS },
  ...{ sprint: SPRINTS, sprint_id: SPRINTS, sprintId: SPRINTS, default_sprint_id: SPRINTS },
  ...{ milestone: MILESTONES, milestone_id: MILESTONES, milestoneId: MILESTONES },
  ...{ release: RELEASES, release_id: RELEASES },
  ...{ parent: ISSUES, epic: ISSUES, issue_key: ISSUES, issue_id: ISSUES, target_key: ISSUES },
  ...{ project: PROJECTS, project_id: PROJECTS, project_ids: PROJECTS, projectIds: PROJECTS },
  custom_field_id: FIELDS,
  ...{ agent_id: AGENTS, agent_user_id: AGENTS },
  parent_goal_id: listedAt("listGoals", `${WORKSPACE}/goals`, "createGoal"),
  portfolio_id: listedAt("listPortfolios", `${WORKSPACE}/portfolios`, "createPortfolio"),
  workflow_id: listedAt("listWorkflows", `${WORKSPACE}/workflows`, "createWorkflow"),
  channel_id: listedAt("listChatChannels", `${WORKSPACE}/chat/channels`, "createChatChannel"),
  webhook_id: listedAt("listWebhooks", `${WORKSPACE}/webhooks`, "createWebhook"),
};

/** Which calls list and create the objects that a field names. The innermost named part of the path decides. */
export function whereToFind(path: string): string | undefined {
  for (const part of path.split("/").reverse()) {
    const found = own(BY_FIELD, part);
    if (found !== undefined) return found;
  }
  return undefined;
}
