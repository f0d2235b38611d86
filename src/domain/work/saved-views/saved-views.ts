import type { InProject, Writing } from "../../kernel/context.ts";
import { changesTo } from "../../kernel/difference.ts";
import { refuse } from "../../kernel/errors.ts";
import { newId, readId } from "../../kernel/ids.ts";
import { lockLiveProject, lockProject } from "../../kernel/locks.sql.ts";
import { isAdmin, isEditor } from "../../kernel/roles.ts";
import { savedViewErrors } from "./errors.ts";
import {
  countSavedViews,
  deleteSavedView,
  listSavedViews,
  lockSavedView,
  putSavedView,
  type SavedViewRow,
} from "./saved-views.sql.ts";
import { namedIn, withIds } from "./stored-filter.ts";
import type { SavedViewCreateInput, SavedViewPatchInput, SavedViewView } from "./view.ts";

/** Saved views of a project. Everybody in the project sees shared views. Only their owner sees the others. */

/** Maximum number of shared views of a project, and of a user's own views in it, because the list has no pages. */
const MAX_VIEWS = 100;

/** Returns shared views and the caller's own, newest first. */
export async function list(ctx: InProject): Promise<SavedViewView[]> {
  const rows = await listSavedViews(ctx);
  const named = await namedIn(
    ctx,
    rows.map(({ filter }) => filter),
  );
  return rows.map((row, n) => ({ ...row, ...named[n]!, project_key: ctx.project.key }));
}

/** Returns a view that the caller can see. */
export async function read(ctx: InProject, text: string): Promise<SavedViewView | null> {
  const id = readId(text);
  return (await list(ctx)).find((view) => view.id === id) ?? null;
}

/** @throws Refusal insufficient_role, invalid_reference, view_limit_reached */
export async function create(ctx: InProject & Writing, input: SavedViewCreateInput): Promise<SavedViewView> {
  await lockLiveProject(ctx);
  await checkViewLimit(ctx, input.is_shared, ctx.principal.user_id);
  const stamps = { created_by: ctx.principal.user_id, created_at: ctx.now, updated_at: ctx.now };
  const filter = await withIds(ctx, input.filter, {});
  const view = { id: newId(), ...input, filter, ...stamps };
  await putSavedView(ctx, view);
  return viewOf(ctx, view);
}

/** Locks the project and the view, and returns the view if the caller can see it. @throws Refusal archived */
export async function byId(ctx: InProject & Writing, text: string): Promise<SavedViewRow | null> {
  const id = readId(text);
  if (!id) return null;
  const archived_at = await lockProject(ctx);
  const view = await lockSavedView(ctx, id);
  if (view && archived_at) refuse("archived", { archived_at });
  return view;
}

/** @throws Refusal not_owner_of_resource, insufficient_role, invalid_reference, view_limit_reached */
export async function change(
  ctx: InProject & Writing,
  before: SavedViewRow,
  wanted: SavedViewPatchInput,
): Promise<SavedViewView> {
  checkOwner(ctx, before);
  const filter = wanted.filter && (await withIds(ctx, wanted.filter, before.filter));
  const changes = changesTo(before, { ...wanted, filter });
  if (Object.keys(changes).length === 0) return viewOf(ctx, before);
  const after: SavedViewRow = { ...before, ...changes };

  if (after.is_shared !== before.is_shared) await checkViewLimit(ctx, after.is_shared, before.created_by);
  else if (after.is_shared) checkMayShare(ctx);
  const view = { ...after, updated_at: ctx.now };
  await putSavedView(ctx, view);
  return viewOf(ctx, view);
}

/** @throws Refusal not_owner_of_resource */
export async function remove(ctx: InProject & Writing, view: SavedViewRow): Promise<{ id: string; deleted: true }> {
  checkOwner(ctx, view);
  await deleteSavedView(ctx, view.id);
  return { id: view.id, deleted: true };
}

async function viewOf(ctx: InProject, row: SavedViewRow): Promise<SavedViewView> {
  const [named] = await namedIn(ctx, [row.filter]);
  return { ...row, ...named!, project_key: ctx.project.key };
}

function checkOwner({ principal, project }: InProject, view: SavedViewRow) {
  if (view.created_by === principal.user_id || isAdmin(principal.role) || project.role === "admin") return;
  refuse("not_owner_of_resource", { message: "Only its creator or an admin of the project may change this view." });
}

/**
 * Checks the limit of shared views, or of the user's own views. The project is locked, so no other call adds one
 * meanwhile.
 */
async function checkViewLimit(ctx: InProject, isShared: boolean, ownerId: string) {
  if (isShared) checkMayShare(ctx);
  const used = await countSavedViews(ctx, isShared ? null : ownerId);
  if (used >= MAX_VIEWS) refuse(savedViewErrors.view_limit_reached, { limit: MAX_VIEWS, used });
}

/** Viewers may not share views, because only members who may write change what everybody sees. */
function checkMayShare({ principal: { role }, project }: InProject) {
  const writes = isEditor(role) || (role === "guest" && project.role !== null);
  if (isAdmin(role) || (writes && project.role !== "viewer")) return;
  refuse("insufficient_role", {
    message: "Viewers cannot share views. Send is_shared: false.",
    role,
    required_role: "member",
    path: "/is_shared",
  });
}
