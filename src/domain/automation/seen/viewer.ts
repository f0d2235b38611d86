import { hasScope, type Scope } from "../../access/identity/scopes.ts";
import type { Viewer } from "../../access/identity/visible.sql.ts";
import type { InWorkspace, WithCredential } from "../../kernel/context.ts";
import { isAdmin } from "../../kernel/roles.ts";

/** Readers of automations, workflows and their runs: callers, and receivers of events. */
export type Reading = Pick<InWorkspace, "db"> & {
  readonly workspace: { readonly id: string };
  readonly principal: Viewer;
};

/** Whether the reader sees every project of the workspace. */
export const seesAll = ({ principal }: Reading): boolean => isAdmin(principal.role) && principal.project_ids === null;

/** Whether the caller may change such objects. Only these callers see addresses of receivers, which may contain secrets. */
export const mayChange = (
  { principal, credential }: InWorkspace & WithCredential,
  scope: Extract<Scope, "automations:write" | "workflows:write">,
): boolean => isAdmin(principal.role) && hasScope(principal, credential, scope);

/**
 * The receivers of events of a project, such as a webhook that is limited to it: they see this project alone. Events
 * without a project reach only receivers that see all projects.
 */
export const receiversIn = (
  { db, workspace }: Pick<Reading, "db" | "workspace">,
  projectId: string | null,
): Reading => ({
  db,
  workspace,
  principal: { role: "owner", user_id: null, project_ids: projectId === null ? null : [projectId] },
});
