import type { Writing } from "../../kernel/context.ts";
import { lockBoards } from "../../kernel/locks.sql.ts";
import type { Workspace } from "../../kernel/rows.ts";
import { Release } from "../planning/entities.ts";
import { releaseNow } from "../planning/releases.ts";
import type { PushedTag } from "./payload.ts";
import { projectsTagged } from "./tags.sql.ts";

/**
 * Releases the releases whose version equals a pushed tag, and returns their number. Running it again changes nothing.
 */
export async function releaseTagged(ctx: Writing & { workspace: Workspace }, tag: PushedTag): Promise<number> {
  const projects = await projectsTagged(ctx.db, ctx.workspace.id, tag);
  if (projects.length === 0) return 0;
  const boards = await lockBoards(
    ctx,
    projects.map(({ id }) => id),
  );
  // Archived projects do not change.
  const ids = boards.filter(({ archived_at }) => !archived_at).map(({ project_id }) => project_id);
  const releases = await ctx.em.find(
    Release,
    { project_id: { $in: ids }, version: tag.tag, deleted_at: null, status: { $in: ["planned", "in_progress"] } },
    { orderBy: { id: "asc" } },
  );
  for (const release of releases) await releaseNow({ ...ctx, project: { id: release.project_id } }, release);
  return releases.length;
}
