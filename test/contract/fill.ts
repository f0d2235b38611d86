import { expect } from "vitest";
import type { Operation } from "../../src/api/engine/operation.ts";
import { operations } from "../../src/api/operations/index.ts";
import type { World } from "../support/world.ts";
import { exampleOf, type Params, pathOf } from "./examples.ts";

/** Makes a list's rows, by its own POST or as its example says, until there are `to` more than `from`. */
export async function fill(operation: Operation, here: World, params: Params, from: number, to: number) {
  const { fill: own, most } = exampleOf(operation);
  if (own) return own(here, params, to - from);

  const post = operations.find(({ method, path }) => method === "POST" && path === operation.path);
  if (!post && most === 1) return;
  if (!post) throw new Error(`test/contract/examples.ts does not say how to fill ${operation.id}.`);
  const { body } = exampleOf(post);
  for (let n = from; n < to; n++) {
    const reply = await here.owner.post(pathOf(post, here, params), body?.(n, here));
    // A board begins with some of the columns it may have.
    if (reply.status === 409 && most !== undefined) return;
    expect(reply.status, reply.text).toBe(201);
  }
}
