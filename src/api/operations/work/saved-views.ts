import { deletedView } from "../../../domain/kernel/wire.ts";
import { byId, change, create, list, read, remove } from "../../../domain/work/saved-views/saved-views.ts";
import { SavedViewCreateInput, SavedViewPatchInput, SavedViewView } from "../../../domain/work/saved-views/view.ts";
import { resource } from "../../engine/resource.ts";

export const savedViewOperations = resource("P/saved-views", {
  id: "saved-views",
  view: SavedViewView,
  read: "saved_views:read",
  write: "saved_views:write",
  writers: "viewers",
  entity: byId,
  current: read,
  all: {
    summary: "List all shared views of a project and your own",
    handle: ({ ctx }) => list(ctx),
  },
  create: {
    summary: "Save a view; viewers cannot share it",
    about:
      "`GET …/issues?view=<id>` applies the `filter`. Columns, labels and people that it names are stored by id: renaming them changes nothing. If one is deleted, `filter_deleted` says so.",
    body: SavedViewCreateInput,
    example: { name: "My open bugs", filter: { issueTypes: ["bug"] }, columns: ["status"] },
    handle: ({ ctx, body }) => create(ctx, body),
  },
  patch: {
    summary: "Change a view; only its creator or a project admin may",
    about: "`filter` and `columns` are replaced as a whole.",
    body: SavedViewPatchInput,
    example: { name: "Open bugs" },
    handle: ({ ctx, on, body }) => change(ctx, on, body),
  },
  remove: {
    summary: "Delete a view; only its creator or a project admin may",
    about: "Issues do not change.",
    returns: deletedView("view"),
    handle: ({ ctx, on }) => remove(ctx, on),
  },
});
