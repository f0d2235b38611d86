import { expect, test } from "vitest";
import { type World, world } from "../support/world.ts";

type Item = { title: string; rank: string };

async function board(titles: string[], here?: World) {
  const place = here ?? (await world());
  await place.owner.post("P/issues/bulk", { items: titles.map((title) => ({ title })) }).expect(201);
  const rows = async (): Promise<Item[]> => (await place.owner.get("P/issues?limit=100&fields=title,rank")).data;
  const order = async () => (await rows()).map(({ title }) => title).join(" ");
  const doubles = async () => {
    const ranks = await place.sql<{ rank: string }>("select rank from issue where project_id = $1", [place.project.id]);
    return ranks.length - new Set(ranks.map(({ rank }) => rank)).size;
  };
  return { ...place, order, doubles };
}

test("items of one bulk call for one position keep their order, with distinct ranks", async () => {
  const { owner, order, doubles } = await board(["A", "B", "C"]);
  const items = ["1", "2", "3"].map((title) => ({ title, after: "WEB-1" }));
  await owner.post("P/issues/bulk", { items }).expect(201);
  expect(await order()).toBe("A 1 2 3 B C");
  await owner
    .post("P/issues/bulk", {
      items: [
        { title: "x", before: "WEB-2" },
        { title: "y", after: "WEB-6" },
        { title: "z" },
        { title: "end", after: "WEB-3" },
      ],
    })
    .expect(201);
  expect(await order()).toBe("A 1 2 3 y x B C end z");
  const key = { headers: { "idempotency-key": "bulk-1" } };
  await owner.post("P/issues/bulk", { items }, key).expect(201);
  expect(await order()).toBe("A 1 2 3 1 2 3 y x B C end z");
  expect(await doubles()).toBe(0);
});

test("parallel creates for one position are all stored there, and moves make their shared ranks distinct", async () => {
  const { owner, order, doubles } = await board(["A", "B"]);
  await Promise.all(
    Array.from({ length: 12 }, () => owner.post("P/issues", { title: "n", after: "WEB-1" }).expect(201)),
  );
  expect(await order()).toBe(["A", ...Array(12).fill("n"), "B"].join(" "));
  for (let n = 3; n <= 14; n++) await owner.patch(`P/issues/WEB-${n}`, { after: "WEB-1" }).expect(200);
  expect(await doubles()).toBe(0);
});

test("many equal ranks are repaired when an issue is inserted among them, and all others keep their order", async () => {
  const here = await world();
  const { owner, sql, project } = here;
  for (let round = 0; round < 3; round++)
    await owner.post("P/issues/bulk", { items: Array.from({ length: 50 }, () => ({ title: "same" })) }).expect(201);
  await sql("update issue set rank = 'a25' where project_id = $1", [project.id]);
  await owner.post("P/issues/bulk", { items: [{ title: "first", rank: "a1" }, { title: "last" }] }).expect(201);
  const order = async () =>
    (
      await sql<{ number: number }>("select number from issue where project_id = $1 order by rank, id", [project.id])
    ).map(({ number }) => number);
  const before = await order();
  await owner.post("P/issues/WEB-152/transition", { status: "todo", after: "WEB-70" }).expect(200);
  const moved = before.filter((number) => number !== 152);
  moved.splice(moved.indexOf(70) + 1, 0, 152);
  expect(await order()).toEqual(moved);
  await owner.post("P/issues", { title: "new", after: "WEB-70" }).expect(201);
  moved.splice(moved.indexOf(70) + 1, 0, 153);
  expect(await order()).toEqual(moved);
});

test("repairing one group of equal ranks beside another moves no other issue", async () => {
  const here = await world();
  const { owner, sql, project } = here;
  const crowd = async (rank: string) => {
    await owner.post("P/issues/bulk", { items: Array.from({ length: 50 }, () => ({ title: rank })) }).expect(201);
    await sql("update issue set rank = title where project_id = $1 and title = $2", [project.id, rank]);
  };
  await owner.post("P/issues/bulk", { items: [{ title: "top", rank: "a0" }] }).expect(201);
  for (const rank of ["a1", "a1", "a2", "a2"]) await crowd(rank);
  const order = async () =>
    (
      await sql<{ number: number }>("select number from issue where project_id = $1 order by rank, id", [project.id])
    ).map(({ number }) => number);
  const before = await order();
  await owner.patch("P/issues/WEB-1", { after: "WEB-30" }).expect(200);
  const moved = before.filter((number) => number !== 1);
  moved.splice(moved.indexOf(30) + 1, 0, 1);
  expect(await order()).toEqual(moved);
});

test("an issue moved to the top of an empty column gets a distinct rank", async () => {
  const { owner, doubles } = await board(["A", "B", "C", "D", "E"]);
  for (const number of [5, 3]) {
    const status = number === 5 ? "in_progress" : "done";
    await owner.post(`P/issues/WEB-${number}/transition`, { status, position: "top" }).expect(200);
  }
  expect(await doubles()).toBe(0);
});

test("creating repeatedly between the same neighbours keeps ranks short", async () => {
  const { owner, sql, project, order } = await board(["A", "B"]);
  for (let n = 0; n < 200; n++) await owner.post("P/issues", { title: "n", after: "WEB-1" }).expect(201);
  const [row] = await sql<{ longest: number; ranks: number }>(
    "select max(length(rank)) as longest, count(distinct rank) as ranks from issue where project_id = $1",
    [project.id],
  );
  expect(row!.longest).toBeLessThanOrEqual(41);
  expect(row!.ranks).toBe(202);
  expect(await order()).toMatch(/^A n/);
});

test("a position is given in only one way, next to an issue on the board", async () => {
  const { owner } = await board(["A", "B", "C"]);
  const path = "P/issues/WEB-1";
  await owner.patch(path, { before: "WEB-2", after: "WEB-3", rank: "a5" }).expect(400, "mutually_exclusive");
  await owner.post("P/issues", { title: "x", before: "WEB-2", rank: "a5" }).expect(400, "mutually_exclusive");
  await owner
    .post(`${path}/transition`, { status: "todo", before: "WEB-2", position: "top" })
    .expect(400, "mutually_exclusive");
  await owner.patch(path, { after: "WEB-1" }).expect(400, "invalid_reference");
  await owner.post("P/issues", { title: "x", after: "WEB-9" }).expect(400, "invalid_reference");
  await owner.delete("P/issues/WEB-3").expect(200);
  await owner.patch(path, { after: "WEB-3" }).expect(400, "invalid_reference");
});

type Ranked = { key: string; rank: string; version: number };
const ranksIn = async ({ sql, project }: World): Promise<Map<string, Ranked>> => {
  const rows = await sql<Ranked>("select key, rank, version from issue where project_id = $1", [project.id]);
  return new Map(rows.map((row) => [row.key, row]));
};

test("a rank that another issue's move replaces is a change of its issue, with version, event and history", async () => {
  const here = await board(["A", "B"]);
  const { owner, sql, workspace } = here;
  const replaced = new Set<string>();
  for (let n = 0; n < 160; n++) {
    const before = await ranksIn(here);
    if (n % 2 === 0) await owner.post("P/issues", { title: "n", after: "WEB-1" }).expect(201);
    else await owner.patch("P/issues/WEB-2", { after: "WEB-1" }).expect(200);
    for (const [key, { rank, version }] of await ranksIn(here)) {
      const old = before.get(key);
      if (!old || old.rank === rank || key === "WEB-2") continue;
      replaced.add(key);
      expect(version).toBe(old.version + 1);
    }
  }
  expect(replaced.size).toBeGreaterThan(0);
  const told = await sql<{ key: string }>(
    `select distinct data ->> 'key' as key from event where workspace_id = $1 and type = 'issue.updated'`,
    [workspace.id],
  );
  expect([...replaced].filter((key) => !told.some((event) => event.key === key))).toEqual([]);
  const [one] = replaced;
  const { data } = await owner.get(`P/issues/${one}/activity`).expect(200);
  expect(data.map(({ kind }: { kind: string }) => kind)).toContain("moved");
});

test("moves to the ends of columns change the rank of no other issue", async () => {
  const here = await board(["A", "B", "C", "D"]);
  const { owner, columns } = here;
  await owner.post("P/issues/WEB-4/transition", { status: "backlog" }).expect(200);
  for (let n = 0; n < 60; n++) {
    const key = `WEB-${1 + (n % 3)}`;
    const before = await ranksIn(here);
    const status_id = n % 2 === 0 ? columns.Done : columns["To Do"];
    const position = n % 5 === 0 ? "top" : "bottom";
    await owner.post(`P/issues/${key}/transition`, { status_id, position }).expect(200);
    const after = await ranksIn(here);
    for (const [other, { rank }] of before) if (other !== key) expect(after.get(other)!.rank).toBe(rank);
    expect(after.get(key)!.rank.length).toBeLessThan(30);
  }
});
