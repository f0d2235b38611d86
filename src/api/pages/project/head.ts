import { type Html, html } from "../../../domain/kernel/html.ts";
import { isAdmin, isEditor } from "../../../domain/kernel/roles.ts";
import type { ProjectView } from "../../../domain/work/projects/view.ts";
import { crumbs, tabs } from "../kit/pieces.ts";
import { notice } from "../site/layout.ts";
import type { Site, WorkspaceCall } from "../site/site.ts";

/** What the pages of a project have in common: `/w/:slug/p/:project`, where the project is named by slug, key or id. */

export const PROJECT = "/w/:slug/p/:project";

/** Path of the project's pages. */
export const pathOf = ({ here, params }: WorkspaceCall): string =>
  `/w/${here.workspace.slug}/p/${encodeURIComponent(params.project ?? "")}`;

/** The project as operations name it in their paths. */
export const named = ({ params }: WorkspaceCall) => ({ key: params.project ?? "" });

export const readProject = (site: Site, call: WorkspaceCall): Promise<ProjectView> =>
  site.perform(call, "projects.get", { params: named(call) });

/** Whether the person may change issues of the project, as far as their roles say it. The operations decide. */
export function isEditorOf({ here }: WorkspaceCall, { my_role }: ProjectView): boolean {
  const { role } = here.principal;
  if (isAdmin(role)) return true;
  return my_role !== "viewer" && (isEditor(role) || (role === "guest" && my_role !== null));
}

const TABS = [
  ["", "Board"],
  ["/list", "List"],
  ["/backlog", "Backlog"],
  ["/sprints", "Sprints"],
  ["/milestones", "Milestones"],
  ["/releases", "Releases"],
  ["/reports", "Reports"],
  ["/forms", "Forms"],
  ["/settings", "Settings"],
] as const;
export type ProjectTab = (typeof TABS)[number][0];

/** The top of a project's page. `actions` stand beside the headline. */
export function projectHead(
  call: WorkspaceCall,
  project: ProjectView,
  tab: ProjectTab,
  actions: Html | string = "",
): Html {
  const base = pathOf(call);
  return html`${crumbs([`/w/${call.here.workspace.slug}/projects`, "Projects"])}
    <div class="headline"><h1>${project.icon ?? ""} ${project.name}</h1>${actions}</div>
    ${tabs(
      project.name,
      TABS.map(([path, label]) => ({ href: base + path, label, current: path === tab })),
    )}
    ${project.archived_at ? notice("info", "This project is archived. It can be read, and restored in its settings.") : ""}`;
}
