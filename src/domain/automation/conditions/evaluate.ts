import { PRIORITY_SYNONYMS } from "../../access/identity/issue-row.ts";
import { CATEGORY_SYNONYMS } from "../../kernel/categories.ts";
import { own } from "../../kernel/own.ts";
import { readInstant } from "../../kernel/wire.ts";
import type { Facts } from "./facts.ts";
import { customFieldOf, type FieldName, kindOfField } from "./fields.ts";
import { type Condition, type Group, isGroup, isNumber, type Rule } from "./inputs.ts";
import { folded, includes } from "./texts.ts";

/** Whether conditions apply, and the first rule that did not, so that people see why. */
export type Outcome = { applies: true } | { applies: false; failed: FailedRule };

export type FailedRule = {
  /** JSON pointer of the rule in the conditions. A group with `any` of which no rule applies is named itself. */
  path: string;
  message: string;
};

/**
 * The failed rule in words for readers who see only some of the conditions' values.
 * @param seen the same conditions, as they see them
 */
export function messageFor(failed: FailedRule, seen: Group, facts: Facts): string {
  const places = failed.path.split("/rules/").slice(1).map(Number);
  const rule = places.reduce<Condition>((group, place) => (group as Group).rules[place]!, seen);
  return isGroup(rule) ? failed.message : reasonOf(rule, facts);
}

const APPLIES: Outcome = { applies: true };

/** Evaluates conditions. Texts are compared without regard to case. */
export const evaluate = (conditions: Group | null, facts: Facts): Outcome =>
  conditions === null ? APPLIES : outcomeOf(conditions, facts, "");

function outcomeOf(condition: Condition, facts: Facts, path: string): Outcome {
  if (!isGroup(condition)) {
    return appliesTo(condition, facts) ? APPLIES : { applies: false, failed: failureOf(condition, facts, path) };
  }
  const { match, rules } = condition;
  if (rules.length === 0) return APPLIES;
  let first: Outcome | null = null;
  for (const [n, rule] of rules.entries()) {
    const outcome = outcomeOf(rule, facts, `${path}/rules/${n}`);
    if (match === "any" ? outcome.applies : !outcome.applies) return outcome;
    first ??= outcome;
  }
  if (match === "all") return APPLIES;
  return rules.length === 1 ? first! : { applies: false, failed: { path, message: "None of the rules applies." } };
}

/** The message is made only for those who read it: most automations do not apply to most events. */
const failureOf = (rule: Rule, facts: Facts, path: string): FailedRule => ({
  path,
  get message() {
    return reasonOf(rule, facts);
  },
});

const MAX_SHOWN = 100;

function reasonOf({ field, op, value }: Rule, facts: Facts): string {
  if (op === "changed") return `${field} did not change.`;
  const actual = textsOf(field, facts);
  const shown = actual.length === 0 ? "is empty" : `is ${shorten(actual.join(", "))}`;
  const wanted = value === undefined ? "" : ` ${shorten([value].flat().join(", "))}`;
  return `${field} ${shown}. Wanted: ${op}${wanted}.`;
}

const shorten = (text: string) => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);

function appliesTo(rule: Rule, facts: Facts): boolean {
  const { field, op } = rule;
  const texts = foldedTextsOf(field, facts);
  const wanted = wantedOf(rule);
  const isOne = () =>
    wanted.some((one) => texts.includes(one) || (isNumber(one) && texts.some((text) => isSameNumber(text, one))));
  const contains = () => texts.some((text) => includes(text, wanted[0] ?? ""));
  switch (op) {
    case "is":
    case "is_one_of":
      return isOne();
    case "is_not":
    case "is_not_one_of":
      return !isOne();
    case "contains":
      return contains();
    case "not_contains":
      return !contains();
    case "is_set":
      return texts.length > 0;
    case "is_empty":
      return texts.length === 0;
    case "changed":
      return facts.changed(field);
    default:
      return isOrdered(op, kindOfField(field) === "date", texts[0], wanted[0]);
  }
}

/** An event meets hundreds of rules, and a rule many events. So the texts of both are folded once. */
const foldedFacts = new WeakMap<Facts, Map<string, readonly string[]>>();
const foldedValues = new WeakMap<Rule, readonly string[]>();

function foldedTextsOf(field: string, facts: Facts): readonly string[] {
  const known = foldedFacts.get(facts) ?? new Map<string, readonly string[]>();
  foldedFacts.set(facts, known);
  const texts = known.get(field) ?? textsOf(field, facts).map(folded);
  known.set(field, texts);
  return texts;
}

function wantedOf(rule: Rule): readonly string[] {
  const known = foldedValues.get(rule);
  if (known) return known;
  const values = rule.value === undefined ? [] : [rule.value].flat();
  const wanted = values.map((one) => canonical(rule.field, folded(String(one))));
  foldedValues.set(rule, wanted);
  return wanted;
}

/** Other spellings of categories and priorities. */
const SYNONYMS: Record<string, Record<string, string>> = {
  status: CATEGORY_SYNONYMS,
  from_status: CATEGORY_SYNONYMS,
  to_status: CATEGORY_SYNONYMS,
  priority: PRIORITY_SYNONYMS,
};

const canonical = (field: string, text: string): string => own(own(SYNONYMS, field) ?? {}, text) ?? text;

const isSameNumber = (text: string, wanted: string) =>
  isNumber(text) && isNumber(wanted) && Number(text) === Number(wanted);

type Comparison = "gt" | "gte" | "lt" | "lte";

/** Compares numbers or dates. An empty field, and values that are neither, are in no order. */
function isOrdered(op: Comparison, areDates: boolean, actual: string | undefined, wanted: string | undefined): boolean {
  if (actual === undefined || wanted === undefined) return false;
  const [a, b] =
    !areDates && isNumber(actual) && isNumber(wanted)
      ? [Number(actual), Number(wanted)]
      : [timeOf(actual), timeOf(wanted)];
  if (Number.isNaN(a) || Number.isNaN(b)) return false;
  if (op === "gt") return a > b;
  if (op === "gte") return a >= b;
  return op === "lt" ? a < b : a <= b;
}

const timeOf = (text: string): number => Date.parse(readInstant(text.toUpperCase()) ?? "");

/** The texts of a field's value. None if it is empty. */
function textsOf(field: string, facts: Facts): readonly string[] {
  const custom = customFieldOf(field);
  if (!custom) return own(facts.named, field as FieldName) ?? [];
  const value = own(facts.custom, custom);
  return value === undefined || value === null ? [] : [value].flat().map(String);
}
