import type { InProject, Writing } from "../../kernel/context.ts";
import { changesTo } from "../../kernel/difference.ts";
import { refuseField } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { replan } from "../issues/change-many.ts";
import type { Placing } from "../places.ts";
import { rankForNew, rankNamed } from "./place.ts";
import type { Table } from "./planning.sql.ts";
import type { PlanningDeleted } from "./views.ts";

/** What writes of milestones, sprints and releases have in common. Every one of them holds the board first. */

/** What a new one begins with: its place, and who made it when. @throws Refusal */
export const beginning = async (ctx: InProject, table: Table, input: Placing & { name: string }) => ({
  id: newId(),
  workspace_id: ctx.workspace.id,
  project_id: ctx.project.id,
  name: input.name,
  rank: await rankForNew(ctx, table, input),
  created_by: ctx.principal.user_id,
  created_at: ctx.now,
  updated_at: ctx.now,
});

type Plain<Input> = Omit<Input, keyof Placing>;

/** The fields of a body that differ from what is there, and the rank where it asks for another place. */
export async function changesOf<View extends { id: string; rank: string }, Input extends Placing>(
  ctx: InProject,
  table: Table,
  before: View,
  wanted: Input,
): Promise<Partial<Plain<Input>> & { rank?: string }> {
  const { before: _before, after: _after, ...plain } = wanted;
  return changesTo(before, { ...plain, rank: await rankNamed(ctx, table, wanted, before) } as Plain<Input> & {
    rank?: string;
  });
}

/** Instants in one spelling compare as text. @throws Refusal validation_failed */
export function checkOrder(start: string | null | undefined, end: string | null | undefined, field: string): void {
  if (start && end && end < start) refuseField(`/${field}`, "too_small", "must not be before start_at");
}

type Deletable = { id: string; name: string; deleted_at?: string | null | undefined; updated_at: string };

/**
 * Deletes one of them and takes it off its issues, archived ones too.
 * @param recordDeletion records the event, before those of the issues
 */
export async function retire(
  ctx: InProject & Writing,
  table: Table,
  planned: Deletable,
  recordDeletion: () => void,
): Promise<PlanningDeleted> {
  Object.assign(planned, { deleted_at: ctx.now, updated_at: ctx.now });
  // Before its issues are looked for: whoever plans one for it at this moment is waited for, or finds it gone.
  await ctx.em.flush();
  recordDeletion();
  const { id, name } = planned;
  const detached = await replan(ctx, `${table}_id`, { from: { id, name }, to: null, which: "all" });
  return { id, deleted: true, issues_detached: detached };
}
