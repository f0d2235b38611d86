import { CATEGORIES } from "../../../domain/kernel/categories.ts";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { isAdmin } from "../../../domain/kernel/roles.ts";
import type { CustomFieldDefView } from "../../../domain/work/fields/view.ts";
import type { LabelView } from "../../../domain/work/issues/view.ts";
import type { ProjectMemberView } from "../../../domain/work/projects/member-view.ts";
import type { StatusView } from "../../../domain/work/projects/status-view.ts";
import type { ProjectView } from "../../../domain/work/projects/view.ts";
import { allPeople, sortedByName } from "../issue/read.ts";
import { placeOf } from "../kit/order.ts";
import { dayOf, long, numberOf, orNull } from "../kit/typed.ts";
import { written } from "../kit/written.ts";
import { type Action, actions } from "../site/actions.ts";
import { type PageAnswer, problemBox, type Site, type WorkspaceCall } from "../site/site.ts";
import { fieldBody } from "./field-inputs.ts";
import { isEditorOf, named, pathOf, projectHead, readProject } from "./head.ts";
import { planPath } from "./planned.ts";
import { columnsPart, fieldsPart, labelsPart } from "./settings-items.ts";
import { archivePart, generalPart, membersPart, readPart, rulesPart } from "./settings-parts.ts";

/** Everything about a project that rarely changes: its board, its labels and fields, its members, its end. */

export function settingsPage(site: Site): void {
  const path = planPath("settings");
  site.workspace("get", path, (call) => show(site, call));
  const again = (call: WorkspaceCall, refusal: Refusal) => show(site, call, refusal);
  const to = (call: WorkspaceCall) => `${pathOf(call)}/settings`;
  const at = (call: WorkspaceCall) => ({ ...named(call), id: call.params.id ?? "" });
  const form = (operation: string, body: (call: WorkspaceCall) => object, said: string) => ({
    operation,
    input: (call: WorkspaceCall) => ({ params: { ...named(call), ...at(call) }, body: body(call) }),
    to,
    said,
  });
  const none = () => ({});
  actions(site, path, again, {
    save: form("projects.patch", generalBody, "The project is saved."),
    rules: form("projects.patch", rulesBody, "The rules are saved."),
    archive: form("projects.delete", none, "The project is archived. It can be restored for 30 days."),
    restore: form("projects.restore", none, "The project is restored, with its issues as they were."),
  });
  const placing = (operation: string): Action => ({
    operation: `${operation}.patch`,
    input: (call) => ({ params: at(call), body: placeOf(call.form) }),
    to: (call) => `${to(call)}#item-${call.params.id}`,
    said: (moved: { name: string }) => `${moved.name} is moved.`,
  });
  const editors = [
    ["columns", "statuses", columnBody, "column"],
    ["labels", "labels", labelBody, "label"],
    ["fields", "custom-field-defs", fieldBody, "field"],
  ] as const;
  for (const [name, operation, body, what] of editors) {
    actions(site, `${path}/${name}`, again, { create: form(`${operation}.create`, body, `The ${what} is created.`) });
    actions(site, `${path}/${name}/:id`, again, {
      save: form(`${operation}.patch`, body, `The ${what} is saved.`),
      ...(what === "label" ? {} : { place: placing(operation) }),
      delete: form(`${operation}.delete`, none, `The ${what} is deleted.`),
    });
  }
  actions(site, `${path}/members`, again, {
    add: form(
      "project-members.create",
      ({ form }) => ({ user_id: form.text("user_id"), role: form.text("role") }),
      "The members are saved.",
    ),
    remove: {
      operation: "project-members.delete",
      input: (call) => ({ params: { ...named(call), userId: call.form.text("user_id") } }),
      to,
      said: "They are no longer a member of the project.",
    },
  });
}

const generalBody = ({ form }: WorkspaceCall) => ({
  name: form.text("name"),
  description_md: orNull(long(form.text("description_md"))),
  icon: orNull(form.text("icon")),
  lead_user_id: orNull(form.text("lead_user_id")),
  estimation_unit: form.text("estimation_unit"),
  scoped: form.text("scoped") !== "",
  default_assignee_id: orNull(form.text("default_assignee_id")),
  start_at: dayOf(form, "start_at"),
  target_at: dayOf(form, "target_at"),
  ...(form.text("no_color") !== "" ? { color: null } : {}),
  ...(form.text("no_color") === "" && form.text("color") !== form.text("color_was")
    ? { color: orNull(form.text("color")) }
    : {}),
});

function rulesBody({ form }: WorkspaceCall) {
  const columns = form.all("column");
  const allowed = (id: string) => form.all(`to-${id}`);
  return {
    wip_mode: form.text("wip_mode"),
    enforce_blockers: form.text("enforce_blockers") !== "",
    auto_start: form.text("auto_start") !== "",
    transition_rules:
      form.text("restricted") === "" ? null : Object.fromEntries(columns.map((id) => [id, allowed(id)])),
  };
}

const columnBody = ({ form }: WorkspaceCall) => ({
  name: form.text("name"),
  color: form.text("color"),
  category: form.text("category") || CATEGORIES[1],
  wip_limit: numberOf(form.text("wip_limit")),
  description: orNull(form.text("description")),
  ...(form.text("is_default") === "" ? {} : { is_default: true }),
});

const labelBody = ({ form }: WorkspaceCall) => ({
  name: form.text("name"),
  color: form.text("color"),
  description: orNull(form.text("description")),
});

export type Settings = {
  project: ProjectView;
  statuses: StatusView[];
  labels: (LabelView & { issue_count: number })[];
  fields: CustomFieldDefView[];
  members: ProjectMemberView[];
  people: Awaited<ReturnType<typeof allPeople>>;
  /** The project's description, for those who may not change it. */
  description: Html | string;
  path: string;
};

async function show(site: Site, call: WorkspaceCall, refusal?: Refusal): Promise<PageAnswer> {
  const params = named(call);
  const all = <T>(operation: string) =>
    site.list<T>(call, operation, { params, query: { limit: "100" } }).then(({ data }) => data);
  const [project, statuses, labels, fields, members, people] = await Promise.all([
    readProject(site, call),
    site.perform<StatusView[]>(call, "statuses.list", { params }),
    all<Settings["labels"][number]>("labels.list"),
    all<CustomFieldDefView>("custom-field-defs.list"),
    all<ProjectMemberView>("project-members.list"),
    allPeople(site, call),
  ]);
  const mayWrite = isEditorOf(call, project);
  const reads = !mayWrite || project.archived_at !== null;
  const description = reads && project.description_md ? await written(call.here, project.description_md, project) : "";
  const settings = {
    ...{ project, statuses, labels, fields, members: sortedByName(members), people, description },
    path: `${pathOf(call)}/settings`,
  };
  const { path } = call.request;
  const isKnown = [...statuses, ...labels, ...fields].some(({ id }) => id === call.params.id);
  const isAtItem = path.endsWith("/create") || (path.endsWith("/save") && isKnown);
  const mayArchive = isAdmin(call.here.principal.role) || project.my_role === "admin";
  const parts = [generalPart, columnsPart, rulesPart, labelsPart, fieldsPart, membersPart];
  return {
    title: `Settings of ${project.name}`,
    status: refusal?.status ?? 200,
    body: html`${projectHead(call, project, "/settings")}${refusal && !isAtItem ? problemBox(refusal) : ""}
      ${!mayWrite ? html`<p>People who work on the project can change its settings.</p>` : ""}
      ${reads ? readPart(settings, call) : parts.map((part) => part(settings, call, refusal))}
      ${mayArchive ? archivePart(settings) : ""}`,
  };
}
