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
  all: {
    summary: "List all columns of the board in order",
    about:
      "A column has a name of your choice and one of seven categories. The category is the `status` of the issues in the column.",
    handle: ({ ctx }) => list(ctx),
  },
  create: {
    summary: "Add a column; a board has at most 12",
    about:
      "The column goes to the end of the columns of its category, unless `before`, `after` or `rank` places it. At 12 columns the reply is 409 `status_limit_reached`.",
    body: StatusCreateInput,
    example: { name: "Ready", category: "todo" },
    handle: ({ ctx, body }) => create(ctx, body),
  },
  patch: {
    summary: "Change a column; its issues get its new category",
    about:
      "A new `category` changes all issues of the column: each gets the new `status`, new values of `started_at` and `resolved_at`, and an event of its own. If the category is changed back, issues that stayed in the column get their earlier times back. Issues that become open leave completed sprints and people who left the workspace; changed back, they return there. Of more than 200 issues, all reads show the change at once, and events and history follow within seconds to minutes. `is_default: true` makes it the column of new issues.",
    body: StatusPatchInput,
    example: { name: "Ready to start" },
    handle: ({ ctx, on, body }) => change(ctx, on, body),
  },
  remove: {
    summary: "Delete a column and archive its issues",
    about:
      "Its issues are archived with `archived_reason: status_deleted`, each with an event. A restored issue goes to the first column of its category, or else to the default column. If it was the default column, the first remaining one becomes the default. `transition_rules` lose the column; a rule that allowed only this column allows no move then. The last column cannot be deleted (409 `last_status`). `issues_deleted` counts the archived issues; of more than 200, all reads show them as archived at once, and events and history follow within seconds to minutes.",
    returns: StatusDeleted,
    handle: ({ ctx, on }) => remove(ctx, on),
  },
});
