import { type Html, html } from "../../../domain/kernel/html.ts";
import { own } from "../../../domain/kernel/own.ts";
import { RULE_OPS } from "../../../domain/work/forms/rows.ts";
import type { FormFieldView, FormView } from "../../../domain/work/forms/view.ts";
import { select, textField } from "../kit/fields.ts";
import type { Values } from "../kit/typed.ts";
import type { Form } from "../site/forms.ts";

/** When a question is asked: always, or after certain answers to an earlier one. */

const OPS: Record<(typeof RULE_OPS)[number], string> = {
  is: "is",
  is_not: "is not",
  contains: "contains",
  is_set: "has any answer",
  is_empty: "has no answer",
};

/** Sections and files have no answer that can be compared. */
const isAsked = ({ kind }: FormFieldView) => kind !== "section" && kind !== "file";

const valueIn = (rule: FormFieldView["visibility_rule"]): string =>
  typeof rule?.value === "boolean" ? (rule.value ? "yes" : "no") : String(rule?.value ?? "");

/** Inputs of the rule. None if no question comes before. */
export function ruleFields(prefix: string, { of, refusal }: Values, form: FormView, field?: FormFieldView): Html {
  const before = form.fields.slice(0, field?.position ?? form.fields.length).filter(isAsked);
  if (before.length === 0) return html``;
  const rule = field?.visibility_rule ?? null;
  const common = { refusal, prefix };
  return html`${select({ ...common, name: "rule_field", label: "Ask it only if", none: "Always ask it", value: of("rule_field", rule?.field), options: before.map(({ id, label }) => ({ value: id, label })) })}
    <div class="pairs">${select({ ...common, name: "rule_op", label: "How the answer compares", required: true, value: of("rule_op", rule?.op ?? "is"), options: RULE_OPS.map((value) => ({ value, label: OPS[value] })) })}
    ${textField({ ...common, name: "rule_value", label: "With this", max: 500, value: of("rule_value", valueIn(rule)), hint: "For a tick: yes or no." })}</div>`;
}

/** The rule as the form says it. Forms of first questions leave it out. */
export function ruleSaid(form: Form, fields: readonly Pick<FormFieldView, "id" | "kind">[]): object {
  if (form.all("rule_field").length === 0) return {};
  const [id, op, typed] = [form.text("rule_field"), form.text("rule_op"), form.text("rule_value")];
  if (id === "") return { visibility_rule: null };
  const isTick = fields.find((one) => one.id === id)?.kind === "checkbox";
  const value = isTick ? (own(TICKS, typed.toLowerCase()) ?? typed) : typed;
  return {
    visibility_rule: { field: id, op, value: op === "is_set" || op === "is_empty" || typed === "" ? null : value },
  };
}

const TICKS: Record<string, boolean> = { yes: true, no: false, true: true, false: false };
