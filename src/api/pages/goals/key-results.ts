import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import type { KeyResultView } from "../../../domain/knowledge/key-results/view.ts";
import type { ProjectView } from "../../../domain/work/projects/view.ts";
import { type People, personOf } from "../issue/read.ts";
import { select, textField } from "../kit/fields.ts";
import { person } from "../kit/people.ts";
import { empty, percentBar } from "../kit/pieces.ts";
import { ago, due } from "../kit/times.ts";
import { numberOf, orNull } from "../kit/typed.ts";
import { revisionField } from "../site/actions.ts";
import { onceField } from "../site/once.ts";
import type { WorkspaceCall } from "../site/site.ts";
import { goalPath } from "./paths.ts";
import { scopeInWords } from "./scope.ts";

/** Key results of a goal: values that people report, or counts of issues. */

type Options = { people: People; projects: readonly ProjectView[]; isOfPortfolio: boolean; writes: boolean };

export function keyResultsPart(call: WorkspaceCall, results: readonly KeyResultView[], options: Options): Html {
  return html`<section aria-labelledby="key-results"><h2 id="key-results">Key results</h2>
    ${results.length === 0 ? empty("No key results", "A key result says how the goal is measured.") : html`<ul class="rows">${results.map((one) => keyResult(call, one, options))}</ul>`}</section>`;
}

function keyResult(call: WorkspaceCall, result: KeyResultView, options: Options): Html {
  const { people, writes } = options;
  const { id, title, progress_pct, owner_user_id, due_at, due_on, updated_value_at } = result;
  const { now } = call.here;
  const path = `${goalPath(call)}/key-results/${id}`;
  return html`<li id="key-result-${id}"><p class="tree-line goal-line"><strong dir="auto">${title}</strong> ${percentBar(progress_pct, title)}</p>
    <p class="quiet"><span dir="auto">${valuesOf(result, options)}</span>${owner_user_id === null ? "" : html` · ${person(personOf(people, owner_user_id))}`}${due_at === null ? "" : html` · ${due(due_on ?? due_at, now, progress_pct === 100)}`}${updated_value_at === null || result.kind === "auto" ? "" : html` · reported ${ago(updated_value_at, now)}`}</p>
    ${writes && result.kind === "manual" ? checkIn(path, result) : ""}
    ${writes ? html`<p><a class="quiet" href="${path}/edit" aria-label="Change ${title}">Change</a></p>` : ""}</li>`;
}

/** What the progress follows from, in a sentence. */
function valuesOf(result: KeyResultView, options: Options): string {
  const { kind, measure, completed, total, unit, start_value, target_value, current_value, scope } = result;
  if (kind === "auto") {
    const which = scopeInWords(scope, options);
    if (!total) return `Counts ${which}; there are none${measure === "points" ? " with points" : ""} yet`;
    return `${completed ?? 0} of ${total} ${measure === "points" ? "points of" : ""} ${which} are done`.replace(
      "  ",
      " ",
    );
  }
  const value = (number: number | null) =>
    number === null ? "Not reported yet" : [number, unit].filter((one) => one !== null && one !== "").join(" ");
  return `${value(current_value)}${target_value === null ? "" : `, on the way from ${value(start_value ?? 0)} to ${value(target_value)}`}`;
}

const checkIn = (path: string, result: KeyResultView): Html =>
  html`<form class="row check-in" method="post" action="${path}/report">${revisionField(result)}
    ${textField({ name: "current_value", label: `Value now${result.unit ? ` (${result.unit})` : ""}`, value: result.current_value, required: true, prefix: `${result.id}-` })}
    <button class="second">Report</button></form>`;

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
