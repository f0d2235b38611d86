import { z } from "zod";
import { part } from "../../../domain/kernel/described.ts";
import { id } from "../../../domain/kernel/wire.ts";
import { remove } from "../../../domain/member-removal.ts";
import { aboutMemberRemoved } from "../../../domain/tenancy/workspaces/descriptions.ts";
import {
  MemberPatchInput,
  MemberQuery,
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
    summary: "List the workspace's people, latest joined first or by name",
    about:
      "People only; agents are listed by `GET …/agents`. Guests appear with `is_guest` and the projects that they see.",
    needs: "members:read",
    limitedKeys: "filter",
    query: MemberQuery,
    returns: MemberView,
    shape: "list",
    handle: ({ ctx, query, paging }) => listPage(ctx, query, paging),
  }),
  operation({
    id: "members.patch",
    route: "PATCH W/members/{userId}",
    summary: "Change a member's role; a guest becomes a full member",
    about:
      "Nobody can raise their own role, and `owner` is given only by `POST …/transfer-ownership`. A key whose creator gets a smaller role loses the scopes above that role at once.",
    needs: "members:write",
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
    about:
      "The person loses access with the next call: their API keys, access tokens and pending invites are revoked, and their streams end. They leave all projects and channels, and their open issues are unassigned: up to 200 at once, more of them within seconds, with an event each. Meanwhile these still show the person, but nobody can assign them to an issue; a person who comes back before the end stays assigned to the rest. Their private docs go to the owner or admin who removes them; everything else that they wrote stays in their name. `me` leaves the workspace. The last owner cannot leave (409 `last_owner`).",
    needs: "members:write",
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
    about: "Both roles change at once. Only an owner may call it.",
    needs: "members:write",
    limitedKeys: "refuse",
    body: OwnershipTransferInput,
    example: { user_id: "ada@example.com" },
    returns: MemberView,
    handle: ({ ctx, body }) => transferOwnership(ctx, body.user_id),
  }),
];
