import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { browser } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { indexOldRowsNow } from "../support/jobs.ts";
import { search, titles } from "../support/search.ts";
import { type World, world } from "../support/world.ts";

/** Search finds projects, people and goals by their names, and only those that the caller sees in their lists. */

const NAMED = "types=project,person,goal";

const project = (owner: Client, body: object) => owner.post("W/projects", body).expect(201);
const rename = (here: World, userId: string, name: string | null) =>
  here.sql("update app_user set name = $2 where id = $1", [userId, name]);

test("a project is found by its name, key and slug, with its page", async () => {
  const { owner } = await world();
  const { data } = await project(owner, { name: "Müller & Söhne", key: "KITE", slug: "river-works" });
  for (const q of ["müller", "MU\u0308LLER", "mueller söh", "muller", "kite", "KITE", "river-works", "river work"]) {
    expect([q, await search(owner, q)]).toMatchObject([q, [{ type: "project", id: data.id }]]);
  }
  const [found] = await search(owner, "soehne");
  expect(found).toEqual({
    type: "project",
    id: data.id,
    title: "Müller & Söhne",
    url: data.url,
    key: "KITE",
    project_key: "KITE",
    status: null,
    snippet: "Müller &amp; <mark>Söhne</mark>",
    updated_at: data.updated_at,
    score: 1,
  });
  await owner.patch("W/projects/KITE", { name: "Heron", description_md: "About the estuary" }).expect(200);
  expect(await titles(owner, "müller")).toEqual([]);
  expect(await search(owner, "estuary")).toMatchObject([{ title: "Heron", score: 0.2 }]);
  const cyrillic = await project(owner, { name: "Проект Сокол" });
  expect(await titles(owner, "сокол")).toEqual(["Проект Сокол"]);
  expect(await titles(owner, cyrillic.data.slug)).toEqual(["Проект Сокол"]);
  await owner.delete(`W/projects/${cyrillic.data.key}`).expect(200);
  expect(await titles(owner, "сокол")).toEqual([]);
  await owner.post(`W/projects/${cyrillic.data.key}/restore`).expect(200);
  expect(await titles(owner, "сокол")).toEqual(["Проект Сокол"]);
});

test("a project's name comes before issues that only mention it, however old the project is", async () => {
  const { owner, sql } = await world();
  const { data } = await project(owner, { name: "Observatory", key: "OBS" });
  await sql("update project set updated_at = now() - interval '5 years' where id = $1", [data.id]);
  await owner.post("P/issues", { title: "A visit", description_md: "to the observatory" }).expect(201);
  const found = await search(owner, "observatory");
  expect(found.map(({ type, score }) => [type, score])).toEqual([
    ["project", 1],
    ["issue", 0.2],
  ]);
});

test("a goal is found by its title and description", async () => {
  const { owner, workspace } = await world();
  const { data } = await owner
    .post("W/goals", { title: "Faster checkout", description_md: "Under a minute" })
    .expect(201);
  const [found] = await search(owner, "check minute");
  expect(found).toMatchObject({ type: "goal", id: data.id, title: "Faster checkout", key: null, project_key: null });
  expect(found!.url).toContain(`/w/${workspace.slug}/goals/${data.id}`);
  await owner.patch(`W/goals/${data.id}`, { title: "Slower" }).expect(200);
  expect(await titles(owner, "checkout")).toEqual([]);
  await owner.delete(`W/goals/${data.id}`).expect(200);
  expect(await titles(owner, "slower")).toEqual([]);
});

test("a person is found by name and by the beginning of the e-mail address, as the list of members shows them", async () => {
  const here = await world();
  const { owner, workspace } = here;
  const ada = await here.as({ role: "member", name: "Zoë Łukasz" });
  const [found] = await search(owner, "zoe luk");
  expect(found).toMatchObject({
    type: "person",
    id: ada.userId,
    title: "Zoë Łukasz",
    key: null,
    status: null,
    score: 1,
  });
  const local = ada.email.split("@")[0]!;
  for (const q of [ada.email, local, ada.email.slice(0, -3)]) {
    const [one, ...more] = await search(owner, q, "types=person");
    expect([q, one, more]).toMatchObject([q, { id: ada.userId, title: "Zoë Łukasz", score: 0.4 }, []]);
    expect(one!.snippet).toContain("<mark>");
  }
  // The domain alone would find everybody.
  expect(await titles(owner, `${workspace.slug}.test`, "types=person")).toEqual([]);
  expect(await titles(owner, "test", "types=person")).toEqual([]);

  await rename(here, ada.userId, "Quentin");
  expect(await titles(owner, "zoe")).toEqual([]);
  expect(await titles(owner, "quentin")).toEqual(["Quentin"]);
  await rename(here, ada.userId, null);
  expect(await titles(owner, local, "types=person")).toEqual([ada.email]);
  await rename(here, ada.userId, "Quentin");
  await owner.delete(`W/members/${ada.userId}`).expect(200);
  expect(await titles(owner, "quentin")).toEqual([]);
});

test("guests find people by name, and learn nothing of addresses", async () => {
  const here = await world();
  const ada = await here.as({ role: "member", name: "Ada Lovelace" });
  const guest = await here.as({ role: "guest", projectRole: "viewer" });
  const found = await search(guest, "lovelace", "types=person");
  expect(found).toMatchObject([{ id: ada.userId, title: "Ada Lovelace", snippet: "Ada <mark>Lovelace</mark>" }]);
  expect(JSON.stringify(found)).not.toContain("@");
  const local = ada.email.split("@")[0]!;
  for (const q of [ada.email, local, `ada ${local}`]) expect([q, await titles(guest, q)]).toEqual([q, []]);
  // Leaving out a word of the address hides nobody from a guest.
  expect(await titles(guest, `ada -${local}`, "types=person")).toEqual(["Ada Lovelace"]);
  expect(await titles(here.owner, `ada -${local}`, "types=person")).toEqual([]);
});

test("agents are not people of the workspace", async () => {
  const { owner } = await world();
  await owner.post("W/api-keys", { name: "Key", agent_name: "Pelican", scopes: ["write"] }).expect(201);
  expect(await search(owner, "pelican")).toEqual([]);
});

test("projects, people and goals are found by those who see them alone", async () => {
  const here = await world();
  const hidden = await here.hidden();
  const { owner } = here;
  await owner.patch("P", { name: "Walrus open" }).expect(200);
  await hidden.owner.patch("P", { name: "Walrus hidden" }).expect(200);
  await owner.post("W/goals", { title: "Walrus goal" }).expect(201);
  const person = await here.as({ role: "member", name: "Walrus person" });
  const found = async (client: Client) =>
    (await titles(client, "walrus", NAMED)).map((title) => title.split(" ")[1]).sort();
  expect(await found(owner)).toEqual(["goal", "hidden", "open", "person"]);
  expect(await found(person)).toEqual(["goal", "open", "person"]);
  expect(await found(await hidden.as({ role: "member", projectRole: "viewer" }))).toEqual([
    ...["goal", "hidden", "open", "person"],
  ]);
  expect(await found(await here.as({ role: "guest", projectRole: "viewer" }))).toEqual(["open", "person"]);
  expect(await found(await here.as({ role: "guest" }))).toEqual(["person"]);
  // A key limited to projects finds them, and the people who see one of them.
  expect(await found(await here.as({ role: "owner", projectIds: [here.project.id] }))).toEqual(["open", "person"]);
  expect(await found(await here.as({ role: "owner", projectIds: [hidden.project.id] }))).toEqual(["hidden"]);
  expect(await found((await here.other()).owner)).toEqual([]);
});

test("each type needs its scope: without it a search leaves it out, and one that names it is refused", async () => {
  const here = await world();
  await here.owner.patch("P", { name: "Otter" }).expect(200);
  await here.owner.post("W/goals", { title: "Otter" }).expect(201);
  await here.owner.post("P/issues", { title: "Otter" }).expect(201);
  await here.as({ role: "member", name: "Otter" });
  const types = async (scopes: string[]) => {
    const client = await here.as({ role: "member", scopes });
    return (await search(client, "otter")).map(({ type }) => type).sort();
  };
  expect(await types(["search:read"])).toEqual(["issue"]);
  expect(await types(["search:read", "goals:read"])).toEqual(["goal", "issue"]);
  expect(await types(["read"])).toEqual(["goal", "issue", "person", "project"]);
  const narrow = await here.as({ role: "member", scopes: ["search:read"] });
  for (const [type, scope] of Object.entries({ project: "projects", person: "members", goal: "goals" })) {
    const { body } = await narrow.get(`W/search?q=otter&types=${type}s`).expect(403, "insufficient_scope");
    expect(body.error.details.required_scope).toBe(`${scope}:read`);
  }
});

test("pages of all types follow each other without gaps and repeats", async () => {
  const here = await world();
  const { owner } = here;
  for (let n = 0; n < 3; n++) {
    await project(owner, { name: `Lynx ${n}`, key: `LX${n}` });
    await owner.post("W/goals", { title: `Lynx ${n}` }).expect(201);
    await here.as({ role: "viewer", name: `Lynx ${n}` });
    await owner.post("P/issues", { title: `Lynx ${n}` }).expect(201);
  }
  const whole = (await search(owner, "lynx")).map(({ id }) => id);
  expect(new Set(whole).size).toBe(12);
  const paged: string[] = [];
  for (let cursor = ""; ; ) {
    const { body } = await owner.get(`W/search?q=lynx&limit=5${cursor && `&cursor=${cursor}`}`).expect(200);
    paged.push(...body.data.map(({ id }: { id: string }) => id));
    cursor = body.pagination.next_cursor ?? "";
    if (cursor === "") break;
  }
  expect([...paged].sort()).toEqual([...whole].sort());
});

test("a query of only -words finds issues and docs, not everybody", async () => {
  const { owner } = await world();
  await owner.post("P/issues", { title: "Stoat" }).expect(201);
  expect(await titles(owner, "-ermine")).toEqual(["Stoat"]);
});

test("the page of search shows them with links, and the link of a person shows the person", async () => {
  const here = await world();
  await here.owner.patch("P", { name: "Badger works" }).expect(200);
  const { data: goal } = await here.owner.post("W/goals", { title: "Badger goal" }).expect(201);
  await here.as({ role: "member", name: "Badger Ben" });
  await here.as({ role: "member", name: "Carl" });
  const visitor = await browser(here.app, here.owner.userId);
  const base = `/w/${here.workspace.slug}`;
  const text = (await visitor.get(`${base}/search?q=badger`)).text.replaceAll("&#x2F;", "/").replaceAll("&#x3D;", "=");
  for (const href of [`${base}/p/web`, `${base}/goals/${goal.id}`, `${base}/members?q=Badger+Ben`]) {
    expect(text).toContain(`href="${href}"`);
  }
  for (const [type, title] of Object.entries({ project: "works", person: "Ben", goal: "goal" })) {
    const one = (await visitor.get(`${base}/search?q=badger&type=${type}`)).text;
    expect(one.match(/class="issue-title/g)).toHaveLength(1);
    expect(one).toContain(`Badger ${title}`);
  }
  const members = (await visitor.get(`${base}/members?q=Badger+Ben`)).text;
  expect(members).toContain("<strong>Badger Ben</strong>");
  expect(members).not.toContain("<strong>Carl</strong>");
  expect((await visitor.get(`${base}/members?q=nobody-there`)).status).toBe(200);
});

test("rows that are older than their index are found once a worker has indexed them", async () => {
  const here = await world();
  const { owner, sql, workspace } = here;
  await owner.patch("P", { name: "Ibex" }).expect(200);
  await owner.post("W/goals", { title: "Ibex" }).expect(201);
  await here.as({ role: "member", name: "Ibex" });
  for (const table of ["project", "goal", "member"]) {
    await sql(`update ${table} set search = null where workspace_id = $1`, [workspace.id]);
  }
  expect(await search(owner, "ibex")).toEqual([]);
  await indexOldRowsNow();
  expect((await search(owner, "ibex")).map(({ type }) => type).sort()).toEqual(["goal", "person", "project"]);
});

test("a person who joins while their name changes is found by the new name", async () => {
  const here = await world();
  const { owner, app, workspace } = here;
  const { userId } = (await here.other()).owner;
  const change = new pg.Client({ connectionString: app.config.DATABASE_URL });
  await change.connect();
  onTestFinished(() => change.end());
  await change.query("begin");
  await change.query("update app_user set name = 'Weasel New' where id = $1", [userId]);
  const joined = here.sql(
    "insert into member (workspace_id, user_id, role, joined_at) values ($1, $2, 'viewer', now())",
    [workspace.id, userId],
  );
  await new Promise((done) => setTimeout(done, 100));
  await change.query("commit");
  await joined;
  // Once, although the person is a member of two workspaces.
  expect(await titles(owner, "weasel", "types=person")).toEqual(["Weasel New"]);
});
