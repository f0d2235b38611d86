import type { OperationTool } from "./operation-tool.ts";

/** The calls that agents make most, as tools. All other operations are called with `call_operation`. */
export const OPERATION_TOOLS: readonly OperationTool[] = [
  {
    name: "whoami",
    title: "Who am I",
    description: "Your user, workspace, scopes and limits. Call it first.",
    operation: "getMe",
  },
  {
    name: "list_projects",
    title: "List projects",
    description: "Projects of the workspace. Other tools name a project by its key.",
    operation: "listProjects",
    fields: "key,name",
  },
  {
    name: "create_issue",
    title: "Create an issue",
    description: "Creates an issue in a project.",
    operation: "createIssue",
    offers: ["title", "description_md", "type", "priority", "status", "assignee", "labels", "parent", "due_at"],
  },
];
