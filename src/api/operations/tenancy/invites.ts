import { z } from "zod";
import { part } from "../../../domain/kernel/described.ts";
import { id } from "../../../domain/kernel/wire.ts";
import { InviteCreateInput, InviteView } from "../../../domain/tenancy/invites/invite-view.ts";
import { invite, listPage, lockById, read, revoke } from "../../../domain/tenancy/invites/inviting.ts";
import { aboutInviteRevoked } from "../../../domain/tenancy/workspaces/descriptions.ts";
import { operation } from "../../engine/operation.ts";
import { resource } from "../../engine/resource.ts";

export const inviteOperations = [
  ...resource("W/invites", {
    id: "invites",
    view: InviteView,
    read: "members:read; admin tier",
    write: "members:write; admin tier",
    limitedKeys: "refuse",
    entity: lockById,
    list: { summary: "List pending invites, newest first", handle: ({ ctx, paging }) => listPage(ctx, paging) },
    create: {
      summary: "Invite someone by e-mail; a pending invite for the same address is replaced",
      body: InviteCreateInput,
      example: { email: "grace@example.com", role: "guest", project_ids: ["WEB"] },
      handle: ({ ctx, body }) => invite(ctx, body),
    },
  }),
  operation({
    id: "invites.delete",
    route: "DELETE W/invites/{id}",
    summary: "Revoke a pending invite",
    needs: "members:write; admin tier",
    limitedKeys: "refuse",
    on: lockById,
    current: read,
    returns: part(aboutInviteRevoked, { id, revoked: z.literal(true) }),
    handle: ({ ctx, on }) => revoke(ctx, on),
  }),
];
