import { expect, test } from "vitest";
import { evaluate } from "../../src/domain/automation/conditions/evaluate.ts";
import { type FactsOfEvent, factsOf } from "../../src/domain/automation/conditions/facts.ts";
import { Conditions, type Group } from "../../src/domain/automation/conditions/inputs.ts";
import type { IssueView } from "../../src/domain/work/issues/view.ts";

const issue = {
  project_id: "P1",
  project_key: "WEB",
  type: "bug",
  title: "Login fails",
  description_md: "",
  status: "in_progress",
  status_id: "S1",
  status_name: "Done",
  priority: "critical",
  assignees: ["U1", "U2"],
  reporter_id: "U3",
  parent_id: null,
  parent_key: null,
  milestone_id: null,
  sprint_id: "SP1",
  release_id: null,
  labels: [{ id: "L1", name: "Größe" }],
  estimate_minutes: null,
  story_points: 0,
  due_at: "2026-03-10T00:00:00.000Z",
  custom_fields: { F1: "10", F2: ["a", "b"], F3: "2026-03-01", F4: false },
} as unknown as IssueView;

const event = {
  actor_kind: "agent",
  actor_id: "U9",
  previous: { status: "todo", status_id: "S0", status_name: "To Do" },
};
const applies = (rule: object, of: FactsOfEvent | null = event as FactsOfEvent) =>
  evaluate(Conditions.parse({ match: "all", rules: [rule] }) as Group, factsOf(issue, of)).applies;

const TRUE: [field: string, op: string, value?: unknown][] = [
  ["project", "is", "web"],
  ["project", "is_one_of", ["OPS", "P1"]],
  ["type", "is_not", "task"],
  ["priority", "is", "urgent"],
  ["status", "is", "started"],
  ["status", "is", "S1"],
  ["status", "is_not", "done"],
  ["from_status", "is", "to do"],
  ["to_status", "is", "in_progress"],
  ["assignee", "is", "U2"],
  ["assignee", "is_not_one_of", ["U4"]],
  ["label", "is", "GRÖSSE".replace("SS", "ß")],
  ["label", "contains", "röß"],
  ["title", "contains", "LOGIN"],
  ["title", "not_contains", "logout"],
  ["milestone", "is_empty"],
  ["milestone", "is_not", "M1"],
  ["description", "is_empty"],
  ["sprint", "is_set"],
  ["estimate", "lt", 1],
  ["estimate", "is", "0.0"],
  ["estimate", "is_set"],
  ["due_at", "gte", "2026-03-10"],
  ["due_at", "lt", "2026-03-10T01:00:00+00:30"],
  ["custom_field:F1", "gt", "9"],
  ["custom_field:F2", "is", "b"],
  ["custom_field:F3", "lte", "2026-03-01"],
  ["custom_field:F4", "is", false],
  ["custom_field:F9", "is_empty"],
  ["actor_kind", "is", "agent"],
  ["status", "changed"],
];

test.each(TRUE)("%s %s %j applies", (field, op, value) => expect(applies({ field, op, value })).toBe(true));

const FALSE: [field: string, op: string, value?: unknown][] = [
  ["status", "is", "done"],
  ["milestone", "contains", "M"],
  ["label", "is_not", "L1"],
  ["custom_field:F9", "lt", 5],
  ["custom_field:F2", "gt", 5],
  ["priority", "changed"],
  ["title", "is", "Login"],
];

test.each(FALSE)("%s %s %j does not apply", (field, op, value) => expect(applies({ field, op, value })).toBe(false));

test("without an event, nothing has changed and nobody acts", () => {
  expect(applies({ field: "status", op: "changed" }, null)).toBe(false);
  expect(applies({ field: "from_status", op: "is_empty" }, null)).toBe(true);
  expect(applies({ field: "actor_id", op: "is_not", value: "U9" }, null)).toBe(true);
});

test("groups apply as a whole, and the first rule that does not is named", () => {
  const yes = { field: "type", op: "is", value: "bug" };
  const no = { field: "priority", op: "is", value: "low" };
  const outcome = (tree: object) => evaluate(Conditions.parse(tree) as Group, factsOf(issue, null));
  expect(outcome({ match: "any", rules: [no, { match: "all", rules: [yes, yes] }] })).toEqual({ applies: true });
  expect(outcome({ match: "all", rules: [] })).toEqual({ applies: true });
  expect(outcome({ match: "any", rules: [] })).toEqual({ applies: true });
  expect(outcome({ match: "all", rules: [yes, { match: "all", rules: [yes, no] }] })).toEqual({
    applies: false,
    failed: { path: "/rules/1/rules/1", message: "priority is critical. Wanted: is low." },
  });
  expect(outcome({ match: "all", rules: [{ match: "any", rules: [no, no] }] })).toEqual({
    applies: false,
    failed: { path: "/rules/0", message: "None of the rules applies." },
  });
  expect(evaluate(null, factsOf(issue, null))).toEqual({ applies: true });
});

const INVALID: [rule: object, path: string][] = [
  [{ field: "colour", op: "is", value: "red" }, "field"],
  [{ field: "constructor", op: "is", value: "red" }, "field"],
  [{ field: "custom_field:", op: "is_set" }, "field"],
  [{ field: "title", op: "gt", value: 5 }, "op"],
  [{ field: "estimate", op: "contains", value: "5" }, "op"],
  [{ field: "estimate", op: "gt", value: "five" }, "value"],
  [{ field: "due_at", op: "lt", value: "tomorrow" }, "value"],
  [{ field: "title", op: "is" }, "value"],
  [{ field: "title", op: "is", value: ["a"] }, "value"],
  [{ field: "title", op: "is_one_of", value: "a" }, "value"],
  [{ field: "title", op: "is_set", value: "a" }, "value"],
];

test.each(INVALID)("%j is rejected", (rule, path) => {
  const { error } = Conditions.safeParse({ match: "all", rules: [rule] });
  expect(JSON.stringify(error?.issues)).toContain(`"${path}"`);
});

test("conditions have at most three levels and twenty rules", () => {
  const rule = { field: "title", op: "is_set" };
  const group = (...rules: object[]) => ({ match: "all", rules });
  const many = (count: number) => Array.from({ length: count }, () => rule);
  expect(Conditions.safeParse(group(group(group(rule)))).success).toBe(true);
  expect(Conditions.safeParse(group(group(group(group(rule))))).success).toBe(false);
  expect(Conditions.safeParse(group(group(...many(10)), group(...many(10)))).success).toBe(true);
  expect(Conditions.safeParse(group(group(...many(10)), group(...many(10)), rule)).success).toBe(false);
  expect(Conditions.safeParse(group(...many(11))).success).toBe(false);
});

test("long texts and long values are compared in little time", () => {
  const hostile: [string, string][] = [
    ["ab".repeat(32_000), `${"ba".repeat(120)}c${"ab".repeat(125)}`],
    ["ab".repeat(32_000), `${"ab".repeat(125)}c${"ab".repeat(120)}`],
    ["ab".repeat(32_000), `${"ba".repeat(45)}c${"ab".repeat(200)}`],
    ["ab".repeat(32_000), `${"ab".repeat(49)}c`],
    [`a${"\u0301\u0316".repeat(32_000)}`, "\u0301".repeat(500)],
  ];
  for (const [description_md, value] of hostile) {
    const rule = { field: "description", op: "contains" as const, value };
    const conditions: Group = { match: "any", rules: Array.from({ length: 10 }, () => ({ ...rule })) };
    const times = [1, 2, 3, 4, 5].map(() => {
      const start = performance.now();
      expect(evaluate(conditions, factsOf({ ...issue, description_md }, null)).applies).toBe(false);
      return performance.now() - start;
    });
    expect(Math.min(...times), value).toBeLessThan(50);
  }
});

test("a text contains a long value wherever it stands, and in either spelling of a letter", () => {
  const value = `${"ab".repeat(150)}c${"ab".repeat(75)}`;
  const applies = (description_md: string, wanted: string) =>
    evaluate(
      { match: "all", rules: [{ field: "description", op: "contains", value: wanted }] },
      factsOf({ ...issue, description_md }, null),
    ).applies;
  expect(applies(`${"ab".repeat(400)}${value}${"x".repeat(400)}`, value)).toBe(true);
  expect(applies(value.toUpperCase(), value)).toBe(true);
  expect(applies(`${"ab".repeat(400)}${value.slice(0, -1)}`, value)).toBe(false);
  for (let before = 90; before < 110; before++)
    expect(applies(`${"x".repeat(before)}Cafe\u0301`, "caf\u00e9")).toBe(true);
});
