import { expect, test } from "vitest";
import type { Operation } from "../../src/api/engine/operation.ts";
import { operations } from "../../src/api/operations/index.ts";
import { counting } from "../support/statements.ts";
import { type World, world } from "../support/world.ts";
import { exampleOf, type Params, pathOf, queried } from "./examples.ts";
import { fill } from "./fill.ts";

/** A list runs as many statements for thirty rows as for two, so none runs per row. */

const FEW = 2;
const MANY = 30;

const lists = operations
  .filter(({ shape }) => shape === "list" || shape === "all")
  .map((operation) => ({ id: operation.id, operation }));

test.each(lists)("$id runs the same statements for few rows and for many", async ({ operation }) => {
  const here = await world();
  const { params: make, most = MANY } = exampleOf(operation);
  const params = (await make?.(here)) ?? {};

  await fill(operation, here, params, 0, Math.min(FEW, most));
  const few = await listed(operation, here, params);
  await fill(operation, here, params, Math.min(FEW, most), most);
  const many = await listed(operation, here, params);

  expect(many.rows).toBeGreaterThanOrEqual(most);
  if (most > FEW) expect(many.rows).toBeGreaterThan(few.rows);
  expect(few.statements.length).toBeGreaterThan(0);
  expect(many.statements).toEqual(few.statements);
});

/** The number of rows of one call, and the statements that it ran. */
async function listed(operation: Operation, here: World, params: Params) {
  const path =
    operation.shape === "list" ? `${queried(operation, here, params)}limit=100` : pathOf(operation, here, params);
  // Cached rows would be queried only in the first call.
  await here.owner.get(path).expect(200);
  const { result, statements } = await counting(() => here.owner.get(path).expect(200));
  return { rows: result.data.length as number, statements };
}
