import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { isAdmin } from "../../../domain/kernel/roles.ts";
import type { ProjectView } from "../../../domain/work/projects/view.ts";
import type { SavedViewView } from "../../../domain/work/saved-views/view.ts";
import { hidden, select, textField, tick } from "../kit/fields.ts";
import { fold, ways } from "../kit/pieces.ts";
import { orNull, type Values, valuesOf } from "../kit/typed.ts";
import { type Again, actions, revisionField } from "../site/actions.ts";
import { askFirst } from "../site/confirm.ts";
import { onceField } from "../site/once.ts";
import type { Site, WorkspaceCall } from "../site/site.ts";
import { address, LIST_FILTERS, parameterOf, type Wanted, wantedOf } from "./filters.ts";
import { GROUPS } from "./grouped.ts";
import { isEditorOf, named, PROJECT, pathOf } from "./head.ts";
import { filterOf, lostIn } from "./view-filter.ts";

/** Saved views of a project's list: lists of filters with a name. */

export function viewActions(site: Site, again: Again): void {
  const views = `${PROJECT}/list/views`;
  const to = (call: WorkspaceCall, { id }: SavedViewView) => address(`${pathOf(call)}/list`, { view: id });
  const shared = ({ form }: WorkspaceCall) => ({
    name: form.text("name"),
    is_shared: form.text("is_shared") !== "",
    group_by: orNull(form.text("group_by")),
  });
  const said = ({ name }: SavedViewView) => `The view “${name}” is saved.`;
  const current = (call: WorkspaceCall) => filterOf(wantedOf(call, LIST_FILTERS), parameterOf(call, "sort"));
  actions(site, views, again, {
    create: {
      operation: "saved-views.create",
      input: (call) => ({ params: named(call), body: { ...shared(call), layout: "list", filter: current(call) } }),
      to,
      said,
    },
  });
  actions(site, `${views}/:view`, again, {
    rename: {
      operation: "saved-views.patch",
      input: (call) => ({ params: atView(call), body: shared(call) }),
      to,
      said,
    },
    save: {
      operation: "saved-views.patch",
      input: (call) => ({
        params: atView(call),
        body: { filter: current(call) },
      }),
      to,
      said,
    },
    delete: {
      operation: "saved-views.delete",
      input: (call) => ({ params: atView(call) }),
      to: (call) => `${pathOf(call)}/list`,
      said: "The view is deleted. No issue has changed.",
    },
  });
}

const atView = (call: WorkspaceCall) => ({ ...named(call), id: call.params.view ?? "" });

const groupField = (values: Values, stored: string | null | undefined, prefix = ""): Html =>
  select({
    ...{ name: "group_by", label: "In groups", none: "No groups", options: GROUPS, prefix },
    ...{ value: values.of("group_by", stored), refusal: values.refusal },
  });

type Bar = { views: SavedViewView[]; current: SavedViewView | undefined; path: string; archived: boolean };

export const viewBar = ({ views, current, path, archived }: Bar): Html =>
  ways("Views", [
    { label: "All issues", href: path, current: !current && !archived },
    ...views.map(({ id, name, is_shared }) => ({
      label: is_shared ? name : `${name} (only you)`,
      href: address(path, { view: id }),
      current: id === current?.id && !archived,
    })),
    { label: "Archived", href: address(path, { archived: "true" }), current: archived },
  ]);

type Forms = {
  project: ProjectView;
  view: SavedViewView | undefined;
  wanted: Wanted;
  sort: string;
  /** Parameters of the page. */
  here: Record<string, string>;
  refusal: Refusal | undefined;
  archived: boolean;
};

export function viewForms(call: WorkspaceCall, about: Forms): Html | string {
  const { project, view, wanted, sort, archived } = about;
  if (project.archived_at !== null || archived) return "";
  const isSet = Object.keys(wanted).length > 0 || sort !== "";
  const mayChange =
    view &&
    (view.created_by === call.here.principal.user_id ||
      isAdmin(call.here.principal.role) ||
      project.my_role === "admin");
  return html`${view && mayChange ? changeForms(call, view, about) : ""}${isSet ? createForm(call, about) : ""}`;
}

const filtersOf = ({ here, wanted, sort }: Forms): Html =>
  hidden("filters", new URLSearchParams({ ...here, ...wanted, ...(sort ? { sort } : {}) }).toString());

function createForm(call: WorkspaceCall, about: Forms): Html {
  const refusal = call.params.view === undefined ? about.refusal : undefined;
  const values = valuesOf(call.form, refusal);
  const lost = lostIn(about.wanted);
  return fold(
    about.view ? "Save as another view" : "Save as a view",
    html`<form class="narrow" method="post" action="${pathOf(call)}/list/views/create">${onceField()}${filtersOf(about)}
      ${textField({ name: "name", label: "Name", value: values.of("name", ""), required: true, max: 80, prefix: "new-", refusal })}
      ${groupField(values, about.view?.group_by, "new-")}
      ${isEditorOf(call, about.project) ? tick({ name: "is_shared", label: "Everybody in the project sees it", checked: values.on("is_shared", true), prefix: "new-" }) : ""}
      ${lost.length > 0 ? html`<p class="hint">A view keeps columns, types, priorities, labels, who has it, sprint, milestone, words and fields of your own. It does not keep your other filters.</p>` : ""}
      <button>Save the view</button></form>`,
    { open: refusal !== undefined },
  );
}

function changeForms(call: WorkspaceCall, view: SavedViewView, about: Forms): Html {
  const refusal = call.params.view === view.id ? about.refusal : undefined;
  const values = valuesOf(call.form, refusal);
  const base = `${pathOf(call)}/list/views/${view.id}`;
  const changed = about.here.changed === "1";
  return html`${changed ? html`<form method="post" action="${base}/save">${revisionField(view)}${filtersOf(about)}<p><button class="second">Save these filters in “${view.name}”</button></p></form>` : ""}
    ${fold(
      "Change or delete this view",
      html`<form class="narrow" method="post" action="${base}/rename">${revisionField(view)}${filtersOf(about)}
      ${textField({ name: "name", label: "Name", value: values.of("name", view.name), required: true, max: 80, refusal })}
      ${groupField(values, view.group_by)}
      ${tick({ name: "is_shared", label: "Everybody in the project sees it", checked: values.on("is_shared", view.is_shared) })}
      <button class="second">Save</button></form>
      ${askFirst({ ask: "Delete this view", action: `${base}/delete`, consequence: "The view goes away for everybody. Its issues stay.", confirm: `Delete “${view.name}”` })}`,
      { open: refusal !== undefined },
    )}`;
}
