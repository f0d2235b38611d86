import type { InProject, Writing } from "../../kernel/context.ts";
import { changesTo } from "../../kernel/difference.ts";
import { refuseField } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { endsBefore, type WholeDate, withDays } from "../../kernel/whole-days.ts";
import { changeIssues } from "../mass-changes/change-issues.ts";
import type { PositionInput } from "../positions.ts";
import type { Table } from "./planning.sql.ts";
import { rankForNew, requestedRank } from "./positions.ts";
import type { PlanningDeleted } from "./views.ts";

/** Shared writes of milestones, sprints and releases. Each of them locks the board first. */

/** Returns the columns that all new ones have. @throws Refusal */
export const commonColumns = async (
  ctx: InProject & Writing,
  table: Table,
  input: PositionInput & { name: string },
) => ({
  id: newId(),
  workspace_id: ctx.workspace.id,
  project_id: ctx.project.id,
  name: input.name,
  rank: await rankForNew(ctx, table, input),
  created_by: ctx.principal.user_id,
  created_at: ctx.now,
  updated_at: ctx.now,
});

/** The dates of each. */
export const DATES = {
  milestone: ["start_at", "due_at"],
  sprint: ["start_at", "end_at"],
  release: ["target_date"],
} as const satisfies Record<Table, readonly unknown[]>;

type Plain<Input> = Omit<Input, keyof PositionInput>;

/** Returns the fields of a body that differ from the present ones, with the rank if the body requests another position. */
export async function changesOf<View extends { id: string; rank: string }, Input extends PositionInput>(
  ctx: InProject & Writing,
  table: Table,
  before: View,
  wanted: Input,
): Promise<Partial<Plain<Input>> & { rank?: string }> {
  const { before: _before, after: _after, ...plain } = withDays(DATES[table], wanted, before);
  return changesTo(before, { ...plain, rank: await requestedRank(ctx, table, wanted, before) } as Plain<Input> & {
    rank?: string;
  });
}

/** @throws Refusal validation_failed */
export function checkOrder(start: WholeDate, end: WholeDate, field: string): void {
  if (endsBefore(end, start)) refuseField(`/${field}`, "too_small", "must not be before start_at");
}

type Deletable = { id: string; name: string; deleted_at: string | null; updated_at: string };

/**
 * Deletes a milestone, sprint or release and removes it from its issues, also from archived ones.
 * @param recordDeletion records the event; it is called before the events of the issues are recorded
 */
export async function softDelete(
  ctx: InProject & Writing,
  table: Table,
  planned: Deletable,
  recordDeletion: () => void,
): Promise<PlanningDeleted> {
  Object.assign(planned, { deleted_at: ctx.now, updated_at: ctx.now });
  // Written before its issues are read. A call that assigns an issue to it at this moment either finishes first, or finds
  // it deleted.
  await ctx.em.flush();
  recordDeletion();
  const { id } = planned;
  // Of a completed sprint, open issues may still be on their way to the next one. These are no longer in it.
  const detached = await changeIssues(ctx, { kind: table, target_id: id });
  return { id, deleted: true, issues_detached: detached };
}
