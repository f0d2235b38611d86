import { readFileSync } from "node:fs";
import type { Operation } from "../../src/api/engine/operation.ts";
import { operations } from "../../src/api/operations/index.ts";

/** The interface specification's table of operations, and how the registry compares with it. */

export type SpecOperation = { method: string; path: string; needs: string; success: string; paged: boolean };

export const specOperations: SpecOperation[] = readFileSync(new URL("spec-operations.tsv", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => {
    const [method = "", path = "", needs = "", success = "", list = ""] = line.split("\t");
    return { method, path, needs, success, paged: list === "L" };
  });

/** The operation of a line of the table. Names of path parameters may differ. */
export const implementing = ({ method, path }: SpecOperation): Operation | undefined =>
  operations.find((operation) => operation.method === method && shape(operation.path) === shape(path));

/** OAuth operations of the specification. They are not in the registry, so a test calls the service. */
const PROTOCOL = /^\/api\/oauth\/(register|authorize|token|revoke)$/;
export const isProtocol = ({ path }: SpecOperation): boolean => PROTOCOL.test(path);

const shape = (path: string) => path.replaceAll(/\{\w+\}/g, "{}");

export const missingOperations = (): string[] =>
  specOperations
    .filter((line) => !implementing(line) && !isProtocol(line))
    .map(({ method, path }) => `${path} ${method}`);
