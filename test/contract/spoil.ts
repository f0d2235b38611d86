import { expect } from "vitest";
import type { Operation } from "../../src/api/engine/operation.ts";
import type { Options, Reply } from "../support/client.ts";
import type { World } from "../support/world.ts";
import { exampleOf, type Params, pathOf } from "./examples.ts";

/** A valid call of the operation, for tests that make it invalid. */
export async function prepare(operation: Operation, here: World) {
  const { params: make, body } = exampleOf(operation);
  const params: Params = (await make?.(here)) ?? {};
  const good = body?.(1, here) ?? {};
  const item = operation.item ? ((good.items as object[])[0] as Record<string, unknown>) : good;
  const send = (raw: string | Buffer, options: Options = {}) =>
    here.owner.call(operation.method, pathOf(operation, here, params), undefined, {
      raw,
      headers: { "content-type": "application/json", ...options.headers },
    });
  return { params, good, item, send };
}

/** Expects a rejection: as a problem, or in every row of a bulk call. */
export function expectRefusal(operation: Operation, what: string, reply: Reply) {
  if (operation.shape === "bulk" && reply.status === 207) {
    expect(
      reply.data.some((row: { ok: boolean }) => row.ok),
      `${what}: ${reply.text}`,
    ).toBe(false);
    return;
  }
  expect(`${what}: ${reply.status}`, reply.text.slice(0, 300)).toMatch(/: (400|403|404|409)$/);
  expect(reply.headers.get("content-type")).toMatch(/^application\/problem\+json/);
}
