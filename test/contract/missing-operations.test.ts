import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import type { Operation } from "../../src/api/engine/operation.ts";
import { app } from "../support/app.ts";
import { readPin } from "./pins.ts";
import { implementing, isProtocol, missingOperations, type SpecOperation, specOperations } from "./spec.ts";

test("the specification has 196 operations", () => {
  expect(specOperations).toHaveLength(196);
});

test("missing-operations.txt lists what is missing, and nothing else", () => {
  expect(linesOf(readPin("missing-operations.txt"))).toEqual(missingOperations().sort());
});

test("no operation went missing since the last commit", () => {
  const committed = committedList();
  // Outside a checkout there is nothing to compare with.
  if (committed === null) return;
  const isNew = (line: string) => !committed.includes(line);
  expect(linesOf(readPin("missing-operations.txt")).filter(isNew)).toEqual([]);
});

test.each(specOperations.filter(isProtocol))("the service answers $method $path", async ({ method, path }) => {
  const { baseUrl } = await app();
  const { status } = await fetch(baseUrl + path, { method, redirect: "manual" });
  // The request is invalid, but the operation exists: neither 404 nor 405 nor a server error.
  expect(status).toBe(400);
});

const implemented = specOperations.flatMap((line) => {
  const operation = implementing(line);
  return operation ? [{ id: operation.id, line, operation }] : [];
});

test.each(implemented)("$id needs and answers what the specification says", ({ line, operation }) => {
  expect({ needs: needsOf(operation), success: successOf(operation), paged: operation.shape === "list" }).toEqual({
    needs: engineNeeds(line),
    success: line.success,
    paged: line.paged,
  });
});

const linesOf = (text: string) => text.split("\n").filter(Boolean);

function committedList(): string[] | null {
  try {
    const name = "HEAD:test/contract/missing-operations.txt";
    return linesOf(execFileSync("git", ["show", name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
  } catch {
    return null;
  }
}

/** Tiers that depend on the object or on the key's owner. The domain checks them, and separate tests cover them. */
const CHECKED_IN_THE_DOMAIN = [
  "own user only",
  "on the retry also a Payment credential",
  "key's user",
  "member tier",
  "agent key",
  "agent key, or a personal token with agent_id",
  "admin tier or starter of the run",
  "creator or admin tier",
];

function engineNeeds({ needs }: SpecOperation): string {
  const [scope = "", ...tiers] = needs.split("; ");
  const kept = tiers.filter((tier) => !CHECKED_IN_THE_DOMAIN.includes(tier));
  // Either scope suffices; the wider one contains the narrow one.
  const one = scope === "issues:write or workflow.run" ? "workflow.run" : scope;
  return [one, ...kept].join("; ");
}

/** Tiers that the table of the specification does not name: the one that follows from `projects:admin`, and the starter's. */
const isUnnamed = ({ scope, tier }: Operation) => scope === "projects:admin" || tier === "starter or admin tier";

function needsOf(operation: Operation): string {
  const { scope, tier, gate } = operation;
  return [
    scope ?? "any valid credential",
    ...(tier && !isUnnamed(operation) ? [tier] : []),
    ...(gate === "reports" ? ["paid plan"] : []),
  ].join("; ");
}

const successOf = ({ shape, status }: Operation) => (shape === "bulk" ? "201/207" : String(status));
