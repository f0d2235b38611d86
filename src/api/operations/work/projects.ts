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
    needs: "projects:read",
    returns: ProjectView,
    handle: ({ ctx }) => read(ctx),
  }),
  operation({
    id: "projects.patch",
    route: "PATCH P",
    summary: "Change a project",
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
    needs: "projects:write; project admin or admin tier",
    returns: ProjectView,
    onArchived: true,
    handle: ({ ctx }) => archive(ctx),
  }),
  operation({
    id: "projects.restore",
    route: "POST P/restore",
    summary: "Restore an archived project",
    needs: "projects:write; project admin or admin tier",
    returns: ProjectView,
    onArchived: true,
    handle: ({ ctx }) => restore(ctx),
  }),
];
