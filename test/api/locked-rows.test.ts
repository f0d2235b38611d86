import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { app } from "../support/app.ts";
import { Client, type Exchange, type Reply } from "../support/client.ts";
import { type Process, startProcess } from "../support/process.ts";
import { type World, world } from "../support/world.ts";

/** Rows that stay locked for long: calls that need them wait, and no others. */

let web: Process;
const holders: pg.Client[] = [];

beforeAll(async () => {
  web = await startProcess("web", (await app()).config);
  // So that it is as fast as it will be.
  await timesOf(await at(await world()), await at(await world()), () => sleep(1_500));
}, 60_000);
afterEach(release);
afterAll(() => web.kill());

/** Locks rows in a transaction of its own until `release`. */
async function lock(statement: string, values: unknown[]): Promise<void> {
  const holder = new pg.Client({ connectionString: (await app()).config.DATABASE_URL });
  holders.push(holder);
  await holder.connect();
  await holder.query("begin");
  const { rowCount } = await holder.query(`${statement} for update`, values);
  expect(rowCount).toBeGreaterThan(0);
}

async function release(): Promise<void> {
  await Promise.all(holders.splice(0).map((holder) => holder.end()));
}

/** A key at the web process whose rate limit is none. */
async function at(here: World, project = here.project.key): Promise<Client> {
  const key = await here.keyFor(here.owner, { rateLimit: 1_000_000 });
  const W = `/v1/workspaces/${here.workspace.slug}`;
  return new Client(web.url, { W, P: `${W}/projects/${project}` }, key);
}

/** Calls one after another until told to stop. Answers how long each took, in milliseconds. */
function keepCalling(call: () => Exchange, status: number) {
  let going = true;
  const took: number[] = [];
  const running = (async () => {
    while (going) {
      const started = performance.now();
      await call().expect(status);
      took.push(performance.now() - started);
      await sleep(25);
    }
  })();
  running.catch(() => {});
  return async () => {
    going = false;
    await running;
    return took;
  };
}

/** How long everybody's reads and another tenant's writes took during something. */
async function timesOf(victims: Client, others: Client, during: () => Promise<unknown>) {
  const { data: issue } = await others.post("P/issues", { title: "Beside" }).expect(201);
  let n = 0;
  const title = () => ({ title: `Meanwhile ${++n}` });
  const loads = {
    "GET /v1/me of the same tenant": keepCalling(() => victims.get("/v1/me"), 200),
    "GET W/members of the same tenant": keepCalling(() => victims.get("W/members"), 200),
    "GET P/issues of another tenant": keepCalling(() => others.get("P/issues"), 200),
    "POST P/issues of another tenant": keepCalling(() => others.post("P/issues", title()), 201),
    "PATCH I of another tenant": keepCalling(() => others.patch(`P/issues/${issue.key}`, title()), 200),
  };
  await during();
  const took = new Map<string, number[]>();
  for (const [what, stop] of Object.entries(loads))
    took.set(
      what,
      (await stop()).sort((a, b) => a - b),
    );
  return took;
}

const quantile = (took: readonly number[], part: number) => took[Math.ceil(took.length * part) - 1];

/** Nobody else waits for the locks, for which their holders keep the writers waiting for seconds. */
async function expectFastBeside(victims: Client, others: Client, during: () => Promise<unknown>): Promise<void> {
  for (const [what, took] of await timesOf(victims, others, during)) {
    expect(took.length, what).toBeGreaterThan(15);
    // A machine that does much else at the same time adds something of its own.
    expect(quantile(took, 0.5), what).toBeLessThan(250);
    expect(quantile(took, 0.95), what).toBeLessThan(500);
    expect(took.at(-1), what).toBeLessThan(1_500);
  }
}

const statuses = async (calls: Promise<Reply>[]) => (await Promise.all(calls)).map(({ status }) => status);
const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));

/** Calls that come within a second, and are answered later. */
function callSoon(count: number, call: (n: number) => Exchange): Promise<Reply & { ms: number }>[] {
  return times(count, async (n) => {
    await sleep((1_000 / count) * n);
    const started = performance.now();
    const reply = await call(n);
    return { ...reply, ms: performance.now() - started };
  }).map((reply) => {
    reply.catch(() => {});
    return reply;
  });
}

test("forty writers that wait for one issue delay no one else, and succeed when it is free", async () => {
  const here = await world();
  const [victims, others] = [await at(here), await at(await here.other())];
  const { data: issue } = await victims.post("P/issues", { title: "Locked" }).expect(201);
  let calls: Promise<Reply>[] = [];
  await expectFastBeside(victims, others, async () => {
    await lock("select 1 from issue where id = $1", [issue.id]);
    calls = callSoon(40, (n) => victims.patch(`P/issues/${issue.key}`, { title: `Title ${n}` }));
    await sleep(3_500);
  });
  await release();
  expect(await statuses(calls)).toEqual(Array(40).fill(200));
}, 60_000);

test("locked boards of twenty projects slow down no other tenant", async () => {
  const tenants = await Promise.all(times(5, () => world()));
  const other = await at(await world());
  const projects = await Promise.all(
    tenants.flatMap((here, tenant) =>
      times(4, async (n) => {
        const key = `L${tenant}${n}`;
        const { data } = await here.owner.post("W/projects", { key, name: key }).expect(201);
        const client = await at(here, key);
        const { data: issue } = await client.post("P/issues", { title: "Moved" }).expect(201);
        return { id: data.id, client, issue, columns: (await client.get("P/statuses").expect(200)).data };
      }),
    ),
  );
  let calls: Promise<Reply>[] = [];
  await expectFastBeside(projects[0]!.client, other, async () => {
    for (const { id } of projects) await lock("select 1 from issue_counter where project_id = $1", [id]);
    calls = callSoon(40, (n) => {
      const { client, issue, columns } = projects[n % 20]!;
      if (n < 20) return client.post("P/issues", { title: "Waits" });
      return client.post(`P/issues/${issue.key}/transition`, { status_id: columns.at(-1).id });
    });
    await sleep(3_500);
  });
  await release();
  expect(await statuses(calls)).toEqual([...Array(20).fill(201), ...Array(20).fill(200)]);
}, 90_000);

test("a call gives up waiting for a lock after five seconds, and its reply says when to retry", async () => {
  const here = await world();
  const victims = await at(here);
  const { data: issue } = await victims.post("P/issues", { title: "Locked" }).expect(201);
  await lock("select 1 from issue where id = $1", [issue.id]);
  const calls = callSoon(20, (n) => victims.patch(`P/issues/${issue.key}`, { title: `Title ${n}` }));
  // Others of the project take turns with them, and other projects of the workspace wait for nothing.
  await sleep(1_500);
  const started = performance.now();
  await victims.post("P/issues", { title: "Beside" }).expect(201);
  expect(performance.now() - started).toBeLessThan(1_500);
  for (const reply of await Promise.all(calls)) {
    expect(reply.status, reply.text).toBe(503);
    expect(reply.body.code).toBe("unavailable");
    expect(reply.headers.get("retry-after")).toBe("2");
    expect(reply).toHaveProperty(
      "ms",
      expect.toSatisfy((ms: number) => ms > 4_000 && ms < 8_000),
    );
  }
}, 60_000);

test("repeats of a call in progress wait without delaying their project", async () => {
  const here = await world();
  const [victims, others] = [await at(here), await at(await here.other())];
  const { data: issue } = await victims.post("P/issues", { title: "Locked" }).expect(201);
  let calls: Promise<Reply>[] = [];
  await expectFastBeside(victims, others, async () => {
    await lock("select 1 from issue where id = $1", [issue.id]);
    const headers = { "idempotency-key": "the same" };
    calls = callSoon(20, () => victims.patch(`P/issues/${issue.key}`, { title: "Once" }, { headers }));
    await sleep(3_500);
  });
  await release();
  const replies = await Promise.all(calls);
  expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(replies.filter(({ headers }) => !headers.has("idempotent-replayed"))).toHaveLength(1);
}, 60_000);

test("members, pages and sign-in wait for a workspace's lock without delaying others", async () => {
  const here = await world();
  const [victims, others] = [await at(here), await at(await here.other())];
  let calls: Promise<Reply>[] = [];
  await expectFastBeside(victims, others, async () => {
    await lock("select 1 from workspace where id = $1", [here.workspace.id]);
    calls = callSoon(20, (n) => victims.post("W/invites", { email: `guest${n}@example.com`, role: "member" }));
    await sleep(3_500);
  });
  await release();
  expect(new Set(await statuses(calls))).toEqual(new Set([201]));
}, 60_000);
