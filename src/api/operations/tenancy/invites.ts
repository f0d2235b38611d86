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
    write: "members:write",
    limitedKeys: "refuse",
    entity: lockById,
    list: {
      summary: "List pending invites, newest first",
      about: "Accepted, revoked and expired invites are not listed.",
      handle: ({ ctx, paging }) => listPage(ctx, paging),
    },
    create: {
      summary: "Invite someone by e-mail; a pending invite for the same address is replaced",
      about:
        "Sends a mail with a link that is valid for 7 days. The invited person signs in with that address and accepts. A new invite for an address replaces the pending one, named in `replaced_invite_id`. A guest sees only the projects in `project_ids`. How many invites a person and a workspace may send in a day is limited (429).",
      body: InviteCreateInput,
      example: { email: "grace@example.com", role: "guest", project_ids: ["WEB"] },
      handle: ({ ctx, body }) => invite(ctx, body),
    },
  }),
  operation({
    id: "invites.delete",
    route: "DELETE W/invites/{id}",
    summary: "Revoke a pending invite",
    about: "The link in the mail stops working at once.",
    needs: "members:write",
    limitedKeys: "refuse",
    on: lockById,
    current: read,
    returns: part(aboutInviteRevoked, { id, revoked: z.literal(true) }),
    handle: ({ ctx, on }) => revoke(ctx, on),
  }),
];
