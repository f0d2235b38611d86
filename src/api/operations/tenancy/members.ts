import { z } from "zod";
import { part } from "../../../domain/kernel/described.ts";
import { id } from "../../../domain/kernel/wire.ts";
import { remove } from "../../../domain/member-removal.ts";
import { aboutMemberRemoved } from "../../../domain/tenancy/workspaces/descriptions.ts";
import {
  MemberPatchInput,
  MemberView,
  OwnershipTransferInput,
} from "../../../domain/tenancy/workspaces/member-view.ts";
import { listPage, read } from "../../../domain/tenancy/workspaces/members.ts";
import { changeRole, lockById, transferOwnership } from "../../../domain/tenancy/workspaces/roles.ts";
import { operation } from "../../engine/operation.ts";

export const memberOperations = [
  operation({
    id: "members.list",
    route: "GET W/members",
    summary: "List the workspace's people, latest joined first",
    needs: "members:read",
    limitedKeys: "filter",
    returns: MemberView,
    shape: "list",
    handle: ({ ctx, paging }) => listPage(ctx, paging),
  }),
  operation({
    id: "members.patch",
    route: "PATCH W/members/{userId}",
    summary: "Change a member's role; a guest becomes a full member",
    needs: "members:write; admin tier",
    limitedKeys: "refuse",
    on: lockById,
    current: read,
    body: MemberPatchInput,
    example: { role: "viewer" },
    returns: MemberView,
    handle: ({ ctx, on, body }) => changeRole(ctx, on, body),
  }),
  operation({
    id: "members.delete",
    route: "DELETE W/members/{userId}",
    summary: "Remove a member: they are unassigned from open issues, and their keys are revoked; their content stays",
    needs: "members:write; admin tier",
    limitedKeys: "refuse",
    on: lockById,
    current: read,
    returns: part(aboutMemberRemoved, { user_id: id, removed: z.literal(true) }),
    handle: ({ ctx, on }) => remove(ctx, on),
  }),
  operation({
    id: "members.transfer-ownership",
    route: "POST W/transfer-ownership",
    summary: "Transfer ownership to another member; you become an admin",
    needs: "members:write; admin tier",
    limitedKeys: "refuse",
    body: OwnershipTransferInput,
    example: { user_id: "ada@example.com" },
    returns: MemberView,
    handle: ({ ctx, body }) => transferOwnership(ctx, body.user_id),
  }),
];
