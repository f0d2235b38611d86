import { record, recordChange } from "../../events/record.ts";
import type { InProject, Writing } from "../../kernel/context.ts";
import { refuseField } from "../../kernel/errors.ts";
import { readId } from "../../kernel/ids.ts";
import { lockBoard, onBoard } from "../../kernel/locks.sql.ts";
import { withDays } from "../../kernel/whole-days.ts";
import { Release } from "./entities.ts";
import { releaseCreated, releaseDeleted, releaseReleased, releaseUpdated } from "./events.ts";
import type { ReleaseCreateInput, ReleasePatchInput } from "./inputs.ts";
import { changesOf, commonColumns, DATES, softDelete } from "./planned.ts";
import type { InPlan } from "./planning.sql.ts";
import { readsOf } from "./reads.ts";
import { type PlanningDeleted, type ReleaseView, releaseView } from "./views.ts";

export const { listPage, read } = readsOf("release", releaseView);

/** Locks the board and returns a release. @throws Refusal archived */
export async function byId(ctx: InProject & Writing, text: string): Promise<Release | null> {
  const id = readId(text);
  const live = { project_id: ctx.project.id, deleted_at: null };
  return id ? onBoard(ctx, () => ctx.em.findOne(Release, { id, ...live })) : null;
}

/** @throws Refusal invalid_reference, validation_failed, mutually_exclusive */
export async function create(ctx: InProject & Writing, input: ReleaseCreateInput): Promise<ReleaseView> {
  const {
    status,
    version,
    description_md = null,
    target_date = null,
    target_on = null,
  } = withDays(DATES.release, input, null);
  await lockBoard(ctx);
  const release = ctx.em.create(Release, {
    ...(await commonColumns(ctx, "release", input)),
    status,
    version: version || null,
    description_md,
    target_date,
    target_on,
    released_at: status === "released" ? ctx.now : null,
  });
  await ctx.em.flush();
  const view = await viewOf(ctx, release.id);
  record(ctx, releaseCreated, view);
  if (status === "released") record(ctx, releaseReleased, view);
  return view;
}

/** A call that changes nothing records nothing. @throws Refusal as for create */
export async function change(
  ctx: InProject & Writing,
  release: Release,
  { released_at, ...wanted }: ReleasePatchInput,
): Promise<ReleaseView> {
  const before = await viewOf(ctx, release.id);
  if (wanted.version === "") wanted.version = null;
  const stamp = releasedAt(ctx, before, wanted.status ?? before.status, released_at);
  const changes = await changesOf(ctx, "release", before, { ...wanted, released_at: stamp });
  if (Object.keys(changes).length === 0) return before;

  Object.assign(release, changes, { updated_at: ctx.now });
  await ctx.em.flush();
  const view = await viewOf(ctx, release.id);
  recordChange(ctx, changes.status === "released" ? releaseReleased : releaseUpdated, before, view);
  return view;
}

/** Releases an unfinished release. The caller has locked the board. */
export async function releaseNow(ctx: InPlan & Writing, release: Release): Promise<void> {
  const before = await viewOf(ctx, release.id);
  Object.assign(release, { status: "released", released_at: ctx.now, updated_at: ctx.now });
  await ctx.em.flush();
  recordChange(ctx, releaseReleased, before, await viewOf(ctx, release.id));
}

/**
 * Returns when the release was released: the time that the body sends, or else now, if it becomes released.
 * @throws Refusal validation_failed
 */
function releasedAt(
  ctx: InProject,
  before: ReleaseView,
  status: ReleaseView["status"],
  wanted: string | null | undefined,
): string | null {
  const isReleased = status === "released";
  if (wanted && !isReleased) refuseField("/released_at", "not_allowed", "is only allowed with status released");
  if (wanted === null && isReleased)
    refuseField("/released_at", "not_allowed", "cannot be cleared while the release is released");
  if (wanted && wanted > ctx.now) refuseField("/released_at", "too_large", "must not be in the future");
  return isReleased ? (wanted ?? before.released_at ?? ctx.now) : null;
}

export async function remove(ctx: InProject & Writing, release: Release): Promise<PlanningDeleted> {
  const last = await viewOf(ctx, release.id);
  return softDelete(ctx, "release", release, () => record(ctx, releaseDeleted, last));
}

const viewOf = async (ctx: InPlan, id: string): Promise<ReleaseView> => (await read(ctx, id))!;
