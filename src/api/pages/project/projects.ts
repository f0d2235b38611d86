import { counted } from "../../../domain/kernel/counted.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { isEditor } from "../../../domain/kernel/roles.ts";
import type { ProjectView } from "../../../domain/work/projects/view.ts";
import { empty, pager, progress, tabs } from "../kit/pieces.ts";
import { due } from "../kit/times.ts";
import type { PageAnswer, Site, WorkspaceCall } from "../site/site.ts";

/** The projects of a workspace that the person can see. */

export const projectsPage = (site: Site): void =>
  site.workspace("get", "/w/:slug/projects", (call) => show(site, call));

async function show(site: Site, call: WorkspaceCall): Promise<PageAnswer> {
  const archived = call.query("archived") === "true";
  const cursor = call.query("cursor");
  const { data, next } = await site.list<ProjectView>(call, "projects.list", {
    query: { limit: "50", cursor, ...(archived ? { archived: "true" } : {}) },
  });
  const base = `/w/${call.here.workspace.slug}`;
  const here = `${base}/projects${archived ? "?archived=true" : ""}`;
  const mayCreate = isEditor(call.here.principal.role);
  const add = (): Html => html`<a class="button" href="${base}/projects/new">New project</a>`;
  const none = archived
    ? empty("No archived projects", "A project that is archived can be read, and restored for 30 days.")
    : empty(
        "No projects yet",
        mayCreate
          ? "A project has a board, its issues, and the plans for them. Begin with one for your team."
          : "You see a project here once somebody adds you to one.",
        mayCreate ? html`<p>${add()}</p>` : "",
      );
  return {
    title: "Projects",
    body: html`<div class="headline"><h1>Projects</h1>${mayCreate && !(data.length === 0 && !archived) ? add() : ""}</div>
      ${tabs("Projects", [
        { href: `${base}/projects`, label: "Active", current: !archived },
        { href: `${base}/projects?archived=true`, label: "Archived", current: archived },
      ])}
      ${data.length === 0 ? none : html`<ul class="lines">${data.map((project) => projectLine(project, base, call.here.now))}</ul>`}
      ${pager(next === null ? null : `${here}${archived ? "&" : "?"}cursor=${next}`, { first: here, isFirst: cursor === "", what: "projects" })}`,
  };
}

/** A line of a list. */
export const projectLine = (project: ProjectView, base: string, now: string): Html => {
  const { issue_counts: counts, name, icon, key, slug, scoped } = project;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0) - counts.cancelled;
  const working = counts.in_progress + counts.in_review;
  return html`<li class="object-line">
    <div class="object-name"><a class="issue-title strong" href="${base}/p/${slug}">${icon ? html`${icon} ` : ""}${name}</a>
      <p class="marks"><span class="quiet">${key}</span>${scoped ? html`<span class="quiet">Only for its members</span>` : ""}
      ${working > 0 ? html`<span class="quiet">${counted(working, "issue")} in progress</span>` : ""}
      ${project.target_at ? due(project.target_on ?? project.target_at, now, total > 0 && counts.done === total) : ""}</p></div>
    ${total === 0 ? html`<span class="quiet">No issues yet</span>` : progress(counts.done, total, "done")}</li>`;
};
