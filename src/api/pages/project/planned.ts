import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { textArea, textField } from "../kit/fields.ts";
import { progress } from "../kit/pieces.ts";
import { dayWas, type Values } from "../kit/typed.ts";
import { askFirst } from "../site/confirm.ts";
import type { WorkspaceCall } from "../site/site.ts";
import { dayHere } from "../site/zone.ts";
import { PROJECT, pathOf } from "./head.ts";

/** What sprints, milestones and releases have in common on their pages. */

export const planPath = (kind: string): string => `${PROJECT}/${kind}`;
export const planBase = (call: WorkspaceCall, kind: string): string => `${pathOf(call)}/${kind}`;

export const dayField = (
  field: { name: string; label: string; prefix?: string; refusal?: Refusal | undefined },
  at: string | null,
  values: Values,
): Html =>
  html`${textField({ ...field, type: "date", value: values.of(field.name, at === null ? null : dayHere(at)) })}${dayWas(field.name, at)}`;

export const nameField = (name: string, values: Values, prefix: string): Html =>
  textField({
    name: "name",
    label: "Name",
    value: values.of("name", name),
    required: true,
    max: 120,
    prefix,
    refusal: values.refusal,
  });

export const aboutField = (
  field: { name: string; label: string; rows?: number; prefix: string },
  text: string | null,
  values: Values,
): Html =>
  textArea({
    ...field,
    value: values.of(field.name, text),
    rows: field.rows ?? 4,
    refusal: values.refusal,
  });

/** Issues that were cancelled are not part of the work that is left. */
export const progressOf = ({
  progress: all,
}: {
  progress: { total: number; done: number; cancelled: number };
}): Html =>
  all.total - all.cancelled === 0
    ? html`<span class="quiet">No issues yet</span>`
    : progress(all.done, all.total - all.cancelled, "done");

export const deleteForm = (action: string, what: string, name: string): Html =>
  askFirst({
    ask: `Delete this ${what}`,
    action,
    consequence: `Its issues stay, and are in no ${what} then.`,
    confirm: `Delete “${name}”`,
  });
