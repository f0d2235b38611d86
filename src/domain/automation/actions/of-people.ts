import { z } from "zod";
import { extended } from "../../kernel/context.ts";
import { inputPart } from "../../kernel/described.ts";
import { refuseReference } from "../../kernel/errors.ts";
import { referenceKey } from "../../kernel/ids.ts";
import { choice, reference } from "../../kernel/wire.ts";
import type { Running } from "./action.ts";
import { type OnIssue, onIssues, reportRequired, skipped } from "./define.ts";
import { aboutAction } from "./descriptions.ts";
import { changed } from "./effects.ts";
import { peopleNamed, peopleProblems } from "./references.ts";
import { target } from "./targets.ts";

/** Actions that assign issues. */

const AssignTo = inputPart(aboutAction, {
  type: z.literal("assign_to"),
  assign_target: choice(["member", "triggering_user", "reporter", "round_robin"]),
  member_id: reference.optional(),
  member_ids: z.array(reference).min(1).max(50).optional(),
  target,
}).superRefine(({ assign_target, member_id, member_ids }, ctx) => {
  if (assign_target === "member" && member_id === undefined) {
    reportRequired(ctx, "member_id", "is required with assign_target member");
  }
  if (assign_target === "round_robin" && member_ids === undefined) {
    reportRequired(ctx, "member_ids", "is required with assign_target round_robin");
  }
});
type AssignTo = z.output<typeof AssignTo>;

export const assignTo = onIssues(AssignTo, {
  scopes: ["issues:write"],
  check: (ctx, { member_id, member_ids = [] }) =>
    peopleProblems(ctx, [
      ...(member_id === undefined ? [] : [["/member_id", member_id] as const]),
      ...member_ids.map((id, n) => [`/member_ids/${n}`, id] as const),
    ]),
  run: async (ctx, action, running) => {
    const assignee = await assigneeOf(ctx, action, running);
    if (assignee === null) return skipped("No person caused the event.");
    return changed(ctx, { assignee }, "Assigned", "member or agent");
  },
  says: ({ assign_target, member_id }) => `Assign to ${assign_target === "member" ? member_id : assign_target}`,
});

async function assigneeOf(
  ctx: OnIssue,
  { assign_target, member_id, member_ids = [] }: AssignTo,
  { triggeringUserId, ordinal }: Running,
): Promise<string | null> {
  if (assign_target === "member") return member_id!;
  if (assign_target === "triggering_user") return triggeringUserId;
  if (assign_target === "reporter") return ctx.issue.reporter_id;
  // People who left do not get a turn.
  const present = await peopleNamed(extended(ctx, { projectId: ctx.project.id }), member_ids);
  const turns = member_ids.filter((id) => present.has(referenceKey(id)));
  if (turns.length === 0)
    refuseReference("/member_ids", member_ids, { message: "None of the members is here any more." });
  return turns[ordinal % turns.length]!;
}

const Unassign = inputPart(aboutAction, { type: z.literal("unassign"), target });

export const unassign = onIssues(Unassign, {
  scopes: ["issues:write"],
  check: async () => [],
  run: (ctx) => changed(ctx, { assignee_ids: [] }, "Unassigned"),
  says: () => "Remove all assignees",
});
