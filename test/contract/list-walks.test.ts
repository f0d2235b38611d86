import { expect, test } from "vitest";
import { operations } from "../../src/api/operations/index.ts";
import { type World, world } from "../support/world.ts";
import { exampleOf, queried } from "./examples.ts";
import { fill } from "./fill.ts";

/** A client that pages through a list while rows are added gets every existing row once and in order. */

const OLD = 9;
const NEW = 6;
const lists = operations.filter(({ shape }) => shape === "list").map((operation) => ({ id: operation.id, operation }));

test.each(lists)("$id", async ({ operation }) => {
  const here = await world();
  const { params: make, most = OLD + NEW } = exampleOf(operation);
  const params = (await make?.(here)) ?? {};
  const first = Math.min(OLD, most);
  await fill(operation, here, params, 0, first);
  const path = queried(operation, here, params);
  const old = idsIn((await here.owner.get(`${path}limit=100`).expect(200)).data);
  expect(old.length).toBeGreaterThanOrEqual(first);

  for (const limit of [1, 4]) {
    // Some rows are added before the first page is requested, others while pages are read.
    const from = limit === 1 ? first : first + NEW / 2;
    const filling = fill(operation, here, params, Math.min(from, most), Math.min(from + NEW / 2, most));
    const met = await walk(here, path, limit);
    await filling;
    expect(met.filter((id) => old.includes(id))).toEqual(old);
    expect(new Set(met).size).toBe(met.length);
  }
});

async function walk({ owner }: World, path: string, limit: number): Promise<string[]> {
  const met: string[] = [];
  for (let cursor = ""; ; ) {
    const { body } = await owner.get(`${path}limit=${limit}${cursor && `&cursor=${cursor}`}`).expect(200);
    met.push(...idsIn(body.data));
    cursor = body.pagination.next_cursor ?? "";
    if (cursor === "") return met;
  }
}

const idsIn = (rows: Record<string, string>[]): string[] =>
  rows.map(
    (row) => row.id ?? row.user_id ?? row.field_id ?? row.client_id ?? expect.unreachable("a row without an id"),
  );
