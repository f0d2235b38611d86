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
    summary: "Those whom a project names, who came last first; a scoped project is seen by them alone and by admins",
    needs: "projects:read",
    returns: ProjectMemberView,
    shape: "list",
    handle: ({ ctx, paging }) => listPage(ctx, paging),
  }),
  operation({
    id: "project-members.create",
    route: "POST P/members",
    summary: "Name somebody of the workspace for a project, or give them another role in it",
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
    summary: "Take somebody off a project's list",
    needs: "projects:admin",
    on: lockByName,
    current: read,
    returns: ProjectMemberRemoved,
    onArchived: true,
    handle: ({ ctx, on }) => remove(ctx, on),
  }),
];
