import { Redis } from "ioredis";
import { afterEach, expect, test } from "vitest";
import { continueRuns, reactTo } from "../../src/domain/automation/automation-runs/process.ts";
import { backgroundOf } from "../../src/domain/events/background.ts";
import { newId } from "../../src/domain/kernel/ids.ts";
import { renewLiveness } from "../../src/domain/kernel/liveness.sql.ts";
import { startWorker } from "../../src/start-worker.ts";
import { drain } from "../support/jobs.ts";
import { startProcess } from "../support/process.ts";
import { type World, world } from "../support/world.ts";
import { addRule, runsOf } from "./rules-by-sql.ts";

/** Every action has its effect once: under repeats, kills, a flushed Redis, and faults of an action. */

const cleanup: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanup.splice(0).reverse()) await undo();
});

async function working({ app: { config } }: World) {
  const worker = await startWorker(config);
  cleanup.push(() => worker.stop());
}

const comment = (text: string) => ({ type: "add_comment", comment: text, target: "self" });
const issues = async ({ owner }: World, count: number) => {
  for (let made = 0; made < count; made += 50) {
    const items = Array.from({ length: Math.min(50, count - made) }, () => ({ title: "One of many" }));
    await owner.post("P/issues/bulk", { items }).expect(201);
  }
};

/** How many issues have how many comments of each text. */
const commented = ({ sql, workspace }: World) =>
  sql<{ comments: string; issues: number }>(
    `select comments, count(*)::int as issues from (
       select string_agg(c.body_md, ',' order by c.created_at, c.id) as comments
       from issue i left join comment c on c.issue_id = i.id where i.workspace_id = $1 group by i.id) t
     group by comments order by comments`,
    [workspace.id],
  );

/** What a worker process of this test is for the functions of runs. */
async function processOf({ app: { resources } }: World, stopping = { aborted: false }) {
  const working = { processId: newId(), stopping, clock: () => performance.now() };
  await renewLiveness(resources.database, working.processId);
  return { ctx: backgroundOf(resources, new Date().toISOString()), working };
}

const eventsOf = async ({ sql, workspace }: World, type: string) =>
  (await sql<{ id: string }>("select id from event where workspace_id = $1 and type = $2", [workspace.id, type])).map(
    ({ id }) => id,
  );

test("jobs that run again, eight at once, apply each action once", async () => {
  const here = await world();
  const rule = await addRule(here, { trigger: "issue.created", actions: [comment("a"), comment("b")] });
  await issues(here, 10);
  const events = await eventsOf(here, "issue.created");
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      const { ctx, working } = await processOf(here);
      await reactTo(ctx, here.workspace.id, events, working);
    }),
  );
  await drain();
  expect(await commented(here)).toEqual([{ comments: "a,b", issues: 10 }]);
  const runs = await runsOf(here, rule);
  expect(runs.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => "ok"));
  expect(await here.sql("select runs from automation_hour where workspace_id = $1", [here.workspace.id])).toEqual([
    { runs: 10 },
  ]);
});

test("a worker that comes back after another one took its run over changes nothing", async () => {
  const here = await world();
  const rule = await addRule(here, { trigger: "issue.created", actions: [comment("a"), comment("b"), comment("c")] });
  await issues(here, 1);
  const [event] = await eventsOf(here, "issue.created");
  // The clock of the first worker stands still after its first action, while another one does the rest.
  const frozen = await processOf(here);
  let looks = 0;
  const goesOn = async () => {
    const other = await processOf(here);
    await here.sql("update automation_run set due_at = now() where workspace_id = $1 and status is null", [
      here.workspace.id,
    ]);
    await continueRuns(other.ctx, here.workspace.id, other.working);
  };
  let taken: Promise<void> | undefined;
  const stopping = {
    get aborted() {
      if (++looks === 3) taken = goesOn();
      return false;
    },
  };
  await reactTo(frozen.ctx, here.workspace.id, [event!], { ...frozen.working, stopping });
  await taken;
  await drain();
  expect(await commented(here)).toEqual([{ comments: "a,b,c", issues: 1 }]);
  const [run] = await runsOf(here, rule);
  expect(run!.actions_applied).toHaveLength(3);
});

test("a process that stops leaves its runs to others at once", async () => {
  const here = await world();
  await addRule(here, { trigger: "issue.created", actions: [comment("a"), comment("b")] });
  await issues(here, 3);
  const stopped = await processOf(here, { aborted: true });
  await reactTo(stopped.ctx, here.workspace.id, await eventsOf(here, "issue.created"), stopped.working);
  const next = await processOf(here);
  // On a busy machine a job ends before it has worked on all three.
  let runs = 0;
  for (let left = 1; left > 0; ) {
    const worked = await continueRuns(next.ctx, here.workspace.id, next.working);
    runs += worked.runs;
    left = worked.left;
  }
  expect(runs).toBe(3);
  expect(await commented(here)).toEqual([{ comments: "a,b", issues: 3 }]);
});

/** Storing a comment with this text fails so many times, or always. */
async function failing({ sql }: World, text: string, times: number | "always") {
  const name = `fragile_${newId().replaceAll("-", "")}`;
  await sql(`create sequence ${name}`);
  await sql(`
    create function ${name}() returns trigger language plpgsql as $$
    begin
      if new.body_md = '${text}' and ${times === "always" ? "true" : `nextval('${name}') <= ${times}`} then raise exception 'a fault of the test'; end if;
      return new;
    end $$`);
  await sql(`create trigger ${name} before insert on comment for each row execute function ${name}()`);
  cleanup.push(() => sql(`drop trigger ${name} on comment`));
}

test("an action that fails for a reason outside of it is tried again, and applied once", async () => {
  const here = await world();
  await failing(here, "b", 2);
  const rule = await addRule(here, { trigger: "issue.created", actions: [comment("a"), comment("b"), comment("c")] });
  await working(here);
  await issues(here, 1);
  const statuses = async () => (await runsOf(here, rule)).map(({ status }) => status);
  await expect.poll(statuses, { timeout: 20_000 }).toEqual(["ok"]);
  expect(await commented(here)).toEqual([{ comments: "a,b,c", issues: 1 }]);
}, 30_000);

test("after four attempts the fault is an error of the action, and the run goes on as the automation says", async () => {
  const here = await world();
  await failing(here, "b", "always");
  const actions = [comment("a"), comment("b"), comment("c")];
  const rule = await addRule(here, { trigger: "issue.created", actions, on_error: "continue" });
  await working(here);
  await issues(here, 1);
  const statuses = async () => (await runsOf(here, rule)).map(({ status }) => status);
  await expect.poll(statuses, { timeout: 30_000 }).toEqual(["partial"]);
  expect(await commented(here)).toEqual([{ comments: "a,c", issues: 1 }]);
  const [run] = await runsOf(here, rule);
  expect(run!.actions_applied![1]).toMatchObject({ ok: false });
  expect(run!.detail).toBe("internal_error: The action failed 4 times for a reason of the service.");
}, 40_000);

test("an event that cannot be read does not keep the others of its job from starting automations", async () => {
  const here = await world();
  await addRule(here, {
    trigger: "issue.created",
    conditions: { match: "all", rules: [{ field: "label", op: "is_empty" }] },
    actions: [comment("a")],
  });
  await issues(here, 3);
  const events = await eventsOf(here, "issue.created");
  await here.sql(`update event set data = data || '{"labels": 7}' where id = $1`, [events[1]]);
  await here.sql("delete from outbox where workspace_id = $1", [here.workspace.id]);
  const { ctx, working } = await processOf(here);
  expect(await reactTo(ctx, here.workspace.id, events, working)).toMatchObject({
    runs: 2,
    errors: [expect.any(TypeError)],
  });
});

/** Runs, in issues that as many automations share. A workspace starts at most 1,000 in an hour. */
const RUNS = Number(process.env.AUTOMATION_RUNS ?? 300);
const SHARE = 50;

test(`${RUNS} runs survive killed workers and a flushed Redis, and each action has its effect once`, async () => {
  const here = await world();
  const { config } = here.app;
  for (let n = 0; n < RUNS / SHARE; n++) {
    await addRule(here, {
      trigger: "issue.created",
      conditions: { match: "all", rules: [{ field: "title", op: "is", value: `Share ${n}` }] },
      actions: ["a", "b", "c"].map(comment),
    });
  }
  const redis = new Redis(config.REDIS_URL);
  cleanup.push(() => redis.quit());
  const ended = async () => (await runsOf(here)).filter(({ status }) => status !== null).length;
  let inTheMiddle = 0;
  for (let n = 0; n < RUNS / SHARE; n++) {
    const items = Array.from({ length: SHARE }, () => ({ title: `Share ${n}` }));
    await here.owner.post("P/issues/bulk", { items }).expect(201);
    if (n % 2 === 1) continue;
    const worker = await startProcess("worker", config);
    const before = await ended();
    await expect.poll(ended, { timeout: 20_000, interval: 5 }).toBeGreaterThan(before);
    await worker.kill();
    const halfway = await here.sql(
      "select 1 from automation_run where workspace_id = $1 and status is null and actions_applied is not null",
      [here.workspace.id],
    );
    inTheMiddle += halfway.length;
    if (n !== 2) continue;
    const keys = await redis.keys(`${config.REDIS_PREFIX}*`);
    if (keys.length > 0) await redis.del(...keys);
  }
  await working(here);
  await expect.poll(ended, { timeout: 60_000, interval: 200 }).toBe(RUNS);
  expect(await commented(here)).toEqual([{ comments: "a,b,c", issues: RUNS }]);
  expect((await runsOf(here)).filter(({ status }) => status !== "ok")).toEqual([]);
  // The kills were worth something.
  expect(inTheMiddle).toBeGreaterThan(0);
}, 180_000);

test("10,000 events of one workspace delay the automations of another by less than a second", async () => {
  const [busy, quiet] = [await world(), await world()];
  for (let n = 0; n < 20; n++) await addRule(busy, { trigger: "issue.created", actions: [comment("a")] });
  await addRule(quiet, { trigger: "issue.created", actions: [comment("a")] });
  await issues(busy, 1);
  await busy.sql(
    `with copied as (
       insert into event (id, workspace_id, type, project_id, issue_id, actor_id, actor_kind, actor_name, cause, data, created_at)
       select uuidv7(), workspace_id, type, project_id, issue_id, actor_id, actor_kind, actor_name, cause, data, now()
       from (select * from event where workspace_id = $1 and type = 'issue.created' limit 1) e, generate_series(1, 10000)
       returning id)
     insert into outbox (event_id, workspace_id, type) select id, $1, 'issue.created' from copied`,
    [busy.workspace.id],
  );
  await working(busy);
  await expect.poll(async () => (await runsOf(busy)).length, { timeout: 20_000 }).toBeGreaterThan(20);
  const took: number[] = [];
  for (let round = 1; round <= 5; round++) {
    await issues(quiet, 1);
    const started = performance.now();
    await expect
      .poll(async () => (await runsOf(quiet)).filter(({ status }) => status === "ok").length, {
        interval: 10,
        timeout: 20_000,
      })
      .toBe(round);
    took.push(performance.now() - started);
  }
  const waiting = await busy.sql<{ count: number }>(
    "select count(*)::int as count from reaction where workspace_id = $1 and queue = 'run-automations'",
    [busy.workspace.id],
  );
  expect(waiting[0]!.count).toBeGreaterThan(0);
  expect(took.toSorted((a, b) => a - b)[2]).toBeLessThan(1_000);
}, 90_000);
