import type { InWorkspace } from "../../kernel/context.ts";
import { Refusal, refuseField } from "../../kernel/errors.ts";
import { liveProjects } from "../../knowledge/views/views.sql.ts";
import { checkFilters as check } from "../../work/issues/list.ts";
import type { Filters } from "./triggers.ts";

/**
 * Checks the filters of a schedule. They are those of the list of issues, which is a project's.
 * @throws Refusal validation_failed
 */
export async function checkFilters(ctx: InWorkspace, filters: Filters, projectId: string | null): Promise<void> {
  if (projectId === null) {
    refuseField("/project_id", "required", "is required with filters, which are those of a project's list of issues");
  }
  const [project] = await liveProjects(ctx, [projectId]);
  // Whether the project is scoped only matters for people, and filters find all of them.
  if (!project) return;
  try {
    await check({ ...ctx, project: { ...project, scoped: false } }, filters);
  } catch (error) {
    if (!(error instanceof Refusal) || !error.is("invalid_parameter")) throw error;
    const { parameter, allowed } = error.details;
    const more = allowed ? { allowed } : {};
    refuseField(`/trigger_config/filters/${parameter}`, "not_allowed", error.message.replace(/^\w+: /, ""), more);
  }
}
