import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { STATUS_OVERRIDES } from "../../../domain/knowledge/goals/status.ts";
import type { GoalDetailView } from "../../../domain/knowledge/goals/view.ts";
import type { PortfolioView } from "../../../domain/knowledge/portfolios/view.ts";
import { allPeople, type People, unlessRefused } from "../issue/read.ts";
import { hidden, select, textArea, textField } from "../kit/fields.ts";
import { crumbs } from "../kit/pieces.ts";
import { dayOf, dayWas, long, numberOf, orNull, type Values, valuesOf } from "../kit/typed.ts";
import { words } from "../kit/words.ts";
import { revisionField } from "../site/actions.ts";
import { onceField } from "../site/once.ts";
import { type PageAnswer, problemBox, type Site, type WorkspaceCall } from "../site/site.ts";
import { dayHere } from "../site/zone.ts";
import { goalPath, goalsPath, inPath, readGoals } from "./paths.ts";

/** The forms of a goal: a new one, and the fields of one. */

async function read(site: Site, call: WorkspaceCall) {
  const [people, portfolios] = await Promise.all([
    allPeople(site, call),
    unlessRefused(site.list<PortfolioView>(call, "portfolios.list", { query: { limit: "100" } }), {
      data: [],
      next: null,
    }),
  ]);
  return { people, portfolios: portfolios.data };
}

export async function newPage(site: Site, call: WorkspaceCall, refusal?: Refusal): Promise<PageAnswer> {
  const { form } = call;
  const parentId = form.text("parent_goal_id") || call.query("parent");
  const [about, parent] = await Promise.all([
    read(site, call),
    parentId === "" ? null : site.perform<GoalDetailView>(call, "goals.get", { params: { id: parentId } }),
  ]);
  const values = valuesOf(form, refusal);
  const base = goalsPath(call);
  return {
    title: "New goal",
    status: refusal?.status ?? 200,
    body: html`${crumbs([base, "Goals"], ...(parent === null ? [] : [[goalPath(call, parent.id), parent.title] as const]))}
      <h1>New goal</h1>${refusal ? problemBox(refusal) : ""}
      <form class="writing" method="post" action="${base}/new/create">${onceField()}${parent === null ? "" : hidden("parent_goal_id", parent.id)}
      ${common(values, about, { owner_user_id: call.visitor.user.id, portfolio_id: parent?.portfolio_id ?? (call.query("portfolio") || null) })}
      <button>Create</button></form>`,
  };
}

export async function editPage(site: Site, call: WorkspaceCall, refusal?: Refusal): Promise<PageAnswer> {
  const [goal, about, { goals }] = await Promise.all([
    site.perform<GoalDetailView>(call, "goals.get", { params: inPath(call) }),
    read(site, call),
    readGoals(site, call),
  ]);
  const values = valuesOf(call.form, refusal);
  const path = goalPath(call, goal.id);
  return {
    title: `Edit ${goal.title}`,
    status: refusal?.status ?? 200,
    body: html`${crumbs([goalsPath(call), "Goals"], [path, goal.title])}<h1>Edit</h1>${refusal ? problemBox(refusal) : ""}
      <form class="writing" method="post" action="${path}/edit/save">${revisionField(goal)}
      ${common(values, about, goal)}
      ${select({ name: "parent_goal_id", label: "Goal above", value: values.of("parent_goal_id", goal.parent_goal_id), options: goals.filter(({ id }) => id !== goal.id).map(({ id, title }) => ({ value: id, label: title })), none: "None", refusal })}
      ${textField({ name: "weight", label: "Weight", value: values.of("weight", goal.weight), required: true, refusal, hint: "How much it counts in the goal above." })}
      ${select({ name: "status_override", label: "Status", value: values.of("status_override", goal.status_override), options: STATUS_OVERRIDES.map((value) => ({ value, label: words(value) })), none: "Computed from progress and time", refusal })}
      ${textField({ name: "progress_override", label: "Progress in percent, set by hand", value: values.of("progress_override", goal.progress_override), refusal, hint: "Empty: computed from key results and goals below." })}
      <p class="row"><button>Save</button> <a class="button second" href="${path}">Cancel</a></p></form>`,
  };
}

type Stored = Partial<
  Pick<
    GoalDetailView,
    | ("title" | "description_md" | "portfolio_id" | "owner_user_id")
    | ("cycle_start_at" | "cycle_start_on" | "cycle_due_at" | "cycle_due_on")
  >
>;

function common(
  values: Values,
  { people, portfolios }: { people: People; portfolios: PortfolioView[] },
  goal: Stored,
): Html {
  const { refusal } = values;
  const day = (name: "cycle_start_at" | "cycle_due_at", label: string) => {
    const date = goal[name === "cycle_start_at" ? "cycle_start_on" : "cycle_due_on"] ?? goal[name] ?? null;
    const value = values.of(name, date === null ? null : dayHere(date));
    return html`${textField({ name, label, type: "date", value, refusal })}${dayWas(name, date)}`;
  };
  return html`${textField({ name: "title", label: "Title", value: values.of("title", goal.title), required: true, max: 200, refusal })}
    ${textArea({ name: "description_md", label: "Description", value: values.of("description_md", goal.description_md), rows: 6, refusal })}
    ${select({ name: "owner_user_id", label: "Owner", value: values.of("owner_user_id", goal.owner_user_id), options: [...people.values()].map(({ id, name }) => ({ value: id, label: name ?? "Someone" })), none: "Nobody", refusal })}
    ${portfolios.length === 0 ? "" : select({ name: "portfolio_id", label: "Portfolio", value: values.of("portfolio_id", goal.portfolio_id), options: portfolios.map(({ id, name }) => ({ value: id, label: name })), none: "None: a goal of the company", refusal })}
    <div class="row">${day("cycle_start_at", "Begins")}${day("cycle_due_at", "Due")}</div><br>`;
}

const commonIn = ({ form }: WorkspaceCall) => ({
  title: form.text("title"),
  description_md: orNull(long(form.text("description_md"))),
  owner_user_id: orNull(form.text("owner_user_id")),
  cycle_start_at: dayOf(form, "cycle_start_at"),
  cycle_due_at: dayOf(form, "cycle_due_at"),
  parent_goal_id: orNull(form.text("parent_goal_id")),
  // The field is not there if the workspace has no portfolios.
  ...(form.all("portfolio_id").length > 0 ? { portfolio_id: orNull(form.text("portfolio_id")) } : {}),
});

export const newGoal = commonIn;

export const changedGoal = (call: WorkspaceCall) => ({
  ...commonIn(call),
  weight: numberOf(call.form.text("weight")),
  status_override: orNull(call.form.text("status_override")),
  progress_override: numberOf(call.form.text("progress_override")),
});
