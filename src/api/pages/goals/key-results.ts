import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import type { KeyResultView } from "../../../domain/knowledge/key-results/view.ts";
import { type People, personOf } from "../issue/read.ts";
import { select, textField } from "../kit/fields.ts";
import { person } from "../kit/people.ts";
import { empty, fold, percentBar } from "../kit/pieces.ts";
import { ago, due } from "../kit/times.ts";
import { dayOf, numberOf, orNull } from "../kit/typed.ts";
import { revisionField } from "../site/actions.ts";
import { askFirst } from "../site/confirm.ts";
import { onceField } from "../site/once.ts";
import type { WorkspaceCall } from "../site/site.ts";
import { goalPath } from "./paths.ts";

/** Key results of a goal: values that people report, or counts of issues. */

type Options = { people: People; writes: boolean };

export function keyResultsPart(call: WorkspaceCall, results: readonly KeyResultView[], options: Options): Html {
  return html`<section aria-labelledby="key-results"><h2 id="key-results">Key results</h2>
    ${results.length === 0 ? empty("No key results", "A key result says how the goal is measured.") : html`<ul class="rows">${results.map((one) => keyResult(call, one, options))}</ul>`}</section>`;
}

function keyResult(call: WorkspaceCall, result: KeyResultView, { people, writes }: Options): Html {
  const { id, title, progress_pct, owner_user_id, due_at, updated_value_at } = result;
  const { now } = call.here;
  const path = `${goalPath(call)}/key-results/${id}`;
  return html`<li id="key-result-${id}"><p class="tree-line goal-line"><strong dir="auto">${title}</strong> ${percentBar(progress_pct, title)}</p>
    <p class="quiet">${valuesOf(result)}${owner_user_id === null ? "" : html` · ${person(personOf(people, owner_user_id))}`}${due_at === null ? "" : html` · ${due(due_at, now, progress_pct === 100)}`}${updated_value_at === null || result.kind === "auto" ? "" : html` · reported ${ago(updated_value_at, now)}`}</p>
    ${writes && result.kind === "manual" ? checkIn(path, result) : ""}
    ${writes ? fold(html`Change<span class="out"> ${title}</span>`, changeForm(path, result)) : ""}</li>`;
}

function valuesOf({
  kind,
  measure,
  completed,
  total,
  unit,
  start_value,
  target_value,
  current_value,
}: KeyResultView): string {
  if (kind === "auto")
    return `${completed ?? 0} of ${total ?? 0} ${measure === "points" ? "points" : "issues"} done, counted by itself`;
  const value = (number: number | null) =>
    number === null ? "not reported" : [number, unit].filter((one) => one !== null && one !== "").join(" ");
  return `${value(current_value)}${target_value === null ? "" : `, from ${value(start_value ?? 0)} to ${value(target_value)}`}`;
}

const checkIn = (path: string, result: KeyResultView): Html =>
  html`<form class="row check-in" method="post" action="${path}/report">${revisionField(result)}
    ${textField({ name: "current_value", label: `Value now${result.unit ? ` (${result.unit})` : ""}`, value: result.current_value, required: true, prefix: `${result.id}-` })}
    <button class="second">Report</button></form>`;

const changeForm = (path: string, result: KeyResultView): Html => {
  const prefix = `change-${result.id}-`;
  return html`<form class="writing" method="post" action="${path}/save">${revisionField(result)}
    ${textField({ name: "title", label: "Title", value: result.title, required: true, max: 200, prefix })}
    ${result.kind === "manual" ? numbers(result, prefix) : ""}
    ${textField({ name: "weight", label: "Weight", value: result.weight, required: true, prefix, hint: "How much it counts beside the others." })}
    ${textField({ name: "due_at", label: "Due", type: "date", value: result.due_at?.slice(0, 10) ?? "", prefix })}
    <button>Save</button></form>
    ${askFirst({ ask: "Delete", about: result.title, action: `${path}/delete`, consequence: "The progress of the goal is computed again without it.", confirm: "Delete the key result" })}`;
};

type Numbers = Partial<Pick<KeyResultView, "start_value" | "target_value" | "unit">>;

const numbers = (
  { start_value = null, target_value = null, unit = null }: Numbers,
  prefix: string,
  refusal?: Refusal,
): Html =>
  html`<div class="row">${textField({ name: "start_value", label: "From", value: start_value, prefix, refusal })}
    ${textField({ name: "target_value", label: "To", value: target_value, prefix, refusal })}
    ${textField({ name: "unit", label: "Unit", value: unit, max: 24, prefix, refusal })}</div><br>`;

const KINDS = [
  { value: "manual", label: "A value that somebody reports" },
  { value: "auto", label: "The share of issues that are done" },
];

export const newKeyResult = (call: WorkspaceCall, refusal: Refusal | undefined): Html =>
  html`<form class="writing" method="post" action="${goalPath(call)}/key-result">${onceField()}
    ${textField({ name: "title", label: "Title", value: call.form.text("kind") === "" ? "" : call.form.text("title"), required: true, max: 200, refusal, prefix: "new-" })}
    ${select({ name: "kind", label: "Measured by", value: call.form.text("kind"), options: KINDS, required: true, refusal, prefix: "new-", hint: "Issues of the portfolio's projects are counted, or of the whole workspace." })}
    ${numbers({}, "new-", refusal)}
    <button>Add</button></form>`;

/** An empty number of a new key result is left out. */
export const madeKeyResult = ({ form }: WorkspaceCall) => ({
  title: form.text("title"),
  kind: form.text("kind"),
  ...(form.text("kind") === "auto" ? {} : numbersIn({ form })),
});

const numbersIn = ({ form }: Pick<WorkspaceCall, "form">) => ({
  start_value: numberOf(form.text("start_value")),
  target_value: numberOf(form.text("target_value")),
  unit: orNull(form.text("unit")),
});

export const changedKeyResult = ({ form }: WorkspaceCall) => ({
  title: form.text("title"),
  weight: numberOf(form.text("weight")),
  due_at: dayOf(form, "due_at"),
  // An automatic one has no such fields.
  ...(form.all("target_value").length > 0 ? numbersIn({ form }) : {}),
});
