import { counted } from "../../../domain/kernel/counted.ts";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { html } from "../../../domain/kernel/html.ts";
import type { CustomFieldDefView } from "../../../domain/work/fields/view.ts";
import type { IssueView } from "../../../domain/work/issues/view.ts";
import type { SavedViewView } from "../../../domain/work/saved-views/view.ts";
import { unlessRefused } from "../issue/read.ts";
import { select } from "../kit/fields.ts";
import { empty, pager } from "../kit/pieces.ts";
import type { List } from "../site/perform.ts";
import { type PageAnswer, problemBox, refusalOf, type Site, type WorkspaceCall } from "../site/site.ts";
import { readChoices } from "./choices.ts";
import { address, filterChips, filterForm, LIST_FILTERS, parameterOf, type Wanted, wantedOf } from "./filters.ts";
import { groupedLines } from "./grouped.ts";
import { isEditorOf, named, PROJECT, pathOf, projectHead, readProject } from "./head.ts";
import { viewActions, viewBar, viewForms } from "./saved-views.ts";
import { sortOfView, wantedOfView } from "./view-filter.ts";

/** All issues of a project in a list, with the filters of the API and views that keep them. */

const SORTS = [
  { value: "rank", label: "As on the board" },
  { value: "updated_desc", label: "Latest change first" },
  { value: "created_desc", label: "Newest first" },
  { value: "priority_desc", label: "Most urgent first" },
  { value: "due_asc", label: "Due first" },
];

export function listPage(site: Site): void {
  site.workspace("get", `${PROJECT}/list`, (call) => show(site, call));
  viewActions(site, (call, refusal) => show(site, call, refusal));
}

/** What the list shows. The filters of a view hold until the person changes them. */
function askedOf(call: WorkspaceCall, view: SavedViewView | undefined) {
  const changed = parameterOf(call, "changed") !== "";
  if (!view || changed) {
    const [wanted, sort] = [wantedOf(call, LIST_FILTERS), parameterOf(call, "sort")];
    const query: Wanted = { ...wanted, ...(sort ? { sort } : {}) };
    return { wanted, sort, query, changed: view !== undefined };
  }
  const query: Wanted = { view: view.id };
  return { wanted: wantedOfView(view.filter), sort: sortOfView(view.filter), query, changed: false };
}

async function show(site: Site, call: WorkspaceCall, refusal?: Refusal): Promise<PageAnswer> {
  const params = named(call);
  const [project, choices, fields, views] = await Promise.all([
    readProject(site, call),
    readChoices(site, call),
    unlessRefused(site.list<CustomFieldDefView>(call, "custom-field-defs.list", { params, query: { limit: "100" } }), {
      data: [],
      next: null,
    }),
    site.perform<SavedViewView[]>(call, "saved-views.list", { params }),
  ]);
  const all = { ...choices, fields: fields.data };
  const view = views.find(({ id }) => id === (parameterOf(call, "view") || call.params.view));
  const asked = askedOf(call, view);
  const { wanted, sort } = asked;
  const archived = parameterOf(call, "archived") === "true";
  const cursor = parameterOf(call, "cursor");
  const query = { ...asked.query, limit: "50", cursor, ...(archived ? { archived: "true" } : {}) };
  const { data, next, wrong } = await readIssues(site, call, query);
  const refused = refusal ?? wrong;

  const base = pathOf(call);
  const path = `${base}/list`;
  const own = { ...(archived ? { archived: "true" } : {}), ...(view ? { view: view.id } : {}) };
  const here = asked.changed || !view ? { ...own, ...wanted, sort, changed: view ? "1" : "" } : own;
  const keep = { ...own, ...(view ? { changed: "1" } : {}) };
  const filter = { wanted, names: LIST_FILTERS, all, path, keep: { ...keep, ...(sort ? { sort } : {}) } };
  const mayWrite = project.archived_at === null && isEditorOf(call, project);
  const shown = { now: call.here.now, base: `/w/${call.here.workspace.slug}`, people: all.people };
  const sorting = select({
    name: "sort",
    label: "Order",
    required: true,
    value: sort || "rank",
    options: SORTS,
    prefix: "filter-",
  });
  return {
    title: `List of ${project.name}`,
    status: refused?.status ?? 200,
    wide: true,
    live: { project: project.id, kinds: ["issue"] },
    body: html`${projectHead(call, project, "/list", mayWrite ? html`<a class="button" href="${base}/new">New issue</a>` : "")}
      ${refused ? problemBox(refused) : ""}
      ${viewBar({ views, current: view, path, archived })}
      ${filterForm({ ...filter, keep }, sorting)}${filterChips(filter)}
      ${view && !asked.changed && view.filter_deleted.length > 0 ? html`<p class="quiet">This view names ${counted(view.filter_deleted.length, "thing")} that somebody has deleted. No issue matches that.</p>` : ""}
      ${wrong ? "" : data.length === 0 ? nothing(Object.keys(asked.query).length > 0, archived) : groupedLines(data, view?.group_by ?? null, all, shown)}
      ${pager(next === null ? null : address(path, { ...here, cursor: next }), { first: address(path, here), isFirst: cursor === "", what: "issues" })}
      ${viewForms(call, { project, view, wanted, sort, here, refusal, archived })}`,
  };
}

/** A filter that the API does not take is said above the form, which shows it. */
async function readIssues(
  site: Site,
  call: WorkspaceCall,
  query: Wanted,
): Promise<List<IssueView> & { wrong?: Refusal }> {
  try {
    return await site.list<IssueView>(call, "issues.list", { params: named(call), query });
  } catch (error) {
    const wrong = refusalOf(error);
    if (wrong.status !== 400) throw error;
    return { data: [], next: null, wrong };
  }
}

function nothing(isFiltered: boolean, archived: boolean) {
  if (isFiltered) return empty("No issue matches", "Remove a filter to see more issues.");
  if (archived) return empty("No archived issues", "Issues that are archived can be restored for 30 days.");
  return empty("No issues yet", "An issue is something to do: a task, a bug, a story.");
}
