import { expect, test } from "vitest";
import { configure } from "../support/app.ts";
import { type Client, type Reply, served } from "../support/client.ts";
import { race } from "../support/race.ts";
import { type World, world } from "../support/world.ts";

/** Many callers change docs at the same time. */

configure({ DATABASE_POOL: "24" });

const AGENTS = 50;

const agents = (here: World): Promise<Client[]> =>
  Promise.all(Array.from({ length: AGENTS }, (_, n) => here.as({ role: "member", name: `Agent ${n}` })));

const versionsOf = async ({ owner }: World, id: string) => {
  const { data } = await owner.get(`W/docs/${id}/versions?limit=100`).expect(200);
  return Promise.all(
    data.map(
      async (version: { id: string }) => (await owner.get(`W/docs/${id}/versions/${version.id}`).expect(200)).data,
    ),
  );
};

test("fifty agents append to one doc and patch it: nothing is lost, nothing twice, and versions tell who did what", async () => {
  const here = await world();
  const callers = await agents(here);
  const lines = callers.map((_, n) => `- [ ] task ${n}.`);
  const { data: doc } = await here.owner
    .post("W/docs", { title: "Plan", body_md: `${lines.join("\n")}\n` })
    .expect(201);
  const path = `W/docs/${doc.id}`;
  const calls = callers.flatMap((client, n) => [
    () => client.patch(path, { append: `note of ${n}.` }),
    () => client.patch(path, { replace: [{ find: `- [ ] task ${n}.`, with: `- [x] task ${n}.` }] }),
  ]);
  const replies = await Promise.all(calls.map((call) => served(call)));
  expect(replies.filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([]);
  expect(new Set(replies.map(({ data }) => data.version)).size).toBe(2 * AGENTS);

  const { data: after } = await here.owner.get(path).expect(200);
  expect(after.version).toBe(1 + 2 * AGENTS);
  const found = after.body_md.split("\n");
  expect(found.slice(0, AGENTS)).toEqual(lines.map((line) => line.replace("[ ]", "[x]")));
  expect(found.slice(AGENTS).sort()).toEqual(callers.map((_, n) => `note of ${n}.`).sort());

  const versions = (await versionsOf(here, doc.id)).reverse();
  expect(versions.at(-1).body_md).toBe(after.body_md);
  for (const [n, version] of versions.slice(1).entries()) {
    const author = callers.findIndex(({ userId }) => userId === version.created_by.id);
    const changed = differing(versions[n].body_md, version.body_md);
    expect(changed.length).toBeGreaterThan(0);
    for (const line of changed)
      expect(line).toMatch(new RegExp(`^(note of ${author}\\.|- \\[x\\] task ${author}\\.)$`));
  }
});

/** Lines that only the second text has. */
function differing(before: string, after: string): string[] {
  const old = new Set(before.split("\n"));
  return after.split("\n").filter((line) => !old.has(line));
}

test("of many changes with the same if_version, one wins", async () => {
  const here = await world();
  const { data: doc } = await here.owner.post("W/docs").expect(201);
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) => here.owner.patch(`W/docs/${doc.id}`, { title: `Title ${n}`, if_version: 1 })),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
  const winner = replies.find(({ status }) => status === 200)!;
  expect((await here.owner.get(`W/docs/${doc.id}`).expect(200)).data).toMatchObject({
    title: winner.data.title,
    version: 2,
  });
});

test("moves at the same time never make a cycle or too many levels", async () => {
  const here = await world();
  const { owner } = here;
  for (let round = 0; round < 8; round++) {
    const docs: string[] = [];
    for (let n = 0; n < 6; n++) docs.push((await owner.post("W/docs").expect(201)).data.id);
    const moves = docs.map((id, n) =>
      served(() => owner.patch(`W/docs/${id}`, { parent_id: docs[(n + 1) % docs.length] })),
    );
    const made = docs.map((id) => served(() => owner.post("W/docs", { parent_id: id })));
    const replies = await Promise.all([...moves, ...made]);
    expect(replies.map(({ status, body }) => body.code ?? status).sort()).toEqual([
      200,
      200,
      200,
      200,
      200,
      201,
      201,
      201,
      201,
      201,
      201,
      "parent_cycle",
    ]);
  }
  expect(await chains(here)).toBeLessThanOrEqual(10);

  const [left, right] = [await chain(owner, 6), await chain(owner, 6)];
  const both = await Promise.all([
    served(() => owner.patch(`W/docs/${left[0]}`, { parent_id: right[3] })),
    served(() => owner.patch(`W/docs/${right[0]}`, { parent_id: left[3] })),
  ]);
  expect(both.map(({ status }: Reply) => status).sort()).toEqual([200, 400]);
  expect(await chains(here)).toBeLessThanOrEqual(10);
});

async function chain(owner: Client, length: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < length; n++)
    ids.push((await owner.post("W/docs", { parent_id: ids.at(-1) ?? null }).expect(201)).data.id);
  return ids;
}

/** Number of levels of the deepest doc; a cycle would be endless and counts as 99. */
async function chains({ sql, workspace }: World): Promise<number> {
  const [row] = await sql<{ deepest: number }>(
    `with recursive up as (
       select id, parent_id, parent_branch, 1 as level from doc where workspace_id = $1
       union all
       select up.id, d.parent_id, d.parent_branch, up.level + 1
       from up join doc d on d.id = up.parent_id and d.branch = up.parent_branch where up.level < 99)
     select max(level)::int as deepest from up`,
    [workspace.id],
  );
  return row!.deepest;
}

test("a doc that is moved to another project while docs are placed below it keeps only those of its own project", async () => {
  const here = await world();
  const { owner } = here;
  for (let round = 0; round < 5; round++) {
    const { data: top } = await owner.post("W/docs").expect(201);
    const [moved, ...children] = await Promise.all([
      served(() => owner.patch(`W/docs/${top.id}`, { project: "WEB" })),
      ...Array.from({ length: 5 }, () => served(() => owner.post("W/docs", { parent_id: top.id }))),
    ]);
    expect(moved!.status).toBe(200);
    for (const { status, body } of children) expect([201, "invalid_reference"]).toContain(body.code ?? status);
  }
  const wrong = await here.sql(
    `select 1 from doc d join doc p on p.id = d.parent_id and p.branch = d.parent_branch
     where d.workspace_id = $1 and d.project_id is distinct from p.project_id`,
    [here.workspace.id],
  );
  expect(wrong).toEqual([]);
});

test("a restore at the same time as additions loses none of the versions", async () => {
  const here = await world();
  const { owner } = here;
  const { data: doc } = await owner.post("W/docs", { body_md: "first" }).expect(201);
  const [{ id: first }] = (await owner.get(`W/docs/${doc.id}/versions`).expect(200)).data;
  const others = await Promise.all(Array.from({ length: 10 }, () => here.as({ role: "member" })));
  const replies = await Promise.all([
    served(() => owner.post(`W/docs/${doc.id}/versions/${first}/restore`)),
    ...others.map((client, n) => served(() => client.patch(`W/docs/${doc.id}`, { append: `line ${n}.` }))),
  ]);
  expect(replies.map(({ status }) => status)).toEqual(Array(11).fill(200));
  const versions = (await versionsOf(here, doc.id)).reverse();
  for (const n of others.keys())
    expect(versions.filter(({ body_md }) => body_md.includes(`line ${n}.`))).not.toEqual([]);
  const restored = versions.findIndex(({ reason }) => reason === "restore");
  expect(versions[restored].body_md).toBe("first");
});

test("a member who is removed while they create a private doc leaves none without a reader", async () => {
  const here = await world();
  const author = await here.as({ role: "member" });
  const before = await author.post("W/docs", { visibility: "private" }).expect(201);
  // The removal has passed on the docs when it waits for the key.
  const key = { table: "api_key", column: "user_id", id: author.userId };
  const { replies, waited } = await race(
    here,
    key,
    () => here.owner.delete(`W/members/${author.userId}`),
    () => author.post("W/docs", { visibility: "private" }),
  );
  expect(waited).toBe(true);
  expect(replies.map(({ status }) => status)).toEqual([200, 401]);
  const left = await here.sql(
    "select 1 from doc where workspace_id = $1 and owner_id = $2 and visibility = 'private'",
    [here.workspace.id, author.userId],
  );
  expect(left).toEqual([]);
  await here.owner.get(`W/docs/${before.data.id}`).expect(200);
});
