import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Document } from "../../clients/typescript/generate/document.ts";
import { generated, generatedPath } from "../../clients/typescript/generate/main.ts";
import { groupName, methodName } from "../../clients/typescript/generate/names.ts";
import { Muster } from "../../clients/typescript/src/index.ts";
import { operationIdOf } from "../../src/api/openapi/operation-id.ts";
import { operations } from "../../src/api/operations/index.ts";
import { DESCRIPTION, readPin } from "../contract/pins.ts";

test("the client's generated files are up to date: npm run pin", async () => {
  for (const [name, source] of Object.entries(await generated(readPin(DESCRIPTION)))) {
    expect(readFileSync(generatedPath(name), "utf8") === source, name).toBe(true);
  }
});

test("every operation has a method of its own", () => {
  const { paths } = JSON.parse(readPin(DESCRIPTION)) as Document;
  const described = Object.values(paths).flatMap((methods) => Object.values(methods));
  const muster = new Muster({ url: "http://localhost", key: "" }) as unknown as Record<string, Record<string, unknown>>;
  const found = new Set<unknown>();
  for (const operation of operations) {
    const operationId = operationIdOf(operation);
    const { tags } = described.find((candidate) => candidate.operationId === operationId)!;
    const method = methodName({ operationId, tags });
    const name = operation.streams ? "listen" : method;
    expect(muster[groupName(tags[0])]?.[name], `${groupName(tags[0])}.${name}`).toBeTypeOf("function");
    found.add(muster[groupName(tags[0])]![name]);
  }
  expect(found.size).toBe(operations.length);
});
