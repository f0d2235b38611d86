import { own } from "../../kernel/own.ts";
import type { Answer, Answers, FormField } from "./rows.ts";

/** Visibility of fields that depends on the answer to an earlier field. A hidden field counts as empty. */

/** @param answers answers of the visible fields before it */
export function isVisible({ visibility_rule: rule }: Pick<FormField, "visibility_rule">, answers: Answers): boolean {
  if (!rule) return true;
  const answer = own(answers, rule.field);
  const isSet = answer !== undefined && answer !== false;
  if (rule.op === "is_set") return isSet;
  if (rule.op === "is_empty") return !isSet;
  if (rule.op === "contains") return contains(answer, plain(rule.value));
  return is(answer, plain(rule.value)) === (rule.op === "is");
}

const plain = (value: Exclude<Answer, string[]> | null): string => String(value ?? "").toLowerCase();

function is(answer: Answer | undefined, value: string): boolean {
  if (Array.isArray(answer)) return answer.length === 1 && plain(answer[0]!) === value;
  // An unanswered checkbox counts as unchecked.
  return plain(answer ?? (value === "false" ? false : "")) === value;
}

function contains(answer: Answer | undefined, value: string): boolean {
  if (Array.isArray(answer)) return answer.some((one) => plain(one) === value);
  return answer !== undefined && plain(answer).includes(value);
}

/** Returns the condition as text, for visitors who see a field that they may not have to answer. */
export function conditionOf({ visibility_rule: rule }: FormField, fields: FormField[]): string | null {
  const named = fields.find(({ id }) => id === rule?.field);
  if (!rule || !named) return null;
  const value = rule.value === true ? "yes" : rule.value === false ? "no" : String(rule.value ?? "");
  const words = { is: `is “${value}”`, is_not: `is not “${value}”`, contains: `contains “${value}”` };
  if (rule.op === "is_set") return `Only if you answered “${named.label}”`;
  if (rule.op === "is_empty") return `Only if you left “${named.label}” empty`;
  return `Only if “${named.label}” ${words[rule.op]}`;
}
