import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { own } from "../../../domain/kernel/own.ts";
import { MILESTONE_STATUSES, RELEASE_STATUSES } from "../../../domain/work/planning/entities.ts";
import type { MilestoneView, ReleaseView } from "../../../domain/work/planning/views.ts";
import { select, textField } from "../kit/fields.ts";
import { besideOf, orderForm, placeOf } from "../kit/order.ts";
import { adding, badge, empty, fold, pager, type Tone } from "../kit/pieces.ts";
import { dayInWords, due } from "../kit/times.ts";
import { dayOf, long, orAbsent, orNull, type Values, valuesOf } from "../kit/typed.ts";
import { words } from "../kit/words.ts";
import { writtenAll } from "../kit/written.ts";
import { actions, revisionField } from "../site/actions.ts";
import { onceField } from "../site/once.ts";
import { type PageAnswer, problemBox, type Site, type WorkspaceCall } from "../site/site.ts";
import { address } from "./filters.ts";
import { isEditorOf, named, type ProjectTab, pathOf, projectHead, readProject } from "./head.ts";
import { aboutField, dayField, deleteForm, nameField, planBase, planPath, progressOf } from "./planned.ts";

/** Milestones and releases: a list of each, where they are made and changed in place. */

type Plan = MilestoneView | ReleaseView;
type Kind = {
  /** As in paths and names of operations. */
  name: "milestones" | "releases";
  one: "milestone" | "release";
  none: string;
  statuses: readonly string[];
  body(call: WorkspaceCall): object;
  fields(plan: Plan | null, values: Values, prefix: string): Html;
  facts(plan: Plan, now: string): Html;
};

const MILESTONES: Kind = {
  name: "milestones",
  one: "milestone",
  none: "A milestone is something to reach, such as a first version that people can try.",
  statuses: MILESTONE_STATUSES,
  body: ({ form }) => ({ start_at: dayOf(form, "start_at"), due_at: dayOf(form, "due_at") }),
  fields: (plan, values, prefix) => {
    const milestone = plan as MilestoneView | null;
    return html`${dayField({ name: "start_at", label: "Begins", prefix, refusal: values.refusal }, milestone?.start_on ?? milestone?.start_at ?? null, values)}
      ${dayField({ name: "due_at", label: "Due", prefix, refusal: values.refusal }, milestone?.due_on ?? milestone?.due_at ?? null, values)}`;
  },
  facts: (plan, now) => {
    const { due_at, due_on, status, completed_at } = plan as MilestoneView;
    if (completed_at) return html`<span class="quiet">completed ${dayInWords(completed_at)}</span>`;
    return due_at ? due(due_on ?? due_at, now, status === "completed") : html``;
  },
};

const RELEASES: Kind = {
  name: "releases",
  one: "release",
  none: "A release is what goes out together. A tag in the project's repository that is called like its version releases it.",
  statuses: RELEASE_STATUSES,
  body: ({ form }) => ({
    version: orNull(form.text("version")),
    target_date: dayOf(form, "target_date"),
    ...(form.text("status") === "released" && form.text("released_at") !== ""
      ? { released_at: dayOf(form, "released_at") }
      : {}),
  }),
  fields: (plan, values, prefix) => {
    const release = plan as ReleaseView | null;
    return html`${textField({ name: "version", label: "Version or tag", value: values.of("version", release?.version), max: 64, prefix, refusal: values.refusal })}
      ${dayField({ name: "target_date", label: "Should go out on", prefix, refusal: values.refusal }, release?.target_on ?? release?.target_date ?? null, values)}
      ${release?.status === "released" ? dayField({ name: "released_at", label: "Went out on", prefix, refusal: values.refusal }, release.released_at, values) : ""}`;
  },
  facts: (plan, now) => {
    const { version, target_date, target_on, released_at, status } = plan as ReleaseView;
    return html`${version ? html`<code>${version}</code>` : ""}${released_at ? html`<span class="quiet">released ${dayInWords(released_at)}</span>` : target_date ? due(target_on ?? target_date, now, status === "cancelled") : ""}`;
  },
};

export function plansPages(site: Site): void {
  planPages(site, MILESTONES);
  planPages(site, RELEASES);
}

function planPages(site: Site, kind: Kind): void {
  const path = planPath(kind.name);
  const again = (call: WorkspaceCall, refusal?: Refusal) => show(site, call, kind, refusal);
  const body = (call: WorkspaceCall) => ({
    name: call.form.text("name"),
    description_md: orNull(long(call.form.text("description_md"))),
    status: orAbsent(call.form.text("status")),
    ...kind.body(call),
  });
  const at = (call: WorkspaceCall) => ({ ...named(call), id: call.params.plan ?? "" });
  const to = (call: WorkspaceCall, { id }: Plan) => `${planBase(call, kind.name)}#plan-${id}`;
  const said = ({ name }: Plan) => `${name} is saved.`;
  site.workspace("get", path, (call) => again(call));
  actions(site, path, again, {
    create: {
      operation: `${kind.name}.create`,
      input: (call) => ({ params: named(call), body: body(call) }),
      to,
      said,
    },
  });
  actions(site, `${path}/:plan`, again, {
    save: { operation: `${kind.name}.patch`, input: (call) => ({ params: at(call), body: body(call) }), to, said },
    place: {
      operation: `${kind.name}.patch`,
      input: (call) => ({ params: at(call), body: placeOf(call.form) }),
      to,
      said: ({ name }: Plan) => `${name} is moved.`,
    },
    delete: {
      operation: `${kind.name}.delete`,
      input: (call) => ({ params: at(call) }),
      to: (call) => planBase(call, kind.name),
      said: `The ${kind.one} is deleted. Its issues stay.`,
    },
  });
}

const TONES: Record<string, Tone> = {
  active: "warn",
  in_progress: "warn",
  completed: "good",
  released: "good",
  cancelled: "quiet",
};

async function show(site: Site, call: WorkspaceCall, kind: Kind, refusal?: Refusal): Promise<PageAnswer> {
  const cursor = call.query("cursor");
  const [project, { data, next }] = await Promise.all([
    readProject(site, call),
    site.list<Plan>(call, `${kind.name}.list`, { params: named(call), query: { limit: "50", cursor } }),
  ]);
  const path = planBase(call, kind.name);
  const mayWrite = project.archived_at === null && isEditorOf(call, project);
  const list = `${pathOf(call)}/list`;
  const title = words(kind.name);
  const ids = data.map(({ id }) => id);
  const descriptions = data.map(({ description_md }) => description_md);
  const texts = await writtenAll(call.here, descriptions, project);
  const line = (plan: Plan, at: number): Html => {
    const refused = call.params.plan === plan.id ? refusal : undefined;
    return html`<li class="object-line" id="plan-${plan.id}" tabindex="-1">
      <div class="object-name"><a class="issue-title strong" href="${address(list, { [kind.one]: plan.id })}">${plan.name}</a>
        <p class="marks">${badge(words(plan.status), own(TONES, plan.status) ?? "")}${kind.facts(plan, call.here.now)}</p></div>
      ${progressOf(plan)}${mayWrite && ids.length > 1 ? orderForm(`${path}/${plan.id}/place`, plan.name, besideOf(ids, at)) : ""}
      ${plan.description_md ? html`<div class="whole">${texts.get(plan.description_md) ?? ""}</div>` : ""}
      ${mayWrite ? html`<div class="whole">${fold(html`Change<span class="out"> ${plan.name}</span>`, html`${planForm(plan, refused)}${deleteForm(`${path}/${plan.id}/delete`, kind.one, plan.name)}`, { open: refused !== undefined })}</div>` : ""}</li>`;
  };
  const planForm = (plan: Plan | null, refused: Refusal | undefined): Html => {
    const values = valuesOf(call.form, refused);
    const prefix = plan ? `${plan.id}-` : "new-";
    const options = kind.statuses.map((value) => ({ value, label: words(value) }));
    return html`<form class="narrow" method="post" action="${path}/${plan ? `${plan.id}/save` : "create"}">${plan ? revisionField(plan) : onceField()}
      ${nameField(plan?.name ?? "", values, prefix)}
      <div class="pairs">${select({ name: "status", label: "State", required: true, value: values.of("status", plan?.status ?? "planned"), options, prefix, refusal: refused })}
      ${kind.fields(plan, values, prefix)}</div>
      ${aboutField({ name: "description_md", label: "Description", prefix }, plan?.description_md ?? null, values)}
      <button${plan ? html` class="second"` : ""}>${plan ? "Save" : `Create the ${kind.one}`}</button></form>`;
  };
  const isNew = refusal !== undefined && call.params.plan === undefined;
  return {
    title: `${title} of ${project.name}`,
    status: refusal?.status ?? 200,
    live: { project: project.id, kinds: [kind.one, "issue"] },
    body: html`${projectHead(call, project, `/${kind.name}` as ProjectTab)}${refusal ? problemBox(refusal) : ""}
      ${data.length === 0 ? empty(`No ${kind.name} yet`, kind.none) : html`<ul class="lines">${data.map(line)}</ul>`}
      ${pager(next === null ? null : address(path, { cursor: next }), { first: path, isFirst: cursor === "", what: kind.name })}
      ${mayWrite ? adding(`New ${kind.one}`, planForm(null, isNew ? refusal : undefined), { open: isNew || data.length === 0 }) : ""}`,
  };
}
