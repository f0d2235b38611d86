import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isClosedToLimitedKeys, type Operation } from "../../src/api/engine/operation.ts";
import { openApiDocument } from "../../src/api/openapi/document.ts";
import { WRITTEN_FOR } from "../../src/api/openapi/written.ts";
import { operations } from "../../src/api/operations/index.ts";
import { callablesOf } from "../../src/api/tools/callable.ts";
import { listed } from "../../src/api/tools/mcp-server.ts";
import { toolsOf } from "../../src/api/tools/tools.ts";
import { WEBHOOK_EVENTS } from "../../src/domain/webhook-events.ts";
import { changelogText, changesSinceRelease } from "./changelog.ts";
import { missingOperations } from "./spec.ts";

/** The API description. The service serves this file. */
export const DESCRIPTION = "../../docs/openapi.json";

/** The published contract in files. A difference is a change of the API, made deliberately with `npm run pin`. */
export const pins: Record<string, () => string> = {
  "operations.txt": () => lines([...operations].sort(byPath).map(operationLine)),
  "events.txt": () => lines(WEBHOOK_EVENTS.map(({ name }) => name).sort()),
  [DESCRIPTION]: () => `${JSON.stringify(openApiDocument(operations, WRITTEN_FOR), null, 2)}\n`,
  "../../docs/api-changelog.md": () => changelogText(changesSinceRelease()),
  "tools.json": () => `${JSON.stringify(toolsOf(callablesOf(operations)).map(listed), null, 2)}\n`,
  "missing-operations.txt": () => lines(missingOperations().sort()),
};

export const pinPath = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export const readPin = (name: string): string => readFileSync(pinPath(name), "utf8");

const lines = (all: string[]): string => [...all, ""].join("\n");

const place = ({ path, method }: Operation) => `${path} ${method}`;
const byPath = (a: Operation, b: Operation) => (place(a) < place(b) ? -1 : 1);

function operationLine(operation: Operation): string {
  const { method, path, shape, status, scope, tier, head } = operation;
  const takesLimitedKeys = head !== "P" && head !== "I" && !isClosedToLimitedKeys(operation);
  const needs = [scope ?? "any", tier].filter(Boolean).join("; ");
  return `${method} ${path} ${shape === "bulk" ? "201/207" : status} ${needs}${takesLimitedKeys ? " (limited keys)" : ""}`;
}
