import { ISSUE_TYPES } from "../../../domain/access/identity/issue-row.ts";
import { counted } from "../../../domain/kernel/counted.ts";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import type { LabelView } from "../../../domain/work/issues/view.ts";
import type { StatusView } from "../../../domain/work/projects/status-view.ts";
import { select, textField, tick } from "../kit/fields.ts";
import { besideOf, orderForm } from "../kit/order.ts";
import { adding, badge, colored, fold } from "../kit/pieces.ts";
import { type Values, valuesOf } from "../kit/typed.ts";
import { words } from "../kit/words.ts";
import { revisionField } from "../site/actions.ts";
import { askFirst } from "../site/confirm.ts";
import { onceField } from "../site/once.ts";
import { problemBox, type WorkspaceCall } from "../site/site.ts";
import { STATES } from "./choices.ts";
import { fieldInputs } from "./field-inputs.ts";
import { type Part, part } from "./settings-parts.ts";

/** The parts of a project's settings that are lists: columns, labels, fields. Each thing is changed where it stands. */

type Thing = { id: string; name: string };
type Kind<T extends Thing> = {
  path: string;
  one: string;
  all: readonly T[];
  label(thing: T): Html;
  /** The inputs of a new one, or of one that is changed. */
  inputs(thing: T | null, values: Values, prefix: string): Html;
  /** Of deleting it. */
  consequence(thing: T): string;
  isOrdered?: boolean;
};

/** What was refused stands in the form that was sent, with what was typed. */
function items<T extends Thing>(call: WorkspaceCall, refusal: Refusal | undefined, kind: Kind<T>): Html {
  const { path, one, all, isOrdered = false } = kind;
  const refusedAt = (form: string) => (call.request.path === form ? refusal : undefined);
  const form = (thing: T | null) => {
    const action = thing ? `${path}/${thing.id}/save` : `${path}/create`;
    const refused = refusedAt(action);
    return html`<form class="narrow" method="post" action="${action}">${refused ? problemBox(refused) : ""}${thing ? revisionField(thing) : onceField()}
      ${kind.inputs(thing, valuesOf(call.form, refused), `${thing?.id ?? `new-${one}`}-`)}
      <button class="second">${thing ? "Save" : `Add the ${one}`}</button></form>`;
  };
  const isOpen = (thing: T) => refusedAt(`${path}/${thing.id}/save`) !== undefined;
  const ids = all.map(({ id }) => id);
  const line = (
    thing: T,
    at: number,
  ): Html => html`<li class="object-line" id="item-${thing.id}" tabindex="-1">${kind.label(thing)}
    ${isOrdered ? orderForm(`${path}/${thing.id}/place`, thing.name, besideOf(ids, at)) : ""}
    <div class="whole">${fold(html`Change<span class="out"> ${thing.name}</span>`, html`${form(thing)}${askFirst({ ask: "Delete", about: thing.name, action: `${path}/${thing.id}/delete`, consequence: kind.consequence(thing), confirm: `Delete “${thing.name}”` })}`, { open: isOpen(thing) })}</div></li>`;
  return html`${all.length === 0 ? html`<p class="quiet">None yet.</p>` : html`<ul class="lines">${all.map(line)}</ul>`}
    ${adding(`Add a ${one}`, form(null), { open: refusedAt(`${path}/create`) !== undefined })}`;
}

const nameInput = (thing: Thing | null, max: number, values: Values, prefix: string): Html =>
  textField({
    ...{ name: "name", label: "Name", required: true, max, prefix, refusal: values.refusal },
    ...{ value: values.of("name", thing?.name) },
  });

const aboutInput = (text: string | null | undefined, max: number, values: Values, prefix: string): Html =>
  textField({
    ...{ name: "description", label: "About it", max, prefix, refusal: values.refusal },
    ...{ value: values.of("description", text) },
  });

const colorInput = (color: string | undefined, values: Values, prefix: string): Html =>
  textField({
    ...{ name: "color", label: "Colour", type: "color", required: true, prefix, refusal: values.refusal },
    value: values.of("color", color ?? "#3b82f6"),
  });

export const columnsPart: Part = ({ statuses, path }, call, refusal) =>
  part(
    "Columns",
    items<StatusView>(call, refusal, {
      ...{ path: `${path}/columns`, one: "column", all: statuses, isOrdered: true },
      label: ({ color, name, category, issue_count: count, wip_limit: limit, is_default, description }) =>
        html`<div class="object-name"><p class="marks">${colored(color, name)}<span class="quiet">${words(category)}, ${counted(count, "issue")}</span>${limit === null ? "" : html`<span class="quiet">limit ${limit}</span>`}${is_default ? badge("New issues") : ""}</p>${description ? html`<p class="marks quiet">${description}</p>` : ""}</div>`,
      inputs: (status, values, prefix) => html`${nameInput(status, 80, values, prefix)}
        <div class="pairs">${select({ name: "category", label: "Its issues are", required: true, options: STATES, value: values.of("category", status?.category ?? "todo"), prefix, refusal: values.refusal })}
        ${textField({ name: "wip_limit", label: "At most so many issues", type: "number", value: values.of("wip_limit", status?.wip_limit), prefix, refusal: values.refusal })}
        ${colorInput(status?.color, values, prefix)}</div>
        ${aboutInput(status?.description, 200, values, prefix)}
        ${status?.is_default ? "" : tick({ name: "is_default", label: "New issues begin here", checked: values.on("is_default", false), prefix })}`,
      consequence: ({ issue_count: count }) =>
        `Its ${counted(count, "issue")} will be archived. They can be restored for 30 days.`,
    }),
  );

export const labelsPart: Part = ({ labels, path }, call, refusal) =>
  part(
    "Labels",
    items<LabelView & { issue_count: number }>(call, refusal, {
      ...{ path: `${path}/labels`, one: "label", all: labels },
      label: ({ color, name, issue_count: count, description }) =>
        html`<p class="marks">${colored(color, name)}<span class="quiet">${counted(count, "issue")}</span>${description ? html`<span class="quiet">${description}</span>` : ""}</p>`,
      inputs: (label, values, prefix) =>
        html`<div class="pairs">${nameInput(label, 50, values, prefix)}${colorInput(label?.color, values, prefix)}</div>${aboutInput(label?.description, 200, values, prefix)}`,
      consequence: ({ issue_count: count }) => `${counted(count, "issue")} will lose it.`,
    }),
  );

export const fieldsPart: Part = ({ fields, path, people }, call, refusal) =>
  part(
    "Fields of your own",
    items(call, refusal, {
      ...{ path: `${path}/fields`, one: "field", all: fields, isOrdered: true },
      label: ({ name, kind, applies_to: types, required, description }) =>
        html`<div class="object-name"><p class="marks"><span>${name}</span><span class="quiet">${words(kind)}${types.length > 0 && types.length < ISSUE_TYPES.length ? `, for ${types.map(words).join(", ")}` : ""}</span>${required ? badge("Needed") : ""}</p>${description ? html`<p class="marks quiet">${description}</p>` : ""}</div>`,
      inputs: (field, values, prefix) =>
        html`${nameInput(field, 60, values, prefix)}${fieldInputs(field, { values, prefix, people })}${aboutInput(field?.description, 300, values, prefix)}`,
      consequence: ({ value_count: count }) => `${counted(count, "issue")} will lose its value.`,
    }),
  );
