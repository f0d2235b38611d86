import { z } from "zod";
import { inputPart } from "../../kernel/described.ts";
import { refuseReference } from "../../kernel/errors.ts";
import { choice, idInput, reference } from "../../kernel/wire.ts";
import { activeSprint } from "../../work/issues/board.sql.ts";
import { onIssues, reportRequired } from "./define.ts";
import { aboutAction } from "./descriptions.ts";
import { changed } from "./effects.ts";
import { namedProblems } from "./references.ts";
import { target } from "./targets.ts";

/** Actions that label issues and move them between sprints. */

const AddLabel = inputPart(aboutAction, { type: z.literal("add_label"), label_id: reference, target });

export const addLabel = onIssues(AddLabel, {
  scopes: ["issues:write"],
  check: (ctx, { label_id }) => namedProblems(ctx, "/label_id", "label", label_id),
  run: (ctx, { label_id }) => changed(ctx, { add_labels: [label_id] }, "Label added", "label"),
  says: ({ label_id }) => `Add the label ${label_id}`,
});

const RemoveLabel = inputPart(aboutAction, { type: z.literal("remove_label"), label_id: reference, target });

export const removeLabel = onIssues(RemoveLabel, {
  scopes: ["issues:write"],
  check: (ctx, { label_id }) => namedProblems(ctx, "/label_id", "label", label_id),
  run: (ctx, { label_id }) => changed(ctx, { remove_labels: [label_id] }, "Label removed", "label"),
  says: ({ label_id }) => `Remove the label ${label_id}`,
});

const MoveToSprint = inputPart(aboutAction, {
  type: z.literal("move_to_sprint"),
  sprint_target: choice(["active", "specific", "backlog"]),
  sprint_id: idInput.optional(),
  target,
}).superRefine(({ sprint_target, sprint_id }, ctx) => {
  if (sprint_target === "specific" && sprint_id === undefined) {
    reportRequired(ctx, "sprint_id", "is required with sprint_target specific");
  }
});

export const moveToSprint = onIssues(MoveToSprint, {
  scopes: ["issues:write"],
  check: async (ctx, { sprint_id }) =>
    sprint_id === undefined ? [] : namedProblems(ctx, "/sprint_id", "sprint", sprint_id),
  run: async (ctx, { sprint_target, sprint_id }) => {
    if (sprint_target === "backlog") return changed(ctx, { sprint_id: null }, "Moved out of its sprint");
    if (sprint_target === "specific") return changed(ctx, { sprint_id: sprint_id! }, "Moved to the sprint", "sprint");
    const active = await activeSprint(ctx.db, ctx.workspace.id, ctx.project.id);
    const message = `${ctx.project.key} has no active sprint.`;
    return changed(
      ctx,
      { sprint_id: active ?? refuseReference("/sprint_target", "active", { message }) },
      "Moved to the active sprint",
      "sprint",
    );
  },
  says: ({ sprint_target, sprint_id }) =>
    sprint_target === "backlog" ? "Move out of the sprint" : `Move to the sprint ${sprint_id ?? "that is active"}`,
});
