import type { InProject, Writing } from "../context.ts";
import { checkRestoreWindow } from "../issues/archive.ts";
import { holdWorkspace } from "../plan-limit.sql.ts";
import { takeProjectPlace } from "./create.ts";
import { hold, store } from "./projects.ts";
import type { ProjectView } from "./view.ts";

/** Archives a project; archiving again changes nothing. Its issues stay as they are, read-only. */
export async function archive(ctx: InProject & Writing): Promise<ProjectView> {
  const { project, before } = await hold(ctx);
  if (project.archived_at) return before;
  project.archived_at = ctx.now;
  return store(ctx, project, before, "project.archived");
}

/**
 * Brings an archived project back.
 * @throws Refusal restore_window_over, plan_limit_reached
 */
export async function restore(ctx: InProject & Writing): Promise<ProjectView> {
  // Before the project's own lock, as everywhere.
  await holdWorkspace(ctx.db, ctx.workspace.id);
  const { project, before } = await hold(ctx);
  if (!project.archived_at) return before;
  checkRestoreWindow(ctx, project.archived_at);
  await takeProjectPlace(ctx);
  project.archived_at = null;
  return store(ctx, project, before, "project.restored");
}
