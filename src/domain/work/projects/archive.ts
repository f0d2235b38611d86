import { record } from "../../events/record.ts";
import type { InProject, Writing } from "../../kernel/context.ts";
import { lockWorkspace } from "../../kernel/locks.sql.ts";
import { checkRestoreWindow } from "../../kernel/restore-window.ts";
import { lockBoardsBlockedFrom } from "../links/blockers.sql.ts";
import { updateBlockedByProject } from "../links/blockers.ts";
import { enforceProjectLimit } from "./create.ts";
import { projectArchived, projectRestored } from "./events.ts";
import { lock, store } from "./projects.ts";
import type { ProjectView } from "./view.ts";

/**
 * Archives a project. Archiving it again changes nothing. Its issues become read-only and do not change. They no longer
 * block issues of other projects, because nobody could finish them.
 */
export async function archive(ctx: InProject & Writing): Promise<ProjectView> {
  await lockBoardsBlockedFrom(ctx);
  const { project, before } = await lock(ctx);
  if (project.archived_at) return before;
  project.archived_at = ctx.now;
  const view = await store(ctx, project);
  record(ctx, projectArchived, view);
  await updateBlockedByProject(ctx, -1);
  return view;
}

/** Restores an archived project. @throws Refusal restore_window_over, plan_limit_reached */
export async function restore(ctx: InProject & Writing): Promise<ProjectView> {
  // Locked before the boards and the project, as in all other calls.
  await lockWorkspace(ctx, ctx.workspace.id);
  await lockBoardsBlockedFrom(ctx);
  const { project, before } = await lock(ctx);
  if (!project.archived_at) return before;
  checkRestoreWindow(ctx, project.archived_at);
  await enforceProjectLimit(ctx);
  project.archived_at = null;
  const view = await store(ctx, project);
  record(ctx, projectRestored, view);
  await updateBlockedByProject(ctx, 1);
  return view;
}
