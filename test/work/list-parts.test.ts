import { expect, test } from "vitest";
import { type World, world } from "../support/world.ts";

/** Lists in board order that are put together from ranges of indexes. */

type Issue = { number: number; status: string; priority: string; type: string; custom_fields: Record<string, unknown> };
type Page = { data: Issue[]; body: { pagination: { next_cursor: string | null } } };

const STATUSES = ["backlog", "todo", "in_progress", "done"];
const PRIORITIES = ["low", "medium", "high"];
const TYPES = ["task", "bug", "story"];

/** Numbers of all issues of a list, by pages of three. */
async function listed({ owner }: Pick<World, "owner">, query: string): Promise<number[]> {
  const numbers: number[] = [];
  let cursor: string | null = null;
  do {
    const more: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : "";
    const page: Page = await owner.get(`P/issues?limit=3&${query}${more}`).expect(200);
    numbers.push(...page.data.map(({ number }) => number));
    cursor = page.body.pagination.next_cursor;
  } while (cursor);
  return numbers;
}

async function everything({ owner }: Pick<World, "owner">): Promise<Issue[]> {
  return (await owner.get("P/issues?limit=100").expect(200)).data;
}

test("several values of one column, and one value with others, are in board order", async () => {
  const here = await world();
  const items = Array.from({ length: 36 }, (_, n) => ({
    title: `Issue ${n}`,
    status: STATUSES[(n * 7) % 4],
    priority: PRIORITIES[n % 3],
    type: TYPES[(n * 5) % 3],
  }));
  await here.owner.post("P/issues/bulk", { items }).expect(201);
  const all = await everything(here);
  const those = (keep: (issue: Issue) => boolean) => all.filter(keep).map(({ number }) => number);

  const cases: [string, (issue: Issue) => boolean][] = [
    ["status=todo,done", ({ status }) => ["todo", "done"].includes(status)],
    ["priority=low,high,critical", ({ priority }) => priority !== "medium"],
    ["type=bug,story", ({ type }) => type !== "task"],
    [
      "status=todo,done&priority=low",
      ({ status, priority }) => ["todo", "done"].includes(status) && priority === "low",
    ],
    ["reporter=me&status=todo", ({ status }) => status === "todo"],
    ["sprint=none&status=done&type=bug", ({ status, type }) => status === "done" && type === "bug"],
    ["q=issue&priority=low,high", ({ priority }) => priority !== "medium"],
  ];
  for (const [query, keep] of cases) expect(await listed(here, query), query).toEqual(those(keep));
});

test("issues without a value of a field are in board order, however many sets of fields there are", async () => {
  const here = await world();
  const names = Array.from({ length: 7 }, (_, n) => `Field ${n}`);
  for (const name of names) await here.owner.post("P/custom-field-defs", { name, kind: "number" }).expect(201);
  const item = (fields: number) => ({
    title: `Fields ${fields}`,
    custom_fields: Object.fromEntries(names.flatMap((name, n) => (fields & (1 << n) ? [[name, fields]] : []))),
  });
  const add = (sets: number[]) => here.owner.post("P/issues/bulk", { items: sets.map(item) }).expect(201);
  const defined: { id: string; name: string }[] = (await here.owner.get("P/custom-field-defs").expect(200)).data;
  const id = defined.find(({ name }) => name === names[2])!.id;
  const check = async () => {
    const without = (await everything(here)).filter(({ custom_fields }) => !Object.hasOwn(custom_fields, id));
    expect(await listed(here, "customFields.Field+2=none")).toEqual(without.map(({ number }) => number));
    return without.length;
  };

  await add([1, 5, 0, 4, 3, 1, 7]);
  expect(await check()).toBe(4);

  await add(Array.from({ length: 40 }, (_, n) => 127 - n));
  await add(Array.from({ length: 40 }, (_, n) => n + 20));
  expect(await check()).toBeGreaterThan(30);
});
