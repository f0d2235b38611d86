import { lockRole } from "../../access/identity/lock-role.ts";
import { type Found, found } from "../../kernel/belongs.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { changesTo } from "../../kernel/difference.ts";
import { refuse } from "../../kernel/errors.ts";
import { newId, readId } from "../../kernel/ids.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import { isAdmin, isEditor, type Role } from "../../kernel/roles.ts";
import { savedViewErrors } from "../../work/saved-views/errors.ts";
import { WorkspaceViewEntity } from "./entities.ts";
import { EVERYTHING, filtersSeen, readFilter } from "./filter.ts";
import type { ViewFilter, WorkspaceViewCreateInput, WorkspaceViewPatchInput, WorkspaceViewView } from "./view.ts";
import { countViews, listViews, readView, type WorkspaceViewRow } from "./views.sql.ts";

/** Views of issues across projects. Members see the shared ones and their own, guests only their own. */

/** Maximum number of shared views of a workspace, and of a user's own ones in it, as in a project. */
const MAX_VIEWS = 100;

/** Returns a page of the views that the caller sees, newest first. */
export async function listPage(ctx: InWorkspace, paging: Paging) {
  const rows = await listViews(ctx, paging.after, paging.limit + 1);
  const page = pageOf(rows, paging, (row) => [row.created_at, row.id]);
  const filters = await filtersSeen(ctx, page.rows.map(filterOf));
  return { ...page, rows: page.rows.map((row, n): WorkspaceViewView => ({ ...row, filter: filters[n]! })) };
}

/** Returns a view as the caller sees it. */
export async function read(ctx: InWorkspace, text: string): Promise<Found<WorkspaceViewView> | null> {
  const stored = await inPath(ctx, text);
  return stored && { ...stored, object: await viewOf(ctx, stored.object) };
}

/** Returns a view as it is stored. */
export async function inPath(ctx: InWorkspace, text: string): Promise<Found<WorkspaceViewRow> | null> {
  const id = readId(text);
  const row = id && (await readView(ctx, id));
  return row ? withAudience(ctx, row) : null;
}

/** A view that may be changed, and the caller's role, read while the workspace is locked. */
export type LockedView = { view: WorkspaceViewEntity; role: Role };

/** Locks the workspace and returns a view. */
export async function byId(ctx: InWorkspace & Writing, text: string): Promise<Found<LockedView> | null> {
  const id = readId(text);
  if (!id) return null;
  const role = await lockRole(ctx);
  const view = await ctx.em.findOne(WorkspaceViewEntity, { id });
  ctx.waited(view?.updated_at);
  return view && { ...withAudience(ctx, view), object: { view, role } };
}

/** @throws Refusal insufficient_role, view_limit_reached, invalid_reference */
export async function create(ctx: InWorkspace & Writing, input: WorkspaceViewCreateInput): Promise<WorkspaceViewView> {
  const role = await lockRole(ctx);
  await checkViewLimit(ctx, role, input.is_shared, ctx.principal.user_id);
  const view = ctx.em.create(WorkspaceViewEntity, {
    ...input,
    filter: input.filter ? await readFilter(ctx, null, input.filter) : EVERYTHING,
    id: newId(),
    workspace_id: ctx.workspace.id,
    created_by: ctx.principal.user_id,
    created_at: ctx.now,
    updated_at: ctx.now,
  });
  await ctx.em.flush();
  return viewOf(ctx, view);
}

/** @throws Refusal not_owner_of_resource, insufficient_role, view_limit_reached, invalid_reference */
export async function change(
  ctx: InWorkspace & Writing,
  { view, role }: LockedView,
  { filter, ...wanted }: WorkspaceViewPatchInput,
): Promise<WorkspaceViewView> {
  checkOwner(ctx, view, role);
  const changes = changesTo(view, {
    ...wanted,
    ...(filter ? { filter: await readFilter(ctx, view.filter, filter) } : {}),
  });
  if (Object.keys(changes).length === 0) return viewOf(ctx, view);
  const { is_shared } = changes;
  if (is_shared !== undefined) await checkViewLimit(ctx, role, is_shared, view.created_by);
  else if (view.is_shared) checkMayShare(role);
  Object.assign(view, changes, { updated_at: ctx.now });
  await ctx.em.flush();
  return viewOf(ctx, view);
}

/** @throws Refusal not_owner_of_resource */
export async function remove(
  ctx: InWorkspace & Writing,
  { view, role }: LockedView,
): Promise<{ id: string; deleted: true }> {
  checkOwner(ctx, view, role);
  ctx.em.remove(view);
  await ctx.em.flush();
  return { id: view.id, deleted: true };
}

const filterOf = ({ filter }: { filter: ViewFilter }) => filter;

async function viewOf(ctx: InWorkspace, view: WorkspaceViewRow): Promise<WorkspaceViewView> {
  const [filter] = await filtersSeen(ctx, [view.filter]);
  return { ...view, filter: filter! };
}

/** A view that is not shared exists only for its creator. */
function withAudience<T extends Pick<WorkspaceViewRow, "is_shared" | "created_by">>(
  ctx: InWorkspace,
  view: T,
): Found<T> {
  const me = ctx.principal.user_id;
  const people = view.created_by === me ? [me] : [];
  return found(view, null, view.is_shared && people.length === 0 ? "members" : { people });
}

function checkOwner({ principal }: InWorkspace, view: WorkspaceViewEntity, role: Role) {
  if (view.created_by === principal.user_id || isAdmin(role)) return;
  refuse("not_owner_of_resource", { message: "Only its creator, an owner or an admin may change this view." });
}

/** Checks the limit of shared views, or of a user's own ones. The workspace is locked, so no other call adds one. */
async function checkViewLimit(ctx: InWorkspace, role: Role, isShared: boolean, ownerId: string) {
  if (isShared) checkMayShare(role);
  const used = await countViews(ctx, isShared ? null : ownerId);
  if (used >= MAX_VIEWS) refuse(savedViewErrors.view_limit_reached, { limit: MAX_VIEWS, used });
}

/** Only members who may write change what everybody sees. */
function checkMayShare(role: Role) {
  if (isEditor(role)) return;
  refuse("insufficient_role", {
    message: "Viewers and guests cannot share views. Send is_shared: false.",
    role,
    required_role: "member",
    path: "/is_shared",
  });
}
