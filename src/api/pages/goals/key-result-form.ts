import { type Refusal, refuse } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import type { GoalDetailView } from "../../../domain/knowledge/goals/view.ts";
import type { KeyResultView } from "../../../domain/knowledge/key-results/view.ts";
import { allProjects } from "../docs/read.ts";
import { allPeople } from "../issue/read.ts";
import { choices, hidden, select, textField } from "../kit/fields.ts";
import { crumbs } from "../kit/pieces.ts";
import { dayOf, dayWas, numberOf, orNull, type Values, valuesOf } from "../kit/typed.ts";
import { revisionField } from "../site/actions.ts";
import { askFirst } from "../site/confirm.ts";
import { type PageAnswer, problemBox, type Site, type WorkspaceCall } from "../site/site.ts";
import { dayHere } from "../site/zone.ts";
import { goalPath, goalsPath, inPath } from "./paths.ts";
import { LIST_NAMES, labelOf, readLists, type Scope, scopeIn, TYPES } from "./scope.ts";

/** The fields of a key result, and for one that counts issues, which ones count. */

const MEASURES = [
  { value: "issues", label: "How many issues are done" },
  { value: "points", label: "How many points are done" },
];

export async function keyResultPage(site: Site, call: WorkspaceCall, refusal?: Refusal): Promise<PageAnswer> {
  const [goal, results, people, projects] = await Promise.all([
    site.perform<GoalDetailView>(call, "goals.get", { params: inPath(call) }),
    site.perform<KeyResultView[]>(call, "key-results.list", { params: { goalId: inPath(call).id } }),
    allPeople(site, call),
    allProjects(site, call),
  ]);
  const result = results.find(({ id }) => id === call.params.id) ?? refuse("not_found");
  const values = valuesOf(call.form, refusal);
  const { scope } = result;
  const due = result.due_on ?? result.due_at;
  const chosen = values.all("project_ids", scope?.project_ids ?? []);
  const lists = result.kind === "auto" ? await readLists(site, call, { projects, chosen }) : null;
  const owners = [...people.values()].map(({ id, name }) => ({ value: id, label: name ?? "Someone" }));
  const path = `${goalPath(call)}/key-results/${result.id}`;
  return {
    title: `Change ${result.title}`,
    status: refusal?.status ?? 200,
    body: html`${crumbs([goalsPath(call), "Goals"], [goalPath(call), goal.title])}<h1 dir="auto">${result.title}</h1>${refusal ? problemBox(refusal) : ""}
      <form class="writing" method="post" action="${path}/edit/save">${revisionField(result)}
      ${text(values, "title", "Title", result.title, { required: true, max: 200 })}
      ${select({ name: "owner_user_id", label: "Owner", value: values.of("owner_user_id", result.owner_user_id), options: owners, none: "Nobody", refusal })}
      ${textField({ name: "due_at", label: "Due", type: "date", value: values.of("due_at", due === null ? null : dayHere(due)), refusal })}${dayWas("due_at", due)}
      ${text(values, "weight", "Weight", result.weight, { required: true, hint: "How much it counts beside the others." })}
      ${lists === null ? numbersPart(values, result) : ""}
      ${
        lists === null
          ? ""
          : html`${select({ name: "measure", label: "Measured by", value: values.of("measure", result.measure), options: MEASURES, required: true, refusal })}
        <fieldset class="scope"><legend>Which issues count</legend>
        <p class="quiet">An issue has to fit everything that is chosen. Nothing chosen: ${goal.portfolio_id === null ? "all issues count" : "all issues of the portfolio's projects count"}.</p>
        ${choices({ name: "project_ids", label: "Projects", options: projects.map(({ id, name }) => ({ value: id, label: name })), values: chosen })}
        ${choices({ name: "issue_types", label: "Types", options: TYPES, values: values.all("issue_types", scope?.issue_types ?? []) })}
        ${select({ name: "assignee_id", label: "Assignee", value: values.of("assignee_id", scope?.assignee_id), options: owners, none: "Anybody", refusal })}
        ${chosen.length === 0 ? html`<p class="quiet">Labels, milestones, sprints and releases can be chosen once projects are chosen and saved.</p>` : ""}
        ${LIST_NAMES.map((list) => listPart(values, { list, scope, options: lists[list] }))}
        ${kept("parent_ids", scope?.parent_ids ?? [])}</fieldset>`
      }
      <p class="row"><button>Save</button> <a class="button second" href="${goalPath(call)}#key-result-${result.id}">Cancel</a></p></form>
      ${askFirst({ ask: "Delete", about: result.title, action: `${path}/delete`, consequence: "The progress of the goal is computed again without it.", confirm: "Delete the key result" })}`,
  };
}

type More = { required?: boolean; max?: number; hint?: string };

function text(values: Values, name: string, label: string, stored: string | number | null, more: More = {}): Html {
  return textField({
    ...more,
    ...{ name, label, value: values.of(name, stored), refusal: values.refusal },
  });
}

const numbersPart = (values: Values, { start_value, target_value, current_value, unit }: KeyResultView): Html =>
  html`<div class="row">${text(values, "start_value", "From", start_value)}
    ${text(values, "target_value", "To", target_value)}
    ${text(values, "unit", "Unit", unit, { max: 24 })}</div><br>
    ${text(values, "current_value", "Value now", current_value)}`;

type List = { list: (typeof LIST_NAMES)[number]; scope: Scope | null; options: { value: string; label: string }[] };

/** What is chosen of other projects stays as it is. */
function listPart(values: Values, { list, scope, options }: List): Html {
  const chosen = values.all(list, scope?.[list] ?? []);
  const others = chosen.filter((id) => !options.some(({ value }) => value === id));
  return html`${options.length === 0 ? "" : choices({ name: list, label: labelOf(list), options, values: chosen.filter((id) => !others.includes(id)) })}${kept(list, others)}`;
}

const kept = (name: string, ids: readonly string[]): Html => html`${ids.map((id) => hidden(name, id))}`;

export const changedKeyResult = (call: WorkspaceCall) => {
  const { form } = call;
  return {
    title: form.text("title"),
    owner_user_id: orNull(form.text("owner_user_id")),
    weight: numberOf(form.text("weight")),
    due_at: dayOf(form, "due_at"),
    // Each kind has fields that the other one has not.
    ...(form.text("measure") === ""
      ? {
          start_value: numberOf(form.text("start_value")),
          target_value: numberOf(form.text("target_value")),
          current_value: numberOf(form.text("current_value")),
          unit: orNull(form.text("unit")),
        }
      : { measure: form.text("measure"), scope: scopeIn(call) }),
  };
};
