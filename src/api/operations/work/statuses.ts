import { StatusCreateInput, StatusPatchInput } from "../../../domain/work/projects/status-inputs.ts";
import { StatusView } from "../../../domain/work/projects/status-view.ts";
import { byId, change, create, list, read, remove, StatusDeleted } from "../../../domain/work/projects/statuses.ts";
import { resource } from "../../engine/resource.ts";

export const statusOperations = resource("P/statuses", {
  id: "statuses",
  view: StatusView,
  read: "projects:read",
  write: "projects:write",
  entity: byId,
  current: read,
  all: { summary: "List all columns of the board in order", handle: ({ ctx }) => list(ctx) },
  create: {
    summary: "Add a column; a board has at most 12",
    body: StatusCreateInput,
    example: { name: "Ready", category: "todo" },
    handle: ({ ctx, body }) => create(ctx, body),
  },
  patch: {
    summary: "Change a column; its issues get its new category",
    body: StatusPatchInput,
    example: { name: "Ready to start" },
    handle: ({ ctx, on, body }) => change(ctx, on, body),
  },
  remove: {
    summary: "Delete a column and archive its issues",
    returns: StatusDeleted,
    handle: ({ ctx, on }) => remove(ctx, on),
  },
});
