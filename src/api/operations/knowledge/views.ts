import { deletedView } from "../../../domain/kernel/wire.ts";
import { AcrossQuery, listAcross } from "../../../domain/knowledge/views/across.ts";
import { listIssues } from "../../../domain/knowledge/views/issues.ts";
import {
  WorkspaceViewCreateInput,
  WorkspaceViewPatchInput,
  WorkspaceViewView,
} from "../../../domain/knowledge/views/view.ts";
import { byId, change, create, inPath, listPage, read, remove } from "../../../domain/knowledge/views/views.ts";
import { IssueView } from "../../../domain/work/issues/view.ts";
import { operation } from "../../engine/operation.ts";
import { resource } from "../../engine/resource.ts";

export const viewOperations = [
  ...resource("W/views", {
    id: "views",
    view: WorkspaceViewView,
    read: "saved_views:read",
    write: "saved_views:write",
    limitedKeys: "refuse",
    writers: "viewers",
    entity: byId,
    list: {
      summary: "List the shared views across projects and your own, newest first",
      handle: ({ ctx, paging }) => listPage(ctx, paging),
    },
    get: { summary: "Read a view", row: read },
    create: {
      summary: "Save a view across projects; viewers cannot share it",
      about:
        "A view across projects shows to each reader the issues that they can see; read them with `GET …/views/{id}/issues`.",
      body: WorkspaceViewCreateInput,
      example: {
        name: "Urgent bugs",
        filter: {
          projectIds: [],
          statuses: [],
          priorities: ["highest", "critical"],
          types: ["bug"],
          assigneeId: null,
          sort: "priority_desc",
        },
      },
      handle: ({ ctx, body }) => create(ctx, body),
    },
    patch: {
      summary: "Change a view; only its creator, an owner or an admin may",
      about: "`filter` and `columns` are replaced as a whole.",
      body: WorkspaceViewPatchInput,
      example: { name: "Bugs to fix first" },
      handle: ({ ctx, on, body }) => change(ctx, on, body),
    },
    remove: {
      summary: "Delete a view; only its creator, an owner or an admin may",
      about: "Issues do not change.",
      returns: deletedView("view"),
      handle: ({ ctx, on }) => remove(ctx, on),
    },
  }),
  operation({
    id: "workspaces.issues",
    route: "GET W/issues",
    summary: "List issues across the projects that you can see",
    about:
      "`assignee=me` lists what is assigned to you. Archived issues, and issues of archived projects, are left out. A project's own list has more filters.",
    needs: "issues:read",
    limitedKeys: "filter",
    query: AcrossQuery,
    returns: IssueView,
    shape: "list",
    handle: ({ ctx, query, paging }) => listAcross(ctx, query, paging),
  }),
  operation({
    id: "views.issues",
    route: "GET W/views/{id}/issues",
    summary: "List the issues that a view shows, from the projects that you can see",
    about: "Issues are in the order of the view's `sort`. Two readers of a shared view may get different issues.",
    needs: "issues:read",
    limitedKeys: "refuse",
    within: inPath,
    returns: IssueView,
    shape: "list",
    handle: ({ ctx, parent, paging }) => listIssues(ctx, parent, paging),
  }),
];
