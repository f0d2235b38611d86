import { z } from "zod";
import { record, recordChange } from "../../events/record.ts";
import type { InProject, Writing } from "../../kernel/context.ts";
import { part } from "../../kernel/described.ts";
import { changesTo } from "../../kernel/difference.ts";
import { refuse, refuseField } from "../../kernel/errors.ts";
import { newId, readId } from "../../kernel/ids.ts";
import { lockBoard, lockProject, onBoard } from "../../kernel/locks.sql.ts";
import { id } from "../../kernel/wire.ts";
import { lockBoardsBlockedFrom } from "../links/blockers.sql.ts";
import { changeIssues } from "../mass-changes/change-issues.ts";
import { requestedRank } from "../positions.ts";
import { aboutStatusDeleted } from "./descriptions.ts";
import { BoardStatus } from "./entities.ts";
import { boardErrors } from "./errors.ts";
import { projectUpdated, statusCreated, statusDeleted, statusUpdated } from "./events.ts";
import { MAX_STATUSES } from "./inputs.ts";
import { giving } from "./new-ranks.ts";
import { CATEGORY_COLORS } from "./palette.ts";
import { lock, store } from "./projects.ts";
import { rankInCategory } from "./rank-in-category.ts";
import type { StatusCreateInput, StatusPatchInput } from "./status-inputs.ts";
import { emptyColumn } from "./status-issues.sql.ts";
import type { Setting } from "./status-issues.ts";
import { StatusView } from "./status-view.ts";
import { readBoard, statusNamed } from "./statuses.sql.ts";
import type { ProjectView } from "./view.ts";

/**
 * Columns of a board. Every write locks the board first, as each move of an issue does, and then the project, because a
 * column may be the project's default or part of its transition rules.
 */

export const StatusDeleted = part(aboutStatusDeleted, {
  id,
  deleted: z.literal(true),
  issues_deleted: z.number().int(),
});

/** Returns all columns, by rank. */
export const list = (ctx: InProject): Promise<StatusView[]> => readBoard(ctx.db, ctx.workspace.id, ctx.project.id);

/** Returns a column. */
export async function read(ctx: InProject, text: string): Promise<StatusView | null> {
  const id = readId(text);
  return (await list(ctx)).find((status) => status.id === id) ?? null;
}

/** Locks the board and the project, and returns a column. @throws Refusal archived */
export async function byId(ctx: InProject & Writing, text: string): Promise<BoardStatus | null> {
  const id = readId(text);
  const load = async () => {
    await lockProject(ctx);
    return id ? ctx.em.findOne(BoardStatus, { id, project_id: ctx.project.id, deleted_at: null }) : null;
  };
  // The boards of issues in other projects are locked too, because closing or archiving the column's issues may unblock
  // them.
  return onBoard(ctx, load, lockBoardsBlockedFrom);
}

/** @throws Refusal status_limit_reached, already_exists, invalid_reference */
export async function create(ctx: InProject & Writing, input: StatusCreateInput): Promise<StatusView> {
  await lockBoard(ctx);
  await lockProject(ctx);
  const board = await list(ctx);
  if (board.length >= MAX_STATUSES) refuse(boardErrors.status_limit_reached, { limit: MAX_STATUSES });
  await checkName(ctx, input.name);

  const { name, category, is_default: isDefault, wip_limit = null, description = null } = input;
  const color = input.color ?? CATEGORY_COLORS[category];
  const named = await requestedRank(board, null, input, giving(ctx, board));
  const rank = named ?? (await rankInCategory(board, category, giving(ctx, board)));
  const status = ctx.em.create(BoardStatus, {
    id: newId(),
    workspace_id: ctx.workspace.id,
    project_id: ctx.project.id,
    name,
    color,
    category,
    rank,
    wip_limit,
    description: description || null,
    created_at: ctx.now,
    updated_at: ctx.now,
  });
  await ctx.em.flush();
  if (isDefault) await changeProject(ctx, () => ({ default_status_id: status.id }));
  const view = await viewOf(ctx, status.id);
  record(ctx, statusCreated, view);
  return view;
}

/**
 * Changes a column. All its issues get a new category. A call that changes nothing records nothing.
 * @throws Refusal already_exists, invalid_reference, validation_failed
 */
export async function change(
  ctx: InProject & Writing,
  status: BoardStatus,
  wanted: StatusPatchInput,
): Promise<StatusView> {
  const board = await list(ctx);
  const before = board.find((column) => column.id === status.id) as StatusView;
  if (wanted.is_default === false && before.is_default) {
    refuseField("/is_default", "not_allowed", "make another column the default instead");
  }
  if (wanted.name !== undefined) await checkName(ctx, wanted.name, status.id);

  const { name, color, category, wip_limit } = wanted;
  const description = wanted.description === "" ? null : wanted.description;
  const rank = (await requestedRank(board, before, wanted, giving(ctx, board))) ?? undefined;
  const changes = changesTo(before, { name, color, category, rank, wip_limit, description });
  if (wanted.is_default && !before.is_default) await changeProject(ctx, () => ({ default_status_id: status.id }));
  else if (Object.keys(changes).length === 0) return before;

  ctx.em.assign(status, { ...changes, updated_at: ctx.now });
  await ctx.em.flush();
  const view = await viewOf(ctx, status.id);
  recordChange(ctx, statusUpdated, before, view);
  if (before.category !== view.category) {
    const data: Setting = { from: columnOf(before), to: columnOf(view) };
    await changeIssues(ctx, { kind: "category", target_id: status.id, data });
  }
  return view;
}

/**
 * Deletes a column and archives its issues. If it was the default, the first remaining column becomes the default.
 * @throws Refusal last_status
 */
export async function remove(ctx: InProject & Writing, status: BoardStatus): Promise<z.output<typeof StatusDeleted>> {
  const board = await list(ctx);
  const [fallbackStatus] = board.filter((column) => column.id !== status.id);
  if (!fallbackStatus) refuse(boardErrors.last_status);
  const last = board.find((column) => column.id === status.id) as StatusView;

  ctx.em.assign(status, { deleted_at: ctx.now, updated_at: ctx.now });
  await ctx.em.flush();
  await changeProject(ctx, ({ default_status_id, transition_rules }) => ({
    default_status_id: default_status_id === status.id ? fallbackStatus.id : default_status_id,
    transition_rules: rulesWithout(transition_rules, status.id),
  }));
  record(ctx, statusDeleted, StatusView.parse(last));
  const issues = await changeIssues(ctx, { kind: "column", target_id: status.id, data: columnOf(last) });
  await emptyColumn(ctx, status.id);
  return { id: status.id, deleted: true, issues_deleted: issues };
}

const columnOf = ({ id, name, category }: StatusView) => ({ id, name, category });

async function checkName(ctx: InProject, name: string, own?: string) {
  const other = await statusNamed(ctx.db, ctx.workspace.id, ctx.project.id, name);
  if (other === null || other === own) return;
  refuse("already_exists", { message: `The board has a column ${name}.`, existing_id: other, path: "/name" });
}

type Part = Partial<Pick<ProjectView, "default_status_id" | "transition_rules">>;

/** Changes the project's default column and transition rules. */
async function changeProject(ctx: InProject & Writing, changesOf: (before: ProjectView) => Part) {
  const { project, before } = await lock(ctx);
  const changes = changesTo(before, changesOf(before));
  if (Object.keys(changes).length === 0) return;
  Object.assign(project, changes);
  recordChange(ctx, projectUpdated, before, await store(ctx, project));
}

/**
 * Removes a deleted column from the transition rules. A rule that allowed only this column stays without a target, which
 * allows no move, because without the rule all moves would be allowed.
 */
function rulesWithout(rules: ProjectView["transition_rules"], id: string): ProjectView["transition_rules"] {
  if (!rules || !JSON.stringify(rules).includes(id)) return rules;
  const left = Object.entries(rules)
    .filter(([from]) => from !== id)
    .map(([from, targets]) => [from, targets.filter((to) => to !== id)] as const);
  return left.length === 0 ? null : Object.fromEntries(left);
}

async function viewOf(ctx: InProject, id: string): Promise<StatusView> {
  const row = (await list(ctx)).find((column) => column.id === id);
  return StatusView.parse(row);
}
