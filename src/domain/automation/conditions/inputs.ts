import { z } from "zod";
import { inputPart } from "../../kernel/described.ts";
import { choice, readInstant } from "../../kernel/wire.ts";
import { aboutGroup, aboutRule } from "./descriptions.ts";
import {
  CONTAINS,
  FIELD_NAMES,
  isValueOf,
  kindOfField,
  OPERATORS,
  type Operator,
  takes,
  valuesOfField,
  WITH_LIST,
  WITHOUT_VALUE,
} from "./fields.ts";

/** Conditions of automations and workflows: a tree of at most three levels and twenty rules. */

const MAX_RULES = 10;
const MAX_LEAVES = 20;

const scalar = z.union([z.string().max(500), z.number(), z.boolean()]);
const value = z.union([scalar, z.array(z.union([z.string().max(100), z.number()])).max(50)]);
const match = choice(["all", "any"]);

const comparison = {
  field: z.string().min(1).max(100).optional(),
  op: choice(OPERATORS).optional(),
  value: value.optional(),
};

/** A rule at the lowest level. */
const Leaf = inputPart(aboutRule, comparison).superRefine(checkRule);

/** A rule, or a group of such children. */
const ruleOr = <Child extends z.ZodType>(child: Child) =>
  inputPart(
    { ...aboutRule, ...aboutGroup },
    { ...comparison, match: match.optional(), rules: z.array(child).max(MAX_RULES).optional() },
  ).superRefine((given, ctx) => {
    if (given.match === undefined && given.rules === undefined) return checkRule(given, ctx);
    for (const name of ["match", "rules"] as const)
      if (given[name] === undefined) report(ctx, name, "required", "is required");
    for (const name of ["field", "op", "value"] as const) {
      if (given[name] !== undefined) report(ctx, name, "not_allowed", "must be left out in a group");
    }
  });

/** A tree of at most twenty rules. */
const bounded = <Tree extends z.ZodType>(tree: Tree) =>
  tree
    .refine((given) => leavesOf(given as Group) <= MAX_LEAVES, {
      path: ["rules"],
      message: `must have at most ${MAX_LEAVES} rules in all`,
      params: { code: "too_many_items" },
    })
    // Checked above, which zod's types do not show.
    .transform((given) => given as Group);

const rules = z.array(ruleOr(ruleOr(Leaf))).max(MAX_RULES);

export const Conditions = bounded(inputPart(aboutGroup, { match, rules }));

/** As `Conditions`. Fields that are left out make a group without rules, which always applies. */
export const OptionalConditions = bounded(
  inputPart(aboutGroup, { match: match.default("all"), rules: rules.default([]) }),
);

export type Rule = { field: string; op: Operator; value?: z.output<typeof value> | undefined };
/** Rules of which all or any must apply. A group without rules always applies. */
export type Group = { match: "all" | "any"; rules: Condition[] };
export type Condition = Rule | Group;

export const isGroup = (condition: Condition): condition is Group =>
  "rules" in condition && condition.rules !== undefined;

const leavesOf = (tree: Condition): number =>
  isGroup(tree) ? tree.rules.reduce((sum, child) => sum + leavesOf(child), 0) : 1;

type Checking = {
  addIssue(issue: { code: "custom"; path: string[]; message: string; params: { code: string } }): void;
};

const report = (ctx: Checking, field: string, code: string, message: string) =>
  ctx.addIssue({ code: "custom", path: [field], message, params: { code } });

function checkRule({ field, op, value }: { [Name in keyof Rule]?: Rule[Name] | undefined }, ctx: Checking): void {
  if (field === undefined) report(ctx, "field", "required", "is required");
  if (op === undefined) report(ctx, "op", "required", "is required");
  if (field === undefined || op === undefined) return;
  for (const [name, message] of problemsOf({ field, op, value })) {
    report(ctx, name, message.startsWith("is required") ? "required" : "not_allowed", message);
  }
}

function* problemsOf({ field, op, value }: Rule): Generator<["field" | "op" | "value", string]> {
  const kind = kindOfField(field);
  if (!kind) {
    yield ["field", `must be one of ${FIELD_NAMES.join(", ")}, or custom_field: and the field's id`];
    return;
  }
  if (!takes(kind, op)) {
    const possible = OPERATORS.filter((one) => takes(kind, one));
    yield ["op", `must be one of ${possible.join(", ")} for ${field}`];
  }
  if (WITHOUT_VALUE.includes(op)) {
    if (value !== undefined) yield ["value", `must be left out with ${op}`];
  } else if (value === undefined || value === "") yield ["value", `is required with ${op}`];
  else if (WITH_LIST.includes(op) !== Array.isArray(value)) {
    yield ["value", WITH_LIST.includes(op) ? `must be a list with ${op}` : `must not be a list with ${op}`];
  } else if (kind === "number" && [value].flat().some((one) => !isNumber(one))) yield ["value", "must be a number"];
  else if (kind === "date" && [value].flat().some((one) => readInstant(String(one)) === null)) {
    yield ["value", "must be a date or a date-time with offset"];
  } else if (valuesOfField(field) && !CONTAINS.includes(op) && [value].flat().some((one) => !isValueOf(field, one))) {
    yield ["value", `must be one of ${valuesOfField(field)!.join(", ")} for ${field}`];
  }
}

/** Numbers may be written as text. */
export const isNumber = (value: unknown): boolean =>
  typeof value === "number" || (typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value)));
