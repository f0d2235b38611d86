import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openApiDocument } from "../../src/api/openapi/document.ts";
import type { Json } from "../../src/api/openapi/schemas.ts";
import { operations } from "../../src/api/operations/index.ts";
import { asJson, asMarkdown, explained } from "../../src/api/pages/problem-text.ts";
import { ERRORS } from "../../src/domain/error-catalogue.ts";
import { defineErrors, type ErrorDefinition, invalid } from "../../src/domain/kernel/define-errors.ts";
import { refuse } from "../../src/domain/kernel/errors.ts";

const DOMAIN = fileURLToPath(new URL("../../src/domain", import.meta.url));
const BASE = "https://muster.test";
const codes = ERRORS.map(({ code }) => code);

test("the catalogue has the errors of every subject, each code once", async () => {
  const files = readdirSync(DOMAIN, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith("/errors.ts") && file !== "kernel/errors.ts",
  );
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    const exported: Record<string, Record<string, ErrorDefinition>> = await import(`${DOMAIN}/${file}`);
    const defined = Object.values(exported).flatMap((errors) => Object.values(errors));
    expect(defined, file).not.toEqual([]);
    expect(ERRORS, file).toEqual(expect.arrayContaining(defined));
  }
  expect(new Set(codes).size).toBe(codes.length);
});

test("the API description lists every code, with the replies that carry it", () => {
  const { schemas, responses } = openApiDocument(operations, "https://muster.test").components as {
    schemas: Record<"Problem", { properties: Record<string, Json> }>;
    responses: Record<string, { description: string }>;
  };
  expect(schemas.Problem.properties.code?.examples).toEqual(codes);
  const described = Object.values(responses).map((reply) => reply.description);
  // A path that is described is never called with a method that it does not have.
  for (const { code, status } of ERRORS.filter(({ status }) => status !== 405)) {
    expect(
      described.filter((text) => text.includes(`\`${code}\``)),
      `${code} (${status})`,
    ).toHaveLength(1);
  }
});

test("every code has a page that explains it, with an example", () => {
  const all = explained(operations, BASE);
  for (const { code, status, title, cause, fix } of ERRORS) {
    const text = asMarkdown(all.get(code)!, BASE);
    for (const part of [`# ${title} (HTTP ${status})\n`, `\n\n${cause}\n\n`, `\n\n${fix}\n\n`])
      expect(text).toContain(part);
    const { example } = asJson(all.get(code)!, BASE);
    expect(example, code).toMatchObject({ code, status, title });
    // What is wrong with a field goes on after its name, and has no full stop.
    expect(example.detail, code).toMatch(/[.?]$|^title is required$/);
    expect(example.type, code).toMatch(/^https:\/\/(muster\.test|paymentauth\.org)\/problems\/[\w-]+$/);
  }
});

test("every code says its cause and what to do next, in sentences", () => {
  for (const { code, cause, fix, text } of ERRORS) {
    expect(cause, code).toMatch(/^[A-Z].+\.$/);
    expect(fix, code).toMatch(/^[A-Z/].+\.$/);
    expect(text, code).toBe(`${cause} ${fix}`);
  }
});

test("idempotency_key_reused says when to use a new key, and when the old one", () => {
  const { fix } = ERRORS.find(({ code }) => code === "idempotency_key_reused")!;
  expect(fix).toContain("new key");
  expect(fix).toContain("old key");
});

test("a code that nobody defines does not compile", () => {
  const errors = defineErrors({ too_late: invalid("Too late", "This is over.", "Begin again.") });
  expect(() => refuse(errors.too_late)).toThrow("This is over. Begin again.");
  // @ts-expect-error a misspelt error of a subject
  expect(() => refuse(errors.too_lat)).toThrow();
  // @ts-expect-error a misspelt general error
  expect(() => refuse("not_fuond")).toThrow();
});
