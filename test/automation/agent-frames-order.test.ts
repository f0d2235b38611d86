import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { lastSeqs, positionOf } from "../../src/domain/automation/agent-events/replay.ts";
import { lockFrames } from "../../src/domain/automation/agent-events/store.sql.ts";
import { tellAgents } from "../../src/domain/automation/agent-events/tell-agents.ts";
import { backgroundOf } from "../../src/domain/events/background.ts";
import type { Database, Transaction } from "../../src/domain/kernel/ports/ports.ts";
import { startWorker } from "../../src/start-worker.ts";
import { worker } from "../../src/workers/automation/stream-to-agent.ts";
import { drain } from "../support/jobs.ts";
import { type World, world } from "../support/world.ts";
import { type Agent, agentIn, issueIn, namesFor, storedFor } from "./framed.ts";

/** Frames are numbered without gaps, in the order of the events, whatever happens to jobs and processes. */

const cleanup: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanup.splice(0).reverse()) await undo();
});

const contextOf = ({ app }: World) => backgroundOf(app.resources, new Date().toISOString());

/** Events that assign an issue to the agents, as the relay leaves them. Returns their ids in order. */
async function owe({ sql, workspace, project }: World, agents: readonly Agent[], count: number): Promise<string[]> {
  const rows = await sql<{ event_id: string }>(
    `with happened as (
       insert into event (id, workspace_id, type, project_id, actor_kind, cause, data, context, created_at)
       select uuidv7(), $1, 'issue.assigned', $2, 'user', '{}', jsonb_build_object('n', n),
              jsonb_build_object('added', $3::jsonb), now()
       from generate_series(1, $4::int) n
       returning id, workspace_id, (data ->> 'n')::int as n)
     insert into reaction (event_id, queue, workspace_id, due_at, position)
     -- Ids and places do not have the same order.
     select id, 'stream-to-agent', workspace_id, now() + interval '1 hour', 1000000 - n from happened
     returning event_id, position`,
    [workspace.id, project.id, JSON.stringify(agents.map(({ id }) => id)), count],
  );
  return rows.reverse().map(({ event_id }) => event_id);
}

async function tellAll(here: World) {
  const ctx = contextOf(here);
  for (let more = true; more; ) more = (await tellAgents(ctx, here.workspace.id)).more;
}

test("many passes at once store each event once, in order", async () => {
  const here = await world();
  const agents = [await agentIn(here), await agentIn(here, "Other"), await agentIn(here, "Third")];
  await drain();
  const events = await owe(here, agents, 450);
  await Promise.all(Array.from({ length: 8 }, () => tellAll(here)));
  for (const agent of agents) {
    const frames = await storedFor(here, agent);
    expect(frames.map(({ seq }) => seq)).toEqual(events.map((_, n) => n + 1));
    expect(frames.map(({ id }) => id)).toEqual(events);
  }
  expect(await here.sql("select 1 from reaction where workspace_id = $1", [here.workspace.id])).toEqual([]);
});

test("the times of frames never go back, so that `since` skips none, even if the clock does", async () => {
  const here = await world();
  const agent = await agentIn(here);
  await drain();
  await owe(here, [agent], 300);
  await tellAll(here);
  await here.sql(`update agent_stream set last_at = now() + interval '1 hour' where agent_id = $1`, [agent.id]);
  await owe(here, [agent], 1);
  await tellAll(here);
  const frames = await here.sql<{ at: string }>(
    "select created_at as at from agent_frame where agent_id = $1 order by seq",
    [agent.id],
  );
  expect(frames).toHaveLength(301);
  expect(frames).toEqual(frames.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)));
  const { db } = contextOf(here);
  const now = new Date().toISOString();
  const since = (at: Date) => positionOf(db, here.workspace, agent.id, { since: at.toISOString() }, now);
  expect((await since(new Date(Date.now() - 60_000))).after).toBe(0);
  expect((await since(new Date(Date.now() + 60_000))).after).toBe(300);
});

test("a process that is frozen in the middle keeps the others waiting for two seconds, and then adds nothing", async () => {
  const here = await world();
  const bot = await agentIn(here);
  await drain();
  const events = await owe(here, [bot], 20);
  const { database } = here.app.resources;
  const read = Promise.withResolvers<void>();
  let freezes = true;
  // After it has read what is owed, the process stands still for longer than its transaction may.
  const frozen: Database = {
    ...database,
    transaction: (work, settings, target) =>
      database.transaction(
        (tx) => {
          const query = async (...statement: Parameters<Transaction["query"]>) => {
            const rows = await tx.query(...statement);
            if (freezes && statement[0].name === "read_owed_to_agents") {
              freezes = false;
              read.resolve();
              await sleep(6_000);
            }
            return rows;
          };
          return work({ ...tx, query } as Transaction);
        },
        settings,
        target,
      ),
  };
  const late = tellAgents({ ...contextOf(here), database: frozen }, here.workspace.id);
  await read.promise;
  const started = performance.now();
  await tellAll(here);
  expect(performance.now() - started, "ms until another process could go on").toBeLessThan(5_000);
  expect((await storedFor(here, bot)).map(({ id }) => id)).toEqual(events);
  expect(await late).toMatchObject({ frames: 0 });
  expect((await storedFor(here, bot)).map(({ seq }) => seq)).toEqual(events.map((_, n) => n + 1));
});

test("a job leaves after one pass, however much waits in its workspace", async () => {
  const here = await world();
  const bot = await agentIn(here);
  await drain();
  const events = await owe(here, [bot], 350);
  const run = (event_ids: string[]) =>
    worker.handle(contextOf(here), { workspace_id: here.workspace.id, event_ids }, {} as never);
  await expect(run(events.slice(-50))).rejects.toThrow("earlier events come first");
  expect(await storedFor(here, bot)).toHaveLength(100);
  // Its events are done.
  await run(events.slice(0, 50));
  expect(await storedFor(here, bot)).toHaveLength(200);
  await here.app.resources.database.transaction(async (tx) => {
    expect(await lockFrames(tx, here.workspace.id)).toBe(true);
    await expect(run(events.slice(-50))).rejects.toThrow("another process tells");
  });
  await tellAll(here);
});

test("what was stored and not sent, because the process died, is in the rows with its number", async () => {
  const here = await world();
  const bot = await agentIn(here);
  await drain();
  const events = await owe(here, [bot], 3);
  const ctx = contextOf(here);
  const dies = { ...ctx.ports, publish: () => expect.fail("The process has died.") };
  await expect(tellAgents({ ...ctx, ports: dies }, here.workspace.id)).rejects.toThrow("died");
  expect(await lastSeqs(here.app.resources.database, [bot.id])).toEqual(new Map([[bot.id, 3]]));
  expect((await storedFor(here, bot)).map(({ id }) => id)).toEqual(events);
  // The job runs again, and tells nothing twice.
  expect(await tellAgents(ctx, here.workspace.id)).toMatchObject({ frames: 0 });
});

test("an event whose data no rule can read is left out, and later ones are told", async () => {
  const here = await world();
  const bot = await agentIn(here);
  await drain();
  await owe(here, [bot], 2);
  const [bad] = await owe(here, [bot], 1);
  await here.sql(`update event set context = '{"added": 7}' where id = $1`, [bad]);
  await here.sql("update reaction set position = 0 where event_id = $1", [bad]);
  await tellAll(here);
  expect((await storedFor(here, bot)).map(({ id }) => id)).not.toContain(bad);
  expect(await namesFor(here, bot)).toHaveLength(2);
});

test("two workers tell the changes of each issue in the order in which they were made", async () => {
  const here = await world();
  const [bot, other] = [await agentIn(here), await agentIn(here, "Other")];
  for (let n = 0; n < 2; n++) {
    const worker = await startWorker(here.app.config);
    cleanup.push(() => worker.stop());
  }
  const issues = await Promise.all(Array.from({ length: 6 }, () => issueIn(here)));
  await Promise.all(
    issues.map(async ({ key }) => {
      for (let n = 0; n < 12; n++) {
        const assignee = n % 2 === 0 ? bot.id : other.id;
        await here.owner.patch(`P/issues/${key}`, { assignee }).expect(200);
      }
    }),
  );
  await drain();
  for (const agent of [bot, other]) {
    const frames = await storedFor(here, agent);
    expect(frames.map(({ seq }) => seq)).toEqual(frames.map((_, n) => n + 1));
    for (const { id } of issues) {
      const about = frames.filter(({ data }) => data.data.id === id);
      const names = ["issue.assigned", "issue.unassigned"];
      const count = agent === bot ? 12 : 11;
      expect(about.map(({ event }) => event)).toEqual(Array.from({ length: count }, (_, n) => names[n % 2]));
      const times = about.map(({ data }) => String(data.timestamp));
      expect(times).toEqual([...times].sort());
    }
  }
});
