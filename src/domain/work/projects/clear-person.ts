import { recordChange } from "../../events/record.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { clearPerson } from "./clear-person.sql.ts";
import { projectUpdated } from "./events.ts";
import { readProjects } from "./projects.sql.ts";
import { projectView } from "./view.ts";

/** Removes a user who leaves the workspace as lead and default assignee of its projects. */
export async function clearPersonFromProjects(ctx: InWorkspace & Writing, userId: string): Promise<void> {
  const before = new Map((await clearPerson(ctx, userId)).map((project) => [project.id, project]));
  if (before.size === 0) return;
  for (const row of await readProjects(ctx.db, ctx.workspace.id, [...before.keys()], ctx.principal.user_id)) {
    recordChange({ ...ctx, project: row }, projectUpdated, before.get(row.id)!, projectView(ctx, row));
  }
}
