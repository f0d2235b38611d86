import { expect, test, vi } from "vitest";
import { search, titles } from "../support/search.ts";
import { world } from "../support/world.ts";

/** What is found, in which order, and how results look. */

test("a result shows its object, and the text around the match", async () => {
  const here = await world();
  const { owner, workspace } = here;
  const issue = await owner
    .post("P/issues", { title: "Empty page", description_md: "The LOGIN & co. fail" })
    .expect(201);
  const [found] = await search(owner, "login");
  expect(found).toEqual({
    type: "issue",
    id: issue.data.id,
    title: "Empty page",
    url: issue.data.url,
    key: "WEB-1",
    project_key: "WEB",
    status: issue.data.status,
    snippet: "The <mark>LOGIN</mark> &amp; co. fail",
    updated_at: issue.data.updated_at,
    score: 0.2,
  });
  const doc = await owner.post("W/docs", { title: "Handbook", body_md: "How to open **doors**" }).expect(201);
  expect(await search(owner, "door")).toEqual([
    {
      type: "doc",
      id: doc.data.id,
      title: "Handbook",
      url: doc.data.url,
      key: null,
      project_key: null,
      status: null,
      snippet: "How to open **<mark>door</mark>s**",
      updated_at: doc.data.updated_at,
      score: 0.2,
    },
  ]);
  expect(doc.data.url).toContain(`/w/${workspace.slug}/docs/`);
});

test("a snippet shows the names of people whom the text mentions, not their ids", async () => {
  const { owner } = await world();
  const { data: me } = await owner.get("/v1/me").expect(200);
  const mention = `@[Ada Lovelace](${me.user.id})`;
  const body_md = `Ask ${mention} or ${mention.replace("Ada", "Bea")} about the boiler`;
  await owner.post("W/docs", { title: "Boiler room", body_md }).expect(201);
  const snippet = async (q: string) => (await search(owner, q)).map((found) => found.snippet);
  expect(await snippet("about")).toEqual(["Ask @Olive Owner or @Olive Owner <mark>about</mark> the boiler"]);
  expect(await snippet("boiler")).toHaveLength(1);
});

test("a snippet shows no comments and no tags of the text", async () => {
  const { owner } = await world();
  const description_md = "<!-- Describe the boiler -->\n<details><summary>Boiler</summary>\n\nPress <kbd>Ctrl</kbd> <b";
  await owner.post("P/issues", { title: "x", description_md }).expect(201);
  const [found] = await search(owner, "boiler");
  expect(found?.snippet).toBe("<mark>Boiler</mark> Press Ctrl &lt;b");
});

test("every word must occur, words match beginnings of words, and phrases and other words' absence count", async () => {
  const { owner } = await world();
  for (const title of ["red apple pie", "apple red", "green apple", "pineapple", "redder apples"]) {
    await owner.post("P/issues", { title }).expect(201);
  }
  const found = async (q: string) => (await titles(owner, q)).sort();
  expect(await found("apple")).toEqual(["apple red", "green apple", "red apple pie", "redder apples"]);
  expect(await found("red apple")).toEqual(["apple red", "red apple pie", "redder apples"]);
  expect(await found("APPLE Gree")).toEqual(["green apple"]);
  expect(await found('"red apple"')).toEqual(["red apple pie"]);
  expect(await found('"apple"')).toEqual(["apple red", "green apple", "red apple pie"]);
  expect(await found("“red apple”")).toEqual(["red apple pie"]);
  expect(await found("apple -red")).toEqual(["green apple", "redder apples"]);
  expect(await found('apple -"red apple"')).toEqual(["apple red", "green apple", "redder apples"]);
  expect(await found("-apple -apples")).toEqual(["pineapple"]);
  expect(await found('apple "unclosed red')).toEqual([]);
  expect(await found("!!! ***")).toEqual([]);
  expect(await found("apple !!! -")).toHaveLength(4);
});

test("an issue's key finds it first, in upper and lower case", async () => {
  const { owner } = await world();
  await owner.post("P/issues", { title: "First" }).expect(201);
  await owner.post("P/issues", { title: "Second" }).expect(201);
  await owner.post("P/issues", { title: "WEB-2 is needed before WEB-2" }).expect(201);
  for (const q of ["WEB-2", " web-2 "]) {
    const found = await search(owner, q);
    expect(found.map(({ key }) => key)).toEqual(["WEB-2", "WEB-3"]);
    expect(found[0]).toMatchObject({ score: 1000, title: "Second" });
  }
  expect((await search(owner, "WEB-2", "types=doc")).length).toBe(0);
  expect(await titles(owner, "WEB-99")).toEqual([]);
  expect((await titles(owner, "WEB-999999999")).length).toBe(0);
});

test("titles count more than labels, labels more than texts, and open issues more than closed ones", async () => {
  const { owner } = await world();
  const label = await owner.post("P/labels", { name: "zebra" }).expect(201);
  const done = await owner.post("P/issues", { title: "zebra closed", status: "done" }).expect(201);
  expect(done.data.status).toBe("done");
  await owner.post("P/issues", { title: "In the text", description_md: "a zebra" }).expect(201);
  await owner.post("P/issues", { title: "Labelled", labels: [label.data.id] }).expect(201);
  await owner.post("P/issues", { title: "zebra open" }).expect(201);
  const found = await search(owner, "zebra");
  expect(found.map(({ title, score }) => [title, score])).toEqual([
    ["zebra open", 1],
    ["zebra closed", 0.7],
    ["Labelled", 0.4],
    ["In the text", 0.2],
  ]);
  await owner.patch(`P/labels/${label.data.id}`, { name: "okapi" }).expect(200);
  expect(await titles(owner, "okapi")).toEqual(["Labelled"]);
  expect(await titles(owner, "label -zebra")).toEqual(["Labelled"]);
});

test("newer objects come first, and old ones keep half of their score", async () => {
  const { owner, sql } = await world();
  for (const [title, days] of [
    ["old owl", 90],
    ["ancient owl", 2_000],
    ["new owl", 0],
  ] as const) {
    const { data } = await owner.post("P/issues", { title }).expect(201);
    const past = "now() - $2::int * interval '1 day'";
    await sql(`update issue set updated_at = ${past}, created_at = ${past}, title = title where id = $1`, [
      data.id,
      days,
    ]);
  }
  const found = await search(owner, "owl");
  expect(found.map(({ title, score }) => [title, Math.round(score * 100)])).toEqual([
    ["new owl", 100],
    ["old owl", 71],
    ["ancient owl", 50],
  ]);
});

test("pages follow each other without gaps and repeats while objects are added and changed", async () => {
  const { owner } = await world();
  for (let n = 0; n < 25; n++) await owner.post("P/issues", { title: `owl ${n}` }).expect(201);
  const seen: string[] = [];
  let cursor = "";
  do {
    const { body } = await owner.get(`W/search?q=owl&limit=7${cursor && `&cursor=${cursor}`}`).expect(200);
    seen.push(...body.data.map(({ title }: { title: string }) => title));
    cursor = body.pagination.next_cursor ?? "";
    await owner.post("P/issues", { title: "owl that came later" }).expect(201);
  } while (cursor);
  expect(seen.slice(0, 25).sort()).toEqual(Array.from({ length: 25 }, (_, n) => `owl ${n}`).sort());
  const { body } = await owner.get("W/search?q=owl&limit=2").expect(200);
  await owner.get(`W/search?q=other&cursor=${body.pagination.next_cursor}`).expect(400, "cursor_mismatch");
});

test("search is up to date at once: after changes, archiving and restoring", async () => {
  const { owner } = await world();
  await owner.post("P/issues", { title: "before", description_md: "alpha" }).expect(201);
  await owner.patch("P/issues/WEB-1", { title: "after" }).expect(200);
  expect(await titles(owner, "before")).toEqual([]);
  expect(await titles(owner, "after alpha")).toEqual(["after"]);
  await owner.delete("P/issues/WEB-1").expect(200);
  expect(await titles(owner, "after")).toEqual([]);
  expect(await titles(owner, "WEB-1")).toEqual([]);
  await owner.post("P/issues/WEB-1/restore").expect(200);
  expect(await titles(owner, "after")).toEqual(["after"]);
  const { data } = await owner.post("W/docs", { title: "beta", body_md: "gamma" }).expect(201);
  await owner.patch(`W/docs/${data.id}`, { append: "delta" }).expect(200);
  expect(await titles(owner, "beta gamma delta")).toEqual(["beta"]);
  await owner.delete(`W/docs/${data.id}`).expect(200);
  expect(await titles(owner, "beta")).toEqual([]);
});

test("an archived project's issues and docs are left out", async () => {
  const { owner } = await world();
  await owner.post("P/issues", { title: "owl" }).expect(201);
  await owner.post("W/docs", { title: "owl", project: "WEB" }).expect(201);
  expect(await titles(owner, "owl")).toHaveLength(2);
  await owner.delete("P").expect(200);
  expect(await titles(owner, "owl")).toEqual([]);
  expect(await titles(owner, "WEB-1")).toEqual([]);
});

test("wrong parameters are refused, and types may be in the plural", async () => {
  const { owner } = await world();
  for (const query of ["", "?q=", "?q=%20%20", `?q=${"x".repeat(201)}`, "?q=x&types=people", "?q=x&types=issue,x"]) {
    await owner.get(`W/search${query}`).expect(400);
  }
  await owner.post("P/issues", { title: "owl" }).expect(201);
  await owner.post("W/docs", { title: "owl" }).expect(201);
  const types = async (list: string) => (await search(owner, "owl", `types=${list}`)).map(({ type }) => type).sort();
  expect(await types("Issues")).toEqual(["issue"]);
  expect(await types("docs,%20issue,")).toEqual(["doc", "issue"]);
  expect(await types("")).toEqual(["doc", "issue"]);
});

test("a key may search sixty times a minute", async () => {
  const { owner, as } = await world();
  const replies = [];
  for (let n = 0; n < 61; n++) replies.push((await owner.get("W/search?q=x")).status);
  expect(replies.indexOf(429)).toBe(60);
  await (await as({ role: "member" })).get("W/search?q=x").expect(200);
});

test("at most twenty words are searched for, and a warning says so", async () => {
  const { owner } = await world();
  const words = Array.from({ length: 21 }, (_, n) => `w${n}`);
  await owner.post("P/issues", { title: words.slice(0, 20).join(" ") }).expect(201);
  const { body } = await owner.get(`W/search?q=${words.join("+")}`).expect(200);
  expect(body.data).toHaveLength(1);
  expect(body.warnings).toMatchObject([{ code: "words_ignored" }]);
});

test("a word that thousands of objects have is answered from the newest ones", async () => {
  const here = await world();
  const insert = (from: number, to: number, age: string) =>
    here.sql(
      `insert into issue (id, workspace_id, project_id, number, key, type, title, status, priority, rank, reporter_id,
                          created_by, created_at, updated_at)
       select gen_random_uuid(), $1, $2, n, 'WEB-' || n, 'task', 'owl ' || n, 'todo', 'medium', rank_of(n), $3, $3,
              now() - $6::interval, now() - $6::interval
       from generate_series($4::int, $5::int) n`,
      [here.workspace.id, here.project.id, here.owner.userId, from, to, age],
    );
  await insert(1, 2_000, "2 years");
  await insert(2_001, 2_200, "8 weeks");
  await insert(2_201, 2_500, "1 day");
  const keys: string[] = [];
  let cursor = "";
  do {
    const { body } = await here.owner.get(`W/search?q=owl&limit=100${cursor && `&cursor=${cursor}`}`).expect(200);
    keys.push(...body.data.map(({ key }: { key: string }) => key));
    cursor = body.pagination.next_cursor ?? "";
  } while (cursor);
  expect(new Set(keys).size).toBe(keys.length);
  // There are enough in the newest weeks.
  expect(keys.sort()).toEqual(Array.from({ length: 300 }, (_, n) => `WEB-${2_201 + n}`).sort());
  expect((await search(here.owner, "WEB-1"))[0]).toMatchObject({ key: "WEB-1", score: 1000 });
  expect(await titles(here.owner, '"owl 1999"')).toEqual(["owl 1999"]);
  expect(await titles(here.owner, "owl 2001")).toEqual(["owl 2001"]);
});

test("an issue of a large project is found by its title, however old and common its words are", async () => {
  const here = await world();
  await here.sql(
    `insert into issue (id, workspace_id, project_id, number, key, type, title, status, priority, rank, reporter_id,
                        created_by, created_at, updated_at)
     select gen_random_uuid(), $1, $2, n, 'WEB-' || n, 'task', case n when 1 then 'Grey owl' else 'a grey owl ' || n end,
            'todo', 'medium', rank_of(n), $3, $3, now() - interval '2 years', now() - make_interval(hours => 5000 - n)
     from generate_series(1, 3000) n`,
    [here.workspace.id, here.project.id, here.owner.userId],
  );
  await here.sql("update issue_counter set last_number = 3000 where project_id = $1", [here.project.id]);
  for (const q of ["grey owl", '"GREY owl" ']) {
    const found = await search(here.owner, q);
    expect(found[0]).toMatchObject({ title: "Grey owl", score: 1000 });
    expect(found.filter(({ title }) => title === "Grey owl")).toHaveLength(1);
  }
  expect(await titles(here.owner, "grey owl -common", "limit=1")).not.toContain("Grey owl");
  await here.sql("update issue set archived_at = now() where project_id = $1 and number = 1", [here.project.id]);
  expect(await titles(here.owner, "grey owl", "limit=1")).not.toContain("Grey owl");
});

test("the statements of all kinds, words and pages have names that Postgres keeps", async () => {
  const { owner } = await world();
  await owner.post("W/chat/channels", { name: "Owls" }).expect(201);
  for (const title of ["red owl sees a grey owl", "red owl hears a grey owl"])
    await owner.post("P/issues", { title }).expect(201);
  // pg warns here of names that are cut off; two of them may then stand for each other.
  const warned = vi.spyOn(console, "error").mockImplementation(() => {});
  try {
    const path = `W/search?q=${encodeURIComponent('"red owl" grey a')}&types=issue,doc,comment,message&limit=1`;
    const { body } = await owner.get(path).expect(200);
    await owner.get(`${path}&cursor=${body.pagination.next_cursor}`).expect(200);
    expect(warned.mock.calls).toEqual([]);
  } finally {
    warned.mockRestore();
  }
});
