import { expect, test } from "vitest";
import { world } from "../support/world.ts";

/** What `q` finds in keys, titles and descriptions. */

test("words are found whatever separates them", async () => {
  const { owner } = await world();
  const title = "Fix user_name in src/login.ts";
  const description_md = "Ask ann@example.com, see <b>https://example.com/a-b?c=d</b>, since 1.2.3 (it's “urgent”).";
  const { data } = await owner.post("P/issues", { title, description_md }).expect(201);
  await owner.post("P/issues", { title: "Another", description_md: "of other words" }).expect(201);
  const found = async (q: string) =>
    (await owner.get(`P/issues?q=${encodeURIComponent(q)}`).expect(200)).data.map(({ key }: { key: string }) => key);

  for (const q of [
    ...["user_name", "name", "src/login.ts", "login", "ann@example.com", "ann", "<b>", "https://example.com/a-b"],
    ...["1.2.3", "it's", "urgent", "example c", data.key, data.key.toLowerCase()],
  ]) {
    expect(`${q}: ${await found(q)}`).toBe(`${q}: ${data.key}`);
  }
  for (const q of ["ser_name", "ben@example.com", "1.2.4", "!!!"]) expect(`${q}: ${await found(q)}`).toBe(`${q}: `);

  await owner.patch(`P/issues/${data.key}`, { title: "Renamed" }).expect(200);
  expect(await found("user_name")).toEqual([]);
  expect(await found("renamed urgent")).toEqual([data.key]);
});

test("the box of a list reads what people type and paste, as the search of the workspace does", async () => {
  const { owner, workspace } = await world();
  const make = async (title: string) => (await owner.post("P/issues", { title, type: "task" }).expect(201)).data;
  const dry = await make("Importer with --dry-run for Überprüfung");
  const other = await make("Importer without it, a draft");
  const found = async (path: string, q: string) =>
    (await owner.get(`${path}q=${encodeURIComponent(q)}`).expect(200)).data
      .map(({ key }: { key: string }) => key)
      .sort();
  const base = `https://muster.test/w/${workspace.slug}/p/web`;
  for (const [q, keys] of [
    ["--dry-run importer", [dry.key]],
    ["import -draft", [dry.key]],
    ["import", [dry.key, other.key]],
    ["Überprüf".normalize("NFD"), [dry.key]],
    ["ＩＭＰＯＲＴＥＲ\u3000ｄｒａｆｔ", [other.key]],
    ["\u201cimporter without\u201d", [other.key]],
    ["#WEB-1", [dry.key]],
    ["WEB\u20111", [dry.key]],
    [`${base}/WEB-2?at=1#comment-1`, [other.key]],
    [`https://muster.test/v1/workspaces/${workspace.slug}/projects/WEB/issues/WEB-2`, [other.key]],
    [`https://muster.test/w/another/p/web/WEB-2`, []],
    [`<${base}/WEB-2>`, [other.key]],
    [`muster.test/w/${workspace.slug}/p/web/WEB-2`, [other.key]],
    [`/w/${workspace.slug}/p/web/WEB-2`, [other.key]],
    [`https://other.example/w/${workspace.slug}/p/web/WEB-2`, []],
    [`other.example/w/${workspace.slug}/p/web/WEB-2`, []],
  ] as const) {
    for (const path of ["P/issues?", "W/search?"]) {
      expect([path, q, ...(await found(path, q))]).toEqual([path, q, ...keys]);
    }
  }
  const address = `https://muster.test/v1/workspaces/${workspace.slug}/projects/WEB/issues/${other.id}`;
  expect(await found("W/search?", address)).toEqual([other.key]);
});

test("an issue that was indexed before punctuation was blanked is found by its addresses, too", async () => {
  const { owner, sql } = await world();
  const { data } = await owner.post("P/issues", { title: "Old" }).expect(201);
  await sql(`update issue set search = to_tsvector('simple', 'ann@example.com src/login.ts') where id = $1`, [data.id]);
  for (const q of ["ann@example.com", "src/login.ts"]) {
    expect((await owner.get(`P/issues?q=${encodeURIComponent(q)}`).expect(200)).data).toHaveLength(1);
  }
});

test.each(["a_", "1a@", "~/", "<!--", "a-1.", "./", "e-e."])(
  "a description of %s without an end is indexed like any other",
  async (unit) => {
    const { owner } = await world();
    const description_md = unit.repeat(65_536).slice(0, 65_536);
    await owner.post("P/issues", { title: "Long", description_md }).expect(201);
  },
);
