import { z } from "zod";
import { part } from "../../kernel/described.ts";
import { aboutGroup, aboutRule } from "./descriptions.ts";
import { OPERATORS } from "./fields.ts";

/** Conditions as replies show them: as they were sent. */

const scalar = z.union([z.string(), z.number(), z.boolean()]);

const comparison = {
  field: z.string().optional(),
  op: z.enum(OPERATORS).optional(),
  value: z.union([scalar, z.array(z.union([z.string(), z.number()]))]).optional(),
};
const match = z.enum(["all", "any"]);

const ruleOr = <Child extends z.ZodType>(child: Child) =>
  part({ ...aboutRule, ...aboutGroup }, { ...comparison, match: match.optional(), rules: z.array(child).optional() });

const Leaf = part(aboutRule, comparison);

export const ConditionsView = part(aboutGroup, { match, rules: z.array(ruleOr(ruleOr(Leaf))) }).meta({
  id: "Conditions",
});
