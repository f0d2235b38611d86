import { deletedView } from "../../../domain/kernel/wire.ts";
import { byId, create, list, read, remove } from "../../../domain/work/links/links.ts";
import { IssueLinkCreateInput, IssueLinkView } from "../../../domain/work/links/view.ts";
import { resource } from "../../engine/resource.ts";

export const linkOperations = resource("I/links", {
  id: "links",
  view: IssueLinkView,
  read: "issues:read",
  write: "issues:write",
  entity: byId,
  current: read,
  all: {
    summary: "List all links of an issue in both directions, except links to issues you cannot see",
    about: "Each link is shown from the side of this issue: `direction: in` means that the other one points to it.",
    handle: ({ ctx }) => list(ctx),
  },
  create: {
    summary: "Link an issue to another issue of the workspace; an existing link is returned",
    about:
      "`blocks` from A to B makes B blocked while A is open (`is_blocked`). A link that would close a circle of blockers is 400 `link_cycle`. `relates_to` has no direction.",
    body: IssueLinkCreateInput,
    example: { kind: "blocks", direction: "out", target_key: "WEB-2" },
    handle: ({ ctx, body }) => create(ctx, body),
  },
  remove: {
    summary: "Delete a link, from either side",
    about:
      "Both issues lose the link. An issue without further open blockers is unblocked, which automations can react to.",
    returns: deletedView("link"),
    handle: ({ ctx, on }) => remove(ctx, on),
  },
});
