import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { startWeb } from "../../src/start-web.ts";
import { app } from "../support/app.ts";
import { Client, type Reply } from "../support/client.ts";
import { hold } from "../support/locks.ts";
import { startProcess } from "../support/process.ts";
import { type World, world } from "../support/world.ts";

/** New issues that arrive at the same time share statements. Nothing of it shows. */

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));
const upTo = (count: number) => times(count, (n) => n + 1);

/** Keeps the project's number row locked until it is called, so that creates gather. */
async function holdNumbers({ project }: World): Promise<() => Promise<void>> {
  const release = await hold("select 1 from issue_counter where project_id = $1 for update", [project.id]);
  cleanUps.push(release);
  return release;
}

/** What is stored of each issue, by number, and that nothing is stored of anything else. */
async function stored({ sql, project, columns }: World) {
  const rows = await sql<{ number: number; title: string; actors: string[]; history: string[]; watchers: string[] }>(
    `select number, title, created_by, watcher_count,
            array(select actor_id from event e where e.issue_id = i.id and e.type = 'issue.created' and
              e.data ->> 'key' = i.key and (e.data ->> 'number')::int = i.number and e.data ->> 'rank' = i.rank
              and e.data ->> 'url' like '%/' || i.key and e.created_at = i.created_at) as actors,
            array(select actor_id from activity a where a.issue_id = i.id and a.kind = 'created') as history,
            array(select user_id from watcher w where w.issue_id = i.id) as watchers
     from issue i where project_id = $1 order by number`,
    [project.id],
  );
  const [counts] = await sql<Record<string, number>>(
    `select (select last_number from issue_counter where project_id = $1) as numbers,
            (select issue_count from board_status where id = $2) as counted,
            (select count(*) from event where project_id = $1 and type = 'issue.created') as events,
            (select count(*) from activity where project_id = $1) as lines`,
    [project.id, columns["To Do"]],
  );
  expect(rows.map(({ number }) => number)).toEqual(upTo(rows.length));
  expect(counts).toEqual({ numbers: rows.length, counted: rows.length, events: rows.length, lines: rows.length });
  for (const { actors, history, created_by, watcher_count, watchers } of rows as (Record<string, unknown> &
    (typeof rows)[number])[]) {
    expect([actors, history]).toEqual([[created_by], [created_by]]);
    expect(watchers.length).toBe(watcher_count);
  }
  return rows;
}

test("200 creates of several people at once, with refused ones among them, get 150 numbers without gaps", async () => {
  const here = await world();
  const people = [here.owner, await here.as({ role: "member" }), await here.as({ role: "member", isAgent: true })];
  const { data: parent } = await here.owner.post("P/issues", { title: "Parent" }).expect(201);
  const replies = await Promise.all(
    times(200, (n) => {
      const client = people[n % people.length]!;
      if (n % 8 === 1) return client.post("P/issues", { title: `Issue ${n}`, labels: ["unknown"] });
      if (n % 8 === 3) return client.post("P/issues", { title: "", assignee: "me" });
      if (n % 8 === 5) return client.post("P/issues", { title: `Issue ${n}`, type: "subtask", parent: parent.key });
      return client.post("P/issues", { title: `Issue ${n}`, assignee: "me", description: `Text ${n}` });
    }),
  );
  for (const [n, reply] of replies.entries()) {
    expect(reply.status, reply.text).toBe(n % 8 === 1 || n % 8 === 3 ? 400 : 201);
    if (reply.status !== 201) continue;
    const { data } = reply;
    expect(data).toMatchObject({ title: `Issue ${n}`, key: `WEB-${data.number}`, created_by: people[n % 3]!.userId });
    expect((await here.owner.get(`P/issues/${data.key}`)).data).toEqual(data);
  }
  const rows = await stored(here);
  expect(rows).toHaveLength(151);
  expect((await here.owner.get(`P/issues/${parent.key}`)).data.children.total).toBe(25);
}, 60_000);

test("an issue that cannot be stored fails alone", async () => {
  const here = await world();
  const external = { external_source: "jira", external_id: "1" };
  const release = await holdNumbers(here);
  const calls = times(12, (n) =>
    here.owner.post("P/issues", { title: `Issue ${n}`, ...(n % 4 === 3 ? external : {}) }),
  );
  await sleep(300);
  await release();
  const replies = await Promise.all(calls);
  const of = (status: number) => replies.filter((reply) => reply.status === status);
  expect([of(201).length, of(409).length]).toEqual([10, 2]);
  expect(of(409).map(({ body }) => body.code)).toEqual(["already_exists", "already_exists"]);
  expect(await stored(here)).toHaveLength(10);
});

test("a column that is deleted, and one that is full, refuse only those who name them", async () => {
  const here = await world();
  const { owner, project, sql, columns } = here;
  await owner.patch("P", { wip_mode: "enforce" }).expect(200);
  await owner.patch(`P/statuses/${columns["In Progress"]}`, { wip_limit: 1 }).expect(200);
  const release = await holdNumbers(here);
  const named = ["In Progress", "In Progress", "In Review", "To Do", "To Do", "To Do"];
  const calls = named.map((column) => owner.post("P/issues", { title: column, status_id: columns[column] }));
  await sleep(300);
  await sql("update board_status set deleted_at = now() where id = $1", [columns["In Review"]]);
  await release();
  const replies = await Promise.all(calls);
  expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 201, 400, 409]);
  expect(replies.slice(3).map(({ status }) => status)).toEqual([201, 201, 201]);
  const [counter] = await sql("select last_number from issue_counter where project_id = $1", [project.id]);
  expect(counter).toEqual({ last_number: 4 });
});

test("issues of several projects are numbered apart, and a locked project delays no other for long", async () => {
  const here = await world();
  const others = [await here.hidden("AA"), await here.hidden("ZZ")];
  const all = [here, ...others];
  const release = await holdNumbers(here);
  const locked = times(10, (n) => here.owner.post("P/issues", { title: `Locked ${n}` }).then((reply) => reply));
  const free = await Promise.all(
    times(60, (n) => others[n % 2]!.owner.post("P/issues", { title: `Issue ${n}` }).expect(201)),
  );
  expect(free.map(({ data }) => data.key.slice(0, 2))).toEqual(times(60, (n) => (n % 2 ? "ZZ" : "AA")));
  const started = performance.now();
  await others[0]!.owner.post("P/issues", { title: "Last" }).expect(201);
  expect(performance.now() - started).toBeLessThan(1_000);
  await release();
  for (const reply of await Promise.all(locked)) expect(reply.status).toBe(201);
  await Promise.all(times(90, (n) => all[n % 3]!.owner.post("P/issues", { title: `Again ${n}` }).expect(201)));
  for (const [n, count] of [40, 61, 60].entries()) expect(await stored(all[n]!)).toHaveLength(count);
}, 30_000);

test("the same Idempotency-Key twice at once, among others, creates one issue", async () => {
  const here = await world();
  const under = (key: string) => ({ headers: { "idempotency-key": key } });
  const replies = await Promise.all(
    times(60, (n) => here.owner.post("P/issues", { title: `Issue ${n >> 1}` }, n % 6 < 2 ? under(`k${n >> 1}`) : {})),
  );
  for (const reply of replies) expect(reply.status, reply.text).toBe(201);
  for (const n of times(10, (m) => m * 6)) expect(replies[n + 1]!.text).toBe(replies[n]!.text);
  expect(await stored(here)).toHaveLength(50);
}, 30_000);

test("two web processes number the issues of a project together", async () => {
  const here = await world();
  const { config } = await app();
  const web = await startWeb(config);
  cleanUps.push(() => web.stop());
  const { slug } = here.workspace;
  const W = `/v1/workspaces/${slug}`;
  const other = new Client(`http://127.0.0.1:${web.port}`, { W, P: `${W}/projects/WEB` }, here.owner);
  const replies = await Promise.all(
    times(200, (n) => (n % 2 ? here.owner : other).post("P/issues", { title: `Issue ${n}` }).expect(201)),
  );
  expect(new Set(replies.map(({ data }) => data.number)).size).toBe(200);
  expect(await stored(here)).toHaveLength(200);
}, 60_000);

test("what was answered is stored when the process is killed in the middle, and nothing in part", async () => {
  const here = await world();
  const web = await startProcess("web", (await app()).config);
  cleanUps.push(() => web.kill());
  const W = `/v1/workspaces/${here.workspace.slug}`;
  const client = new Client(web.url, { W, P: `${W}/projects/WEB` }, here.owner);
  const answered: Reply[] = [];
  let going = true;
  const callers = times(20, async (n) => {
    while (going) {
      const reply = await client.post("P/issues", { title: `Of ${n}` }).then(
        (done) => done,
        () => null,
      );
      if (reply?.status === 201) answered.push(reply);
      else going = false;
    }
  });
  await expect.poll(() => answered.length, { timeout: 20_000, interval: 20 }).toBeGreaterThan(100);
  await web.kill();
  await Promise.all(callers);
  await sleep(500);
  const rows = new Map((await stored(here)).map((row) => [row.number, row]));
  for (const { data } of answered) expect(rows.get(data.number)?.title).toBe(data.title);
}, 60_000);
