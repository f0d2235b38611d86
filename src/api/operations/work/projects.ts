import { archive, restore } from "../../../domain/work/projects/archive.ts";
import { createProject } from "../../../domain/work/projects/create.ts";
import { ProjectCreateInput, ProjectPatchInput } from "../../../domain/work/projects/inputs.ts";
import { change, listPage, ProjectListQuery, read } from "../../../domain/work/projects/projects.ts";
import { ProjectView } from "../../../domain/work/projects/view.ts";
import { operation } from "../../engine/operation.ts";

export const projectOperations = [
  operation({
    id: "projects.list",
    route: "GET W/projects",
    summary: "List the projects you can see, by name",
    about:
      "Projects with `scoped: true` are listed only for their members, owners and admins; guests see the projects that name them.",
    needs: "projects:read",
    limitedKeys: "filter",
    query: ProjectListQuery,
    returns: ProjectView,
    shape: "list",
    handle: ({ ctx, query, paging }) => listPage(ctx, { ...query, paging }),
  }),
  operation({
    id: "projects.create",
    route: "POST W/projects",
    summary: "Create a project with its board",
    about:
      "The board gets the columns in `statuses`, or Backlog, To Do, In Progress, In Review, Done and Cancelled. `key` is the prefix of issue keys and can never change; if it is absent, it is made from the name. With `scoped: true` only members of the project, owners and admins see it. With it, you become its project admin. People in `member_ids` become its members.",
    needs: "projects:write",
    limitedKeys: "refuse",
    body: ProjectCreateInput,
    example: { name: "Website", key: "WEB", lead_user_id: "me" },
    returns: ProjectView,
    status: 201,
    handle: ({ ctx, body }) => createProject(ctx, body),
  }),
  operation({
    id: "projects.get",
    route: "GET P",
    summary: "Read a project",
    about: "`issue_counts` counts the issues of each category without archived ones.",
    needs: "projects:read",
    returns: ProjectView,
    handle: ({ ctx }) => read(ctx),
  }),
  operation({
    id: "projects.patch",
    route: "PATCH P",
    summary: "Change a project",
    about:
      "`key` and `slug` cannot be changed. `transition_rules`, `wip_mode` and `enforce_blockers` say which moves the board allows; they hold for every call, automation and agent. `scoped: true` hides the project at once from everybody who is not its member.",
    needs: "projects:write",
    body: ProjectPatchInput,
    example: { name: "Public website" },
    returns: ProjectView,
    onArchived: true,
    handle: ({ ctx, body }) => change(ctx, body),
  }),
  operation({
    id: "projects.delete",
    route: "DELETE P",
    summary: "Archive a project",
    about:
      "The project becomes read-only: its issues leave search and lists, and writes get 409 `archived`. It can be restored for 30 days; then files of its issues are deleted. Its key stays taken. Open agent sessions and workflow runs on its issues are cancelled. Archiving it again changes nothing.",
    needs: "projects:write; project admin or admin tier",
    returns: ProjectView,
    onArchived: true,
    handle: ({ ctx }) => archive(ctx),
  }),
  operation({
    id: "projects.restore",
    route: "POST P/restore",
    summary: "Restore an archived project",
    about:
      "Brings back the project with its issues as they were. After 30 days the reply is 409 `restore_window_over`.",
    needs: "projects:write; project admin or admin tier",
    returns: ProjectView,
    onArchived: true,
    handle: ({ ctx }) => restore(ctx),
  }),
];
