import {
  ProjectMemberAddInput,
  ProjectMemberRemoved,
  ProjectMemberView,
} from "../../../domain/work/projects/member-view.ts";
import { add, listPage, lockByName, read, remove } from "../../../domain/work/projects/members.ts";
import { operation } from "../../engine/operation.ts";

export const projectMemberOperations = [
  operation({
    id: "project-members.list",
    route: "GET P/members",
    summary: "List a project's members, newest first; only they and admins can see a scoped project",
    needs: "projects:read",
    returns: ProjectMemberView,
    shape: "list",
    handle: ({ ctx, paging }) => listPage(ctx, paging),
  }),
  operation({
    id: "project-members.create",
    route: "POST P/members",
    summary: "Add a person or agent of the workspace to a project, or change their role in it",
    about:
      "Adding somebody again only changes their role in the project; the reply is 201 in any case. Guests and agents can be added too. The person must be in the workspace (400 `not_a_member`).",
    needs: "projects:admin",
    body: ProjectMemberAddInput,
    example: { user_id: "ada@example.com", role: "member" },
    returns: ProjectMemberView,
    status: 201,
    onArchived: true,
    handle: ({ ctx, body }) => add(ctx, body),
  }),
  operation({
    id: "project-members.delete",
    route: "DELETE P/members/{userId}",
    summary: "Remove a member from a project",
    about:
      "In a scoped project, the person no longer sees it, and their streams end. Removing somebody who is not a member changes nothing.",
    needs: "projects:admin",
    on: lockByName,
    current: read,
    returns: ProjectMemberRemoved,
    onArchived: true,
    handle: ({ ctx, on }) => remove(ctx, on),
  }),
];
