import { setTimeout as sleep } from "node:timers/promises";
import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";
import pg from "pg";
import { readConfig } from "../src/config.ts";
import { reactTo } from "../src/domain/automation/automation-runs/process.ts";
import { readViews } from "../src/domain/automation/automation-runs/subject.ts";
import { backgroundOf } from "../src/domain/events/background.ts";
import { newId } from "../src/domain/kernel/ids.ts";
import { COMMITTED } from "../src/domain/kernel/ports/ports.ts";
import { openResources } from "../src/resources.ts";
import { startWorker } from "../src/start-worker.ts";
import { compareWithFloor } from "./against-floor.ts";
import { median } from "./load.ts";
import { type Bench, setUp } from "./setup.ts";

/**
 * Automations on an idle machine, one event at a time: from the commit of the event until the commit of the first action,
 * beside a bare BullMQ job that reads the event and stores the comment. And what 500 automations cost an event that
 * matches none of them, beside the statement that reads the event.
 */

const EVENTS = 200;
const PAUSE_MS = 50;
const RULES = 500;
const GOAL_MS = 30;
const GOAL_OF_RULES_MS = 2;

export async function run(): Promise<void> {
  const bench = await setUp({ issues: 1_000 });
  const config = readConfig({ ...bench.env, WORKER_QUEUES: "" });
  const resources = openResources(config, "bench");
  const connection = new Redis(resources.queueRedis);
  const committed = await listen(bench.env.DATABASE_URL!);
  const pool = new pg.Pool({ connectionString: bench.env.DATABASE_URL!, max: 4 });
  try {
    const sample = await sampleOf(bench, resources);
    await addRule(bench, { actions: 1, conditions: null });
    const queue = new Queue("floor", { connection, prefix: "floor" });
    const floor = new Worker("floor", (job) => bareAction(pool, bench, sample.id, job.data.event), {
      connection,
      prefix: "floor",
    });
    const worker = await startWorker(config);
    await Promise.all([floor.waitUntilReady(), sleep(1_000)]);

    const measure = async (begin: (id: string) => Promise<unknown>, out: boolean) => {
      const id = newId();
      const done = committed.of(id);
      await record(bench, sample, id, out);
      const started = performance.now();
      await begin(id);
      await done;
      const took = performance.now() - started;
      await forgetLimits(bench);
      // What follows from the action, such as its own event, must not delay the next one.
      await sleep(PAUSE_MS);
      return took;
    };
    const ours = () => measure(async () => resources.ports.publish(COMMITTED), true);
    const bare = () =>
      measure((event) => queue.add("floor", { event }, { jobId: event, removeOnComplete: true }), false);
    const [mine, theirs]: [number[], number[]] = [[], []];
    for (let event = 0; event < EVENTS; event++) {
      mine.push(await ours());
      theirs.push(await bare());
    }
    console.log(`automations: commit of an event to commit of the first action, ${EVENTS} events, one at a time`);
    for (const [name, times] of [
      ["event to action", mine],
      ["bare job, two statements", theirs],
    ] as const) {
      console.log(
        `  ${name.padEnd(26)} median ${at(times, 0.5)} ms, p90 ${at(times, 0.9)} ms, p99 ${at(times, 0.99)} ms`,
      );
    }
    await worker.stop();
    await Promise.all([floor.close(), queue.close()]);
    await matching(bench, resources, sample);
    verdict("first action", median(mine), GOAL_MS);
  } finally {
    connection.disconnect();
    await Promise.all([committed.end(), pool.end()]);
    await resources.close();
    await bench.stop();
  }
}

const at = (times: readonly number[], share: number): string =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)]!.toFixed(1);

const verdict = (what: string, ms: number, goal: number) =>
  console.log(`  ${what}: median ${ms.toFixed(2)} ms; goal: below ${goal} ms: ${ms < goal ? "met" : "MISSED"}`);

type Resources = ReturnType<typeof openResources>;
type Sample = { id: string; data: object };

async function sampleOf({ sql, ids }: Bench, resources: Resources): Promise<Sample> {
  const [row] = await sql("select id from issue limit 1");
  const id = String(row!.id);
  const views = await readViews(backgroundOf(resources, new Date().toISOString()), ids.workspaceId, [id]);
  return { id, data: views.get(id)! };
}

/** Records an event of an issue. Without an outbox row, no relay takes it. */
async function record({ sql, ids }: Bench, { id: issue, data }: Sample, id: string, out = true): Promise<void> {
  await sql(
    `with written as (
       insert into event (id, workspace_id, type, project_id, issue_id, actor_id, actor_kind, cause, data, previous, changed,
                          created_at)
       values ($1, $2, 'issue.updated', $3, $4, $5, 'user', '{}', $6, '{"title": "Before"}', '{title}', now())
       returning id, workspace_id, type)
     insert into outbox (event_id, workspace_id, type) select id, workspace_id, type from written where $7`,
    [id, ids.workspaceId, ids.projectId, issue, ids.userId, JSON.stringify(data), out],
  );
}

async function addRule({ sql, ids }: Bench, { actions, conditions }: { actions: number; conditions: object | null }) {
  const comment = { type: "add_comment", comment: "Seen", target: "self" };
  await sql(
    `insert into automation (id, workspace_id, project_id, name, trigger, trigger_config, conditions, actions,
                             allow_chaining, on_error, enabled, created_by, created_at, updated_at)
     values (uuidv7(), $1, null, 'Bench', 'issue.updated', '{"fields": ["title"]}', $2, $3, false, 'stop', true, $4,
             now() - interval '1 hour', now())`,
    [
      ids.workspaceId,
      conditions && JSON.stringify(conditions),
      JSON.stringify(Array.from({ length: actions }, () => comment)),
      ids.userId,
    ],
  );
  await sql(
    `insert into automation_version (workspace_id, version) values ($1, 1)
     on conflict (workspace_id) do update set version = automation_version.version + 1`,
    [ids.workspaceId],
  );
}

const forgetLimits = ({ sql }: Bench) =>
  sql(`with hour as (update automation_hour set runs = 0) update automation_tally set runs_in_minute = 0`);

/** Tells when the first action of the run for an event was committed. */
async function listen(connectionString: string) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(`
    create function announce() returns trigger language plpgsql as $$
    begin perform pg_notify('acted', new.event_id::text); return null; end $$`);
  await client.query(`
    create trigger announce after update of status on automation_run
    for each row when (new.status is not null) execute function announce()`);
  await client.query("listen acted");
  const waiting = new Map<string, () => void>();
  client.on("notification", ({ payload }) => waiting.get(payload!)?.());
  return {
    of: (id: string) => new Promise<void>((resolve) => waiting.set(id, resolve)),
    end: () => client.end(),
  };
}

/** The floor's job: it reads the event and stores a comment. */
async function bareAction(pool: pg.Pool, { ids }: Bench, issueId: string, eventId: string): Promise<void> {
  await pool.query({ name: "read", text: "select * from event where id = $1", values: [eventId] });
  await pool.query({
    name: "act",
    text: `
      with written as (
        insert into comment (id, workspace_id, project_id, issue_id, author_id, body_md, body_html, mentions, created_at,
                             updated_at)
        values (uuidv7(), $1, $2, $3, $4, 'Seen', '<p>Seen</p>', '[]', now(), now()))
      select pg_notify('acted', $5)`,
    values: [ids.workspaceId, ids.projectId, issueId, ids.userId, eventId],
  });
}

/** What automations that do not match cost a job with one event. */
async function matching(bench: Bench, resources: Resources, sample: Sample): Promise<void> {
  await bench.sql("update automation set enabled = false");
  const conditions = {
    match: "all",
    rules: [
      { field: "priority", op: "is_one_of", value: ["high", "highest", "critical"] },
      { field: "title", op: "contains", value: "never" },
    ],
  };
  const some = { ...conditions, match: "any" };
  for (let n = 0; n < RULES; n++) await addRule(bench, { actions: 2, conditions: n % 2 ? conditions : some });
  const ids = Array.from({ length: EVENTS + 1 }, newId);
  for (const id of ids) await record(bench, sample, id, false);
  const working = { processId: newId(), stopping: { aborted: false }, clock: () => performance.now() };
  let [mine, theirs] = [0, 0];
  const ctx = backgroundOf(resources, new Date().toISOString());
  const ours = () => reactTo(ctx, bench.ids.workspaceId, [ids[mine++]!], working);
  const bare = () =>
    resources.database.query({ name: "floor_read", text: "select * from event where id = $1" }, [ids[theirs++]!]);
  console.log(`automations: an event that matches none of ${RULES}`);
  const [cost] = await compareWithFloor([["no match", ours, bare]], EVENTS);
  verdict(`${RULES} automations`, cost!, GOAL_OF_RULES_MS);
  // Time of a processor, which other work on the machine does not change.
  for (const id of Array.from({ length: EVENTS }, newId)) {
    ids.push(id);
    await record(bench, sample, id, false);
  }
  const before = process.cpuUsage();
  for (let event = 0; event < EVENTS; event++) await ours();
  const { user, system } = process.cpuUsage(before);
  console.log(`  processor time of an event: ${((user + system) / 1_000 / EVENTS).toFixed(2)} ms`);
}

if (import.meta.main) await run();
