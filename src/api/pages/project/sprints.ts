import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import type { SprintView } from "../../../domain/work/planning/views.ts";
import { textField } from "../kit/fields.ts";
import { besideOf, orderForm, placeOf } from "../kit/order.ts";
import { adding, badge, empty, pager } from "../kit/pieces.ts";
import { dayInWords } from "../kit/times.ts";
import { dayOf, long, numberOf, orNull, type Values, valuesOf } from "../kit/typed.ts";
import { words } from "../kit/words.ts";
import { actions } from "../site/actions.ts";
import { onceField } from "../site/once.ts";
import { type PageAnswer, problemBox, type Site, type WorkspaceCall } from "../site/site.ts";
import { address } from "./filters.ts";
import { isEditorOf, named, pathOf, projectHead, readProject } from "./head.ts";
import { aboutField, dayField, nameField, planBase, planPath, progressOf } from "./planned.ts";

/** The sprints of a project, and a form for the next one. */

export function sprintsPage(site: Site): void {
  site.workspace("get", planPath("sprints"), (call) => show(site, call));
  actions(site, planPath("sprints"), (call, refusal) => show(site, call, refusal), {
    create: {
      operation: "sprints.create",
      input: (call) => ({ params: named(call), body: sprintBody(call) }),
      to: (call, { id }: SprintView) => `${pathOf(call)}/sprints/${id}`,
      said: ({ name }: SprintView) => `${name} is planned. Add issues to it in the backlog.`,
    },
  });
  actions(site, planPath("sprints/:id"), (call, refusal) => show(site, call, refusal), {
    place: {
      operation: "sprints.patch",
      input: (call) => ({ params: { ...named(call), id: call.params.id ?? "" }, body: placeOf(call.form) }),
      to: (call, { id }: SprintView) => `${planBase(call, "sprints")}#sprint-${id}`,
      said: ({ name }: SprintView) => `${name} is moved.`,
    },
  });
}

export const sprintBody = ({ form }: WorkspaceCall) => ({
  name: form.text("name"),
  goal: orNull(long(form.text("goal"))),
  start_at: dayOf(form, "start_at"),
  end_at: dayOf(form, "end_at"),
  capacity_points: numberOf(form.text("capacity_points")),
});

export const sprintFields = (sprint: SprintView | null, values: Values, unit: string, prefix: string): Html => html`
  ${nameField(sprint?.name ?? "", values, prefix)}
  ${aboutField({ name: "goal", label: "Goal", rows: 3, prefix }, sprint?.goal ?? null, values)}
  <div class="pairs">${dayField({ name: "start_at", label: "Begins", prefix, refusal: values.refusal }, sprint?.start_on ?? sprint?.start_at ?? null, values)}
  ${dayField({ name: "end_at", label: "Ends", prefix, refusal: values.refusal }, sprint?.end_on ?? sprint?.end_at ?? null, values)}
  ${unit === "points" ? textField({ name: "capacity_points", label: "Points that fit", value: values.of("capacity_points", sprint?.capacity_points), prefix, refusal: values.refusal }) : ""}</div>`;

const TONES = { planned: "", active: "good", completed: "quiet" } as const;
export const sprintBadge = ({ status }: SprintView): Html => badge(words(status), TONES[status]);

export function daysOf(sprint: Pick<SprintView, "start_at" | "start_on" | "end_at" | "end_on">): string {
  const [start_at, end_at] = [sprint.start_on ?? sprint.start_at, sprint.end_on ?? sprint.end_at];
  if (start_at && end_at) return `${dayInWords(start_at)} to ${dayInWords(end_at)}`;
  if (start_at) return `from ${dayInWords(start_at)}`;
  return end_at ? `until ${dayInWords(end_at)}` : "no dates";
}

async function show(site: Site, call: WorkspaceCall, refusal?: Refusal): Promise<PageAnswer> {
  const cursor = call.query("cursor");
  const [project, { data, next }] = await Promise.all([
    readProject(site, call),
    site.list<SprintView>(call, "sprints.list", { params: named(call), query: { limit: "50", cursor } }),
  ]);
  const path = planBase(call, "sprints");
  const mayWrite = project.archived_at === null && isEditorOf(call, project);
  // What is going on first, then what is planned, then what is over.
  const order = { active: 0, planned: 1, completed: 2 };
  const sorted = data.toSorted((one, other) => order[one.status] - order[other.status]);
  const planned = sorted.filter(({ status }) => status === "planned").map(({ id }) => id);
  return {
    title: `Sprints of ${project.name}`,
    status: refusal?.status ?? 200,
    live: { project: project.id, kinds: ["sprint", "issue"] },
    body: html`${projectHead(call, project, "/sprints")}${refusal ? problemBox(refusal) : ""}
      ${data.length === 0 ? empty("No sprints yet", "A sprint is a week or two with a goal, and the issues that should be done by its end.") : html`<ul class="lines">${sorted.map((sprint) => line(sprint, path, mayWrite ? planned : []))}</ul>`}
      ${pager(next === null ? null : address(path, { cursor: next }), { first: path, isFirst: cursor === "", what: "sprints" })}
      ${mayWrite ? adding("New sprint", html`<form class="narrow" method="post" action="${path}/create">${onceField()}${sprintFields(null, valuesOf(call.form, refusal), project.estimation_unit, "new-")}<button>Create the sprint</button></form>`, { open: refusal !== undefined || data.length === 0 }) : ""}`,
  };
}

/** @param planned ids of the planned ones in their order, if the person may change it */
const line = (
  sprint: SprintView,
  path: string,
  planned: readonly string[],
): Html => html`<li class="object-line" id="sprint-${sprint.id}" tabindex="-1">
  <div class="object-name"><a class="issue-title strong" href="${path}/${sprint.id}">${sprint.name}</a>
    <p class="marks">${sprintBadge(sprint)}<span class="quiet">${daysOf(sprint)}</span></p></div>
  ${progressOf(sprint)}${planned.length > 1 && planned.includes(sprint.id) ? orderForm(`${path}/${sprint.id}/place`, sprint.name, besideOf(planned, planned.indexOf(sprint.id))) : ""}</li>`;
