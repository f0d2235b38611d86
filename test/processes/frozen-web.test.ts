import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { app } from "../support/app.ts";
import { Client } from "../support/client.ts";
import { type Process, startProcess } from "../support/process.ts";
import { type World, world } from "../support/world.ts";

/** A web process that stops in the middle of its transactions, as on a machine that is moved or starved. */

let here: World;
let web: Process;
let frozen: Client;

beforeAll(async () => {
  here = await world();
  web = await startProcess("web", (await app()).config);
  const key = await here.keyFor(here.owner, { rateLimit: 1_000_000 });
  const W = `/v1/workspaces/${here.workspace.slug}`;
  frozen = new Client(web.url, { W, P: `${W}/projects/${here.project.key}` }, key);
});
afterAll(async () => {
  web.child.kill("SIGCONT");
  await web.kill();
});

/**
 * Transactions that are open and wait for their next statement; this file's own process has none meanwhile. Those that
 * failed hold no locks.
 */
const idling = () =>
  here.sql(
    `select query, state, extract(epoch from now() - state_change) as seconds from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
  );

test("a process frozen in transactions loses their locks within 2 s, survives, and neither loses nor duplicates anything", async () => {
  const { data: issue } = await frozen.post("P/issues", { title: "Frozen" }).expect(201);
  let caught = 0;
  const wanted: string[] = [];
  for (let round = 0; round < 12 && caught < 3; round++) {
    const titles = Array.from({ length: 30 }, (_, n) => `Round ${round} issue ${n}`);
    wanted.push(...titles);
    const calls = titles.map(async (title) => {
      const call = () => frozen.post("P/issues", { title }, { headers: { "idempotency-key": title } });
      for (let tries = 0; tries < 100; tries++, await sleep(50)) {
        const reply = await call();
        if (reply.status === 201) return reply;
        expect([429, 503], reply.text).toContain(reply.status);
      }
      throw new Error(`${title} was never made`);
    });
    for (const one of calls) one.catch(() => {});
    const renamed = frozen.patch(`P/issues/${issue.key}`, { title: `Title of round ${round}` });
    Promise.resolve(renamed).catch(() => {});
    await sleep(15 + round * 11);
    web.child.kill("SIGSTOP");
    await sleep(100);
    const open = await idling();
    if (open.length > 0) {
      caught++;
      // Calls that need those rows get them after two seconds.
      await expect.poll(idling, { interval: 50, timeout: 3_000 }).toEqual([]);
      const started = Date.now();
      await here.owner.post("P/issues", { title: `While frozen ${round}` }).expect(201);
      await here.owner.patch(`P/issues/${issue.key}`, { title: `Changed while frozen ${round}` }).expect(200);
      expect(Date.now() - started).toBeLessThan(2_000);
      wanted.push(`While frozen ${round}`);
    }
    web.child.kill("SIGCONT");
    await Promise.all(calls);
    expect([200, 503]).toContain((await renamed).status);
    expect(web.child.exitCode).toBe(null);
  }
  // It was stopped inside transactions at least once, else this proves nothing.
  expect(caught).toBeGreaterThan(0);

  const made = await here.sql<{ title: string }>("select title from issue where workspace_id = $1 and id <> $2", [
    here.workspace.id,
    issue.id,
  ]);
  expect(made.map(({ title }) => title).sort()).toEqual([...wanted].sort());
  const events = await here.sql<{ issues: number }>(
    "select count(*) as issues from event where workspace_id = $1 and type = 'issue.created'",
    [here.workspace.id],
  );
  expect(events).toEqual([{ issues: wanted.length + 1 }]);
  expect(web.output()).not.toContain('"level":50');
  await frozen.get("/v1/me").expect(200);
}, 120_000);
