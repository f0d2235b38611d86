import { z } from "zod";
import { inputPart } from "../../kernel/described.ts";
import { choice, readInstant } from "../../kernel/wire.ts";
import { aboutGroup, aboutRule } from "./descriptions.ts";
import { FIELD_NAMES, kindOfField, OPERATORS, takes, WITH_LIST, WITHOUT_VALUE } from "./fields.ts";

/** Conditions of automations and workflows: a tree of at most three levels and twenty rules. */

const MAX_RULES = 10;
const MAX_LEAVES = 20;

const scalar = z.union([z.string().max(500), z.number(), z.boolean()]);

const Rule = inputPart(aboutRule, {
  field: z.string().min(1).max(100),
  op: choice(OPERATORS),
  value: z.union([scalar, z.array(z.union([z.string().max(100), z.number()])).max(50)]).optional(),
}).superRefine((rule, ctx) => {
  for (const [path, message] of problemsOf(rule)) {
    ctx.addIssue({ code: "custom", path: [path], message, params: { code: "not_allowed" } });
  }
});
export type Rule = z.output<typeof Rule>;

const match = choice(["all", "any"]);
const group = <Child extends z.ZodType>(child: Child) =>
  inputPart(aboutGroup, { match, rules: z.array(child).max(MAX_RULES) });

const Inner = group(Rule);
const Middle = group(z.union([Rule, Inner]));

export const Conditions = group(z.union([Rule, Middle])).refine((tree) => leavesOf(tree) <= MAX_LEAVES, {
  path: ["rules"],
  message: `must have at most ${MAX_LEAVES} rules in all`,
  params: { code: "too_long" },
});

/** A rule, or rules of which all or any must apply. A group without rules always applies. */
export type Group = { match: "all" | "any"; rules: Condition[] };
export type Condition = Rule | Group;

export const isGroup = (condition: Condition): condition is Group => "rules" in condition;

const leavesOf = (tree: Condition): number =>
  isGroup(tree) ? tree.rules.reduce((sum, child) => sum + leavesOf(child), 0) : 1;

function* problemsOf({ field, op, value }: Rule): Generator<["field" | "op" | "value", string]> {
  const kind = kindOfField(field);
  if (!kind) {
    yield ["field", `must be one of ${FIELD_NAMES.join(", ")}, or custom_field: and the field's id`];
    return;
  }
  if (!takes(kind, op)) yield ["op", `is not possible for ${field}`];
  if (WITHOUT_VALUE.includes(op)) {
    if (value !== undefined) yield ["value", `must be left out with ${op}`];
  } else if (value === undefined || value === "") yield ["value", `is required with ${op}`];
  else if (WITH_LIST.includes(op) !== Array.isArray(value)) {
    yield ["value", WITH_LIST.includes(op) ? `must be a list with ${op}` : `must not be a list with ${op}`];
  } else if (kind === "number" && [value].flat().some((one) => !isNumber(one))) yield ["value", "must be a number"];
  else if (kind === "date" && [value].flat().some((one) => readInstant(String(one)) === null)) {
    yield ["value", "must be a date or a date-time with offset"];
  }
}

/** Numbers may be written as text. */
export const isNumber = (value: unknown): boolean =>
  typeof value === "number" || (typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value)));
