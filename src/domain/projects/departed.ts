import type { InWorkspace, Writing } from "../context.ts";
import { record } from "../events.ts";
import { clearPerson } from "./departed.sql.ts";
import { readProjects } from "./projects.sql.ts";
import { projectView } from "./view.ts";

const FIELDS = ["lead_user_id", "default_assignee_id"] as const;

/** Who leaves the workspace leads none of its projects, and is given no new issues. */
export async function forgetPerson(ctx: InWorkspace & Writing, userId: string): Promise<void> {
  const before = new Map((await clearPerson(ctx, userId)).map((project) => [project.id, project]));
  if (before.size === 0) return;
  for (const row of await readProjects(ctx.db, ctx.workspace.id, [...before.keys()], ctx.caller.user_id)) {
    const data = projectView(ctx, row);
    const old = before.get(row.id)!;
    const changed = FIELDS.filter((field) => old[field] !== data[field]);
    const previous = Object.fromEntries(changed.map((field) => [field, old[field]]));
    record(ctx, "project.updated", { workspace_id: ctx.workspace.id, project_id: row.id, data, previous, changed });
  }
}
