import { record } from "../../events/record.ts";
import type { InProject, Writing } from "../../kernel/context.ts";
import { lockWorkspace } from "../../kernel/locks.sql.ts";
import { checkRestoreWindow } from "../issues/archive.ts";
import { lockBoardsBlockedFrom } from "../links/blockers.sql.ts";
import { tellBlockedByProject } from "../links/blockers.ts";
import { enforceProjectLimit } from "./create.ts";
import { projectArchived, projectRestored } from "./events.ts";
import { lock, store } from "./projects.ts";
import type { ProjectView } from "./view.ts";

/**
 * Archives a project; archiving again changes nothing. Its issues stay as they are, read-only, but hold up none of other
 * projects any more: nobody could finish them.
 */
export async function archive(ctx: InProject & Writing): Promise<ProjectView> {
  await lockBoardsBlockedFrom(ctx);
  const { project, before } = await lock(ctx);
  if (project.archived_at) return before;
  project.archived_at = ctx.now;
  const view = await store(ctx, project);
  record(ctx, projectArchived, view);
  await tellBlockedByProject(ctx, -1);
  return view;
}

/**
 * Brings an archived project back.
 * @throws Refusal restore_window_over, plan_limit_reached
 */
export async function restore(ctx: InProject & Writing): Promise<ProjectView> {
  // Before the boards and the project's own lock, as everywhere.
  await lockWorkspace(ctx, ctx.workspace.id);
  await lockBoardsBlockedFrom(ctx);
  const { project, before } = await lock(ctx);
  if (!project.archived_at) return before;
  checkRestoreWindow(ctx, project.archived_at);
  await enforceProjectLimit(ctx);
  project.archived_at = null;
  const view = await store(ctx, project);
  record(ctx, projectRestored, view);
  await tellBlockedByProject(ctx, 1);
  return view;
}
