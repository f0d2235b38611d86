import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { openApiDocument } from "../../src/api/openapi/document.ts";
import { operationIdOf } from "../../src/api/openapi/operation-id.ts";
import type { Json } from "../../src/api/openapi/schemas.ts";
import { operations } from "../../src/api/operations/index.ts";
import { WEBHOOK_EVENTS } from "../../src/domain/webhook-events.ts";
import { undocumentedMessage } from "./conformance.ts";
import { DESCRIPTION, pinPath } from "./pins.ts";

const document = openApiDocument(operations, "https://muster.test");
const calls = Object.values(document.paths as Record<string, Record<string, Json>>).flatMap(Object.values);

test("redocly finds no error in the document", async () => {
  const cli = join(dirname(createRequire(import.meta.url).resolve("@redocly/cli/package.json")), "bin/cli.js");
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const lint = promisify(execFile)(process.execPath, [cli, "lint", "--format=json", pinPath(DESCRIPTION)], { env });
  const { stdout } = await lint.catch((error: { stdout: string; stderr: string }) => error);
  expect(JSON.parse(stdout).totals, stdout).toEqual({ errors: 0, warnings: 0, ignored: 0 });
});

test("every operation is described once, with its scope and all its errors", () => {
  expect(calls.map((call) => call.operationId).sort()).toEqual(operations.map(operationIdOf).sort());
  for (const operation of operations) {
    const { id, scope, writes } = operation;
    const call = calls.find(({ operationId }) => operationId === operationIdOf(operation)) as Json;
    expect(call["x-required-scope"], id).toBe(scope ?? undefined);
    const needed = scope ? [scope] : [];
    expect(call.security, id).toEqual([{ bearer: needed }, { apiKey: needed }, { oauth2: needed }]);
    const statuses = ["400", "401", "429", "500", "503", ...(scope ? ["403"] : []), ...(writes ? ["409"] : [])];
    expect(Object.keys(call.responses as Json), id).toEqual(expect.arrayContaining(statuses));
  }
});

test("operations on objects inside others are named by what they do, and to what", () => {
  const named = (id: string) => operationIdOf(operations.find((operation) => operation.id === id)!);
  expect(named("webhooks.deliveries")).toBe("listWebhookDeliveries");
  expect(named("webhooks.deliveries.get")).toBe("getWebhookDelivery");
  expect(named("webhooks.deliveries.retry")).toBe("retryWebhookDelivery");
});

test("what an operation returns besides JSON is described with its media types", () => {
  const returning = operations.filter(({ downloads }) => downloads);
  expect(returning.map(({ shape }) => shape)).toEqual(expect.arrayContaining(["one", "list"]));
  for (const operation of returning) {
    const call = calls.find(({ operationId }) => operationId === operationIdOf(operation)) as Json;
    const { content } = (call.responses as Record<string, { content: Json }>)["200"]!;
    const types = operation.downloads!.map((type) => type.split(";")[0]);
    expect(Object.keys(content), operation.id).toEqual(["application/json", ...types]);
  }
});

test("a parameter in a path is described by the resource before it", () => {
  const described = (method: string, path: string) => {
    const { parameters } = (document.paths as Record<string, Record<string, { parameters: Json[] }>>)[path]![method]!;
    return parameters.flatMap((one) => (one.in === "path" ? [one.description] : []));
  };
  expect(described("patch", "/v1/workspaces/{slug}/docs/{id}/comments/{commentId}")).toEqual([
    "Id of the doc.",
    "Id of the comment.",
  ]);
  expect(described("patch", "/v1/workspaces/{slug}/goals/{goalId}/key-results/{id}")).toEqual([
    "Id of the goal.",
    "Id of the key result.",
  ]);
  expect(described("delete", "/v1/workspaces/{slug}/portfolios/{portfolioId}/projects/{projectId}")).toEqual([
    "Id of the portfolio.",
    "Id, key or slug of the project.",
  ]);
});

test("a stream that resumes takes the header Last-Event-ID", () => {
  const { paths, components } = document as { paths: Record<string, Json>; components: Record<string, Json> };
  const header = { $ref: "#/components/parameters/LastEventId" };
  const taking = Object.entries(paths).filter(([, path]) => JSON.stringify(path).includes(JSON.stringify(header)));
  expect(taking.map(([path]) => path)).toEqual(["/v1/workspaces/{slug}/agent-events"]);
  expect(components).toMatchObject({ parameters: { LastEventId: { in: "header", name: "Last-Event-ID" } } });
});

test("operation ids are unique, in camelCase, and the same as in the payment documents", () => {
  const ids = calls.map(({ operationId }) => operationId as string);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[a-z]+([A-Z][a-z]+)+$/.test(id))).toEqual([]);
  expect(ids).toEqual(
    expect.arrayContaining(["buyCreditsSmall", "buyCreditsMedium", "buyCreditsLarge", "buyCreditsCustom"]),
  );
  expect(ids).toEqual(expect.arrayContaining(["createIssue", "bulkCreateIssues", "listIssueActivity", "deleteStatus"]));
});

test("generated types let callers leave out every field that has a default", () => {
  // openapi-typescript makes a property with `default` required, if the schema is a component.
  const inputs = operations.flatMap(({ body }) => (body?.meta()?.id ? [body.meta()!.id as string] : []));
  const schemas = (document.components as { schemas: Json }).schemas;
  expect(inputs.filter((name) => JSON.stringify(schemas[name]).includes('"default":'))).toEqual([]);
  expect((schemas.IssueCreateInput as Json).required).toEqual(["title"]);
});

test("every event that webhooks get is described, with a valid example", () => {
  const webhooks = document.webhooks as Record<string, { post: Json }>;
  expect(Object.keys(webhooks)).toEqual(WEBHOOK_EVENTS.map(({ name }) => name));
  for (const { name, view } of WEBHOOK_EVENTS) {
    const { content } = webhooks[name]!.post.requestBody as { content: Record<string, Json> };
    const { schema, example } = content["application/json"] as {
      schema: { allOf: [Json, { properties: { data: Json } }] };
      example: { type: string; data: Json };
    };
    expect(schema.allOf[1].properties.data, name).toEqual({ $ref: expect.stringMatching(/^#\/components\/schemas\//) });
    expect(undocumentedMessage(example)).toEqual([]);
    expect(view.parse(example.data), name).toEqual(example.data);
  }
});

test("event_types lists the known values and stays open for new ones", async () => {
  const { EventSubscription } = (document.components as { schemas: Record<string, Json> }).schemas;
  const [known, open] = EventSubscription!.anyOf as [{ enum: string[] }, Json];
  expect(known.enum).toEqual(expect.arrayContaining(["*", "issue.*", "issue.link.*", "issue.created", "goal.created"]));
  expect(known.enum).not.toContain("mail.written");
  expect(open).toEqual({ type: "string", maxLength: 100 });
  const { schemas } = document.components as { schemas: Record<string, { properties: Record<string, Json> }> };
  for (const name of ["WebhookCreateInput", "WebhookPatchInput", "Webhook"]) {
    expect(schemas[name]!.properties.event_types).toMatchObject({
      items: { $ref: "#/components/schemas/EventSubscription" },
    });
  }
});

test("every group of operations has a description, and is in a chapter", () => {
  const tags = document.tags as { name: string; description?: string }[];
  expect(tags.filter(({ description }) => !description)).toEqual([]);
  const chapters = document["x-tagGroups"] as { tags: string[] }[];
  expect(chapters.flatMap((chapter) => chapter.tags).sort()).toEqual(tags.map(({ name }) => name).sort());
});

test("references can be resolved", () => {
  const lost = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)]
    .map(([, path]) => path as string)
    .filter(
      (path) => path.split("/").reduce<unknown>((at, step) => (at as Json | undefined)?.[step], document) === undefined,
    );
  expect(lost).toEqual([]);
});
