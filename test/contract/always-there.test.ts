import { expect, test } from "vitest";
import { openApiDocument } from "../../src/api/openapi/document.ts";
import { operations } from "../../src/api/operations/index.ts";
import { world } from "../support/world.ts";

/** Fields without a value are `null`, never absent. Replies are checked against these schemas before they are sent. */

/** The fields that may be absent, and why. */
const ABSENT: [RegExp, string][] = [
  [/\.warnings$/, "stands beside data only if there is something to say"],
  [/^(ProblemError|FieldError|Warning)\./, "each error and warning has its own details"],
  [/\.email$/, "guests do not see e-mail addresses"],
  [/\.body_json$/, "may be any JSON, also null, so absence says that there is none"],
  [/^Automation\.trigger_config\./, "each trigger has its own parameters, as they were sent"],
  [/^Report\.params\./, "each report takes its own parameters, and shows those that it used"],
  [/^Conditions\./, "rules and groups are returned as they were sent"],
  [/^WebhookMessage\.(previous|changed|truncated)$/, "belong to some messages only"],
];

// biome-ignore lint/suspicious/noExplicitAny: a JSON schema
type Schema = any;

/** Paths of all optional fields of the replies and webhook messages of the API description. */
function optionalFields(): string[] {
  const document: Schema = openApiDocument(operations, "https://muster.test");
  const found = new Set<string>();
  const seen = new Set<string>();
  const walk = (schema: Schema, at: string): void => {
    if (typeof schema !== "object" || schema === null) return;
    if (schema.$ref) {
      const name = schema.$ref.split("/").pop();
      if (seen.has(name)) return;
      seen.add(name);
      walk(document.components.schemas[name], name);
      return;
    }
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      if (!schema.required?.includes(name)) found.add(`${at}.${name}`);
      walk(field, `${at}.${name}`);
    }
    walk(schema.items, at);
    walk(schema.additionalProperties, at);
    for (const option of [schema.anyOf, schema.oneOf, schema.allOf].flat()) walk(option, at);
  };
  const json = (message: Schema) => message?.content?.["application/json"]?.schema;
  for (const operation of Object.values<Schema>(document.paths).flatMap(Object.values<Schema>)) {
    for (const reply of Object.values<Schema>(operation.responses ?? {})) walk(json(reply), operation.operationId);
  }
  for (const [name, { post }] of Object.entries<Schema>(document.webhooks ?? {})) walk(json(post.requestBody), name);
  return [...found];
}

test("no field of a reply or an event is optional, except those that may be absent for a reason", () => {
  const fields = optionalFields();
  expect(fields.filter((field) => !ABSENT.some(([pattern]) => pattern.test(field)))).toEqual([]);
  for (const [pattern, reason] of ABSENT)
    expect(
      fields.some((field) => pattern.test(field)),
      reason,
    ).toBe(true);
});

test("the cause of a line of history has all its fields, and null for those that there were not", async () => {
  const { owner } = await world();
  const { data: issue } = await owner.post("P/issues", { title: "x" }).expect(201);
  await owner.patch(`P/issues/${issue.key}`, { title: "y" }).expect(200);
  const { data } = await owner.get(`P/issues/${issue.key}/activity`).expect(200);
  expect(data).toHaveLength(2);
  for (const { payload } of data) {
    expect(payload.cause).toEqual({
      key_id: expect.any(String),
      session_id: null,
      automation_id: null,
      workflow_run_id: null,
      request_id: expect.any(String),
    });
  }
});

test("a line of history has its field, values and names, and null for those that there were not", async () => {
  const { owner } = await world();
  const { data: issue } = await owner.post("P/issues", { title: "x" }).expect(201);
  await owner.patch(`P/issues/${issue.key}`, { title: "y", assignee: "me", description_md: "z" }).expect(200);
  await owner.post(`P/issues/${issue.key}/comments`, { body_md: "z" }).expect(201);
  const { data } = await owner.get(`P/issues/${issue.key}/activity`).expect(200);
  const lines = data.map(
    ({
      kind,
      payload: { cause, comment_id, ...payload },
    }: {
      kind: string;
      payload: object & Record<string, unknown>;
    }) => ({ kind, ...payload }),
  );
  const none = { field: null, from: null, to: null, from_name: null, to_name: null };
  expect(lines).toEqual(
    expect.arrayContaining([
      { ...none, kind: "created" },
      { ...none, kind: "commented" },
      { ...none, kind: "updated", field: "title", from: "x", to: "y" },
      { ...none, kind: "updated", field: "description_md" },
      { ...none, kind: "assigned", field: "assignees", to: [owner.userId], to_name: expect.any(String) },
    ]),
  );
});
