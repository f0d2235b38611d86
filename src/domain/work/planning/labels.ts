import { record, recordChange } from "../../events/record.ts";
import type { InProject, Writing } from "../../kernel/context.ts";
import { changesTo } from "../../kernel/difference.ts";
import { refuse } from "../../kernel/errors.ts";
import { newId, readId } from "../../kernel/ids.ts";
import { lockBoard, onBoard } from "../../kernel/locks.sql.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import type { LabelView } from "../issues/view.ts";
import { changeIssues } from "../mass-changes/change-issues.ts";
import type { LabelData } from "../mass-changes/rows.ts";
import { Label } from "./entities.ts";
import { labelCreated, labelDeleted, labelUpdated } from "./events.ts";
import type { LabelCreateInput, LabelPatchInput } from "./inputs.ts";
import { type CountedLabel, findLabel, labelNamed, listLabels, lockForDeletion } from "./labels.sql.ts";
import { wantsField } from "./reads.ts";

/** Colors for labels that are created without one. */
const COLORS = ["#3b82f6", "#22c55e", "#f59e0b", "#ef4444", "#a855f7", "#14b8a6", "#ec4899", "#64748b"];

/** Returns a page of a project's labels, by name. Without `issue_count` in `fields`, nothing is counted. */
export async function listPage(ctx: InProject, paging: Paging, fields: readonly string[] = []) {
  const counts = wantsField("issue_count", fields);
  const rows = await listLabels(ctx, { after: paging.after, limit: paging.limit + 1, counts });
  return pageOf(rows, paging, (row) => [row.name, row.id]);
}

/** Returns a label. */
export async function read(ctx: InProject, text: string): Promise<CountedLabel | null> {
  const id = readId(text);
  return id ? findLabel(ctx, id) : null;
}

/** Locks the board, so that names are checked one call at a time, and returns a label. @throws Refusal archived */
export async function byId(ctx: InProject & Writing, text: string): Promise<Label | null> {
  const id = readId(text);
  return id ? onBoard(ctx, () => ctx.em.findOne(Label, { id, project_id: ctx.project.id })) : null;
}

/** @throws Refusal already_exists */
export async function create(ctx: InProject & Writing, { name, color, description }: LabelCreateInput) {
  await lockBoard(ctx);
  await checkName(ctx, name);
  const label = ctx.em.create(Label, {
    id: newId(),
    workspace_id: ctx.workspace.id,
    project_id: ctx.project.id,
    name,
    color: color ?? colorFor(name),
    description: description || null,
    created_at: ctx.now,
    updated_at: ctx.now,
  });
  await ctx.em.flush();
  const view = viewOf(label);
  record(ctx, labelCreated, view);
  return view;
}

/** A call that changes nothing records nothing. @throws Refusal already_exists */
export async function change(ctx: InProject & Writing, label: Label, wanted: LabelPatchInput): Promise<LabelView> {
  if (wanted.name !== undefined) await checkName(ctx, wanted.name, label.id);
  const before = viewOf(label);
  const description = wanted.description === "" ? null : wanted.description;
  const changes = changesTo(before, { ...wanted, description });
  if (Object.keys(changes).length === 0) return before;

  Object.assign(label, changes, { updated_at: ctx.now });
  await ctx.em.flush();
  const view = viewOf(label);
  recordChange(ctx, labelUpdated, before, view);
  return view;
}

/** Deletes a label and removes it from all issues. */
export async function remove(ctx: InProject & Writing, label: Label): Promise<{ id: string; deleted: true }> {
  const last = viewOf(label);
  record(ctx, labelDeleted, last);
  // Calls that add it to an issue either finish first, or find it deleted.
  await lockForDeletion(ctx, label.id);
  await ctx.em.remove(label).flush();
  await changeIssues(ctx, { kind: "label", target_id: last.id, data: { label: last } satisfies LabelData });
  return { id: last.id, deleted: true };
}

async function checkName(ctx: InProject, name: string, own?: string) {
  const other = await labelNamed(ctx, name);
  if (other === null || other === own) return;
  refuse("already_exists", { message: `The project has a label ${name}.`, existing_id: other, path: "/name" });
}

/** The same name always gets the same color. */
const colorFor = (name: string): string =>
  COLORS[[...name.toLowerCase()].reduce((sum, letter) => sum + letter.codePointAt(0)!, 0) % COLORS.length]!;

const viewOf = ({ id, name, color, description, created_at, updated_at }: Label): LabelView => ({
  id,
  name,
  color,
  description: description ?? null,
  created_at,
  updated_at,
});
