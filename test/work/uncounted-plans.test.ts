import { expect, test } from "vitest";
import { counting } from "../support/statements.ts";
import { type World, world } from "../support/world.ts";

/** Labels and plans are counted for those who want to see how many issues they have, and for nobody else. */

const KINDS = [
  { path: "P/labels", count: "issue_count", one: { issue_count: 1 }, issue: (id: string) => ({ labels: [id] }) },
  ...["milestone", "sprint", "release"].map((kind) => ({
    path: `P/${kind}s`,
    count: "progress",
    one: { progress: expect.objectContaining({ total: 1, done: 0 }) },
    issue: (id: string) => ({ [`${kind}_id`]: id }),
  })),
];

async function made({ owner }: World, { path, issue }: (typeof KINDS)[number]): Promise<string> {
  const { id } = (await owner.post(path, { name: "First" }).expect(201)).data;
  await owner.post("P/issues", { title: "One", ...issue(id) }).expect(201);
  return id;
}

const isUncounted = (name: string) => name.includes("uncounted");

test.each(KINDS)("the list of $path counts issues only for fields with $count", async (kind) => {
  const here = await world();
  const id = await made(here, kind);
  const list = async (query: string) => {
    const { result, statements } = await counting(() => here.owner.get(`${kind.path}?limit=100${query}`).expect(200));
    return { row: result.data.find((one: { id: string }) => one.id === id), statements };
  };
  const names = await list("&fields=id,name");
  expect(names.row).toEqual({ id, name: "First" });
  expect(names.statements.some(isUncounted)).toBe(true);
  for (const query of ["", `&fields=id,${kind.count}`]) {
    const counted = await list(query);
    expect(counted.row).toMatchObject(kind.one);
    expect(counted.statements.some(isUncounted)).toBe(false);
  }
});

test.each(KINDS.slice(1))("one of $path is counted only for fields with $count", async (kind) => {
  const here = await world();
  const id = await made(here, kind);
  const one = (query: string) => counting(() => here.owner.get(`${kind.path}/${id}${query}`).expect(200));
  const name = await one("?fields=name");
  expect(name.result.data).toEqual({ name: "First" });
  expect(name.statements.some(isUncounted)).toBe(true);
  const counted = await one("");
  expect(counted.result.data).toMatchObject(kind.one);
  expect(counted.statements.some(isUncounted)).toBe(false);
});
