import type { InWorkspace } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { isAdmin, isEditor } from "../../kernel/roles.ts";
import type { Project } from "../../kernel/rows.ts";

/**
 * Actions need the same roles as calls.
 * @param options.guests whether guests may do it in their projects
 * @throws Refusal insufficient_role
 */
export function checkProjectRole(
  { principal: { role } }: InWorkspace,
  project: Pick<Project, "role">,
  { guests = false } = {},
): void {
  if (isAdmin(role)) return;
  const mayWrite = isEditor(role) || (role === "guest" && guests && project.role !== null);
  if (!mayWrite) refuse("insufficient_role", { role, required_role: "member" });
  if (project.role === "viewer") {
    const message = "The person for whom the action runs is a viewer of the project.";
    refuse("insufficient_role", { message, project_role: "viewer" });
  }
}
