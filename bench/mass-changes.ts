import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { flagsOf } from "../test/support/procfile.ts";
import { median, medianMs } from "./load.ts";
import { type Bench, setUp } from "./setup.ts";

/**
 * Mass changes of a project whose issues all have the same label, milestone, sprint, field and column: the time of the
 * call, how long other calls of the project waited for locks and took meanwhile, and how many issues a second the worker
 * changed. MASS_ISSUES sets the number of issues (default: a hundred thousand).
 */

const ISSUES = Number(process.env.MASS_ISSUES ?? 100_000);
/** Longest wait of others for a lock. */
const GOAL_MS = 100;
/** A kind that has not ended by then ends the benchmark. */
const PATIENCE_MS = 600_000;
const SAMPLE_MS = 10;
const WRITE_EVERY_MS = 50;
const READ_EVERY_MS = 100;

export async function run(): Promise<void> {
  const bench = await setUp({ issues: 0 });
  const watcher = new pg.Client({ connectionString: bench.env.DATABASE_URL! });
  try {
    await watcher.connect();
    const { port } = await bench.start("src/web.ts", {}, flagsOf("web"));
    const call = caller(bench.key, `http://127.0.0.1:${port}/v1/workspaces/bench/projects/WEB`);
    const of = await fill(bench, call);
    await bench.start("src/worker.ts", {}, flagsOf("worker"));
    console.log(`mass-changes: ${ISSUES} issues in one project, other calls of it meanwhile; milliseconds`);
    console.log(HEAD);
    for (const [name, start] of Object.entries(kinds(call, of))) {
      await bench.sql("vacuum analyze issue");
      const before = await readTimes(call);
      const { rate, ...times } = await measure({ bench, watcher, call, start });
      const { lock, writes, reads } = times;
      const longest = writes.length > 0 ? Math.max(...writes) : Number.NaN;
      const cells = [times.called, lock, median(writes), longest, ...READS.flatMap((_, n) => [before[n]!, reads[n]!])];
      const missed = lock > GOAL_MS ? `   waits longer than ${GOAL_MS} ms` : "";
      const numbers = [...cells, times.seconds, rate].map((cell) => String(Math.round(cell)).padStart(8));
      console.log(`${name.padEnd(22)}${numbers.join("")}${missed}`);
    }
  } finally {
    await watcher.end();
    await bench.stop();
  }
}

const READS = ["/issues?limit=50", "/issues/WEB-7", "/reports/throughput"];
const HEAD = `${"".padEnd(22)}    call  lock, PATCH:  PATCH:   list:   list:    get:    get: report:  report: seconds issues/s
${"".padEnd(22)}           most  median    most  before   while  before   while  before   while`;

type Call = (method: string, path: string, body?: object) => Promise<{ data: Record<string, string> }>;

const caller =
  (key: string, base: string): Call =>
  async (method, path, body) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const reply = await fetch(base + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${(await reply.text()).slice(0, 300)}`);
    return (await reply.json()) as { data: Record<string, string> };
  };

/** Makes one change, and returns the times of the calls that others make until it has ended. */
async function measure({
  bench,
  watcher,
  call,
  start,
}: {
  bench: Bench;
  watcher: pg.Client;
  call: Call;
  start: () => Promise<unknown>;
}) {
  const recorded = await eventsIn(bench);
  const state = { over: false };
  const lock = longestWait(watcher, state);
  const writes = repeat(state, WRITE_EVERY_MS, () => {
    const number = 1 + Math.floor(Math.random() * ISSUES);
    const body = { estimate_minutes: 1 + Math.floor(Math.random() * 500_000) };
    return call("PATCH", `/issues/WEB-${number}`, body).catch(unlessArchived);
  });
  const began = performance.now();
  try {
    await start();
    const called = performance.now() - began;
    const reads = READS.map((path) => repeat(state, READ_EVERY_MS, () => call("GET", path)));
    while ((await bench.sql("select from mass_change")).length > 0) {
      if (performance.now() - began > PATIENCE_MS) throw new Error(`It did not end in ${PATIENCE_MS / 1000} s.`);
      await sleep(50);
    }
    const seconds = (performance.now() - began) / 1000;
    state.over = true;
    const all = await Promise.all(reads);
    const written = await writes;
    const events = (await eventsIn(bench)) - recorded;
    if (events < ISSUES) throw new Error(`${events} events of ${ISSUES} issues.`);
    const medians = all.map((times) => (times.length > 0 ? median(times) : Number.NaN));
    return { called, lock: await lock, writes: written, reads: medians, seconds, rate: ISSUES / seconds };
  } finally {
    state.over = true;
    await Promise.allSettled([lock, writes]);
  }
}

/** The longest time that a call has waited for a lock, as sampled until the end. */
async function longestWait(client: pg.Client, state: { over: boolean }): Promise<number> {
  let longest = 0;
  while (!state.over) {
    const { rows } = await client.query(
      `select coalesce(max(extract(epoch from clock_timestamp() - l.waitstart)), 0) * 1000 as ms
       from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.application_name like '%web%'`,
    );
    longest = Math.max(longest, Number(rows[0].ms));
    await sleep(SAMPLE_MS);
  }
  return longest;
}

/** Makes a call again and again, and returns how long each took. */
async function repeat(state: { over: boolean }, everyMs: number, one: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  while (!state.over) {
    const began = performance.now();
    await one();
    times.push(performance.now() - began);
    await sleep(everyMs);
  }
  return times;
}

async function readTimes(call: Call): Promise<number[]> {
  const times: number[] = [];
  for (const path of READS) times.push(await medianMs(() => call("GET", path)));
  return times;
}

/** Issues of a deleted column are archived, and take no more writes. */
function unlessArchived(error: Error): void {
  if (!error.message.includes("problems/archived")) throw error;
}

/** Events of mass changes: all but those of the writer. */
async function eventsIn({ sql }: Bench): Promise<number> {
  const [row] = await sql(
    `select count(*) as n from event
     where type in ('issue.updated', 'issue.archived') and changed is distinct from '{estimate_minutes}'`,
  );
  return Number(row!.n);
}

type Objects = Record<"label" | "milestone" | "sprint" | "next" | "field" | "column", string>;

const kinds = (call: Call, of: Objects): Record<string, () => Promise<unknown>> => ({
  "deleting a label": () => call("DELETE", `/labels/${of.label}`),
  "deleting a milestone": () => call("DELETE", `/milestones/${of.milestone}`),
  "completing a sprint": () =>
    call("PATCH", `/sprints/${of.sprint}`, { status: "completed", move_open_issues_to: of.next }),
  "deleting a sprint": () => call("DELETE", `/sprints/${of.next}`),
  "deleting a field": () => call("DELETE", `/custom-field-defs/${of.field}`),
  "closing a column": () => call("PATCH", `/statuses/${of.column}`, { category: "done" }),
  "deleting a column": () => call("DELETE", `/statuses/${of.column}`),
});

/** Adds the issues by SQL. All have all of the objects. */
async function fill({ sql, ids }: Bench, call: Call): Promise<Objects> {
  const made = async (path: string, body: object) => (await call("POST", path, body)).data.id!;
  const of: Objects = {
    label: await made("/labels", { name: "bug" }),
    milestone: await made("/milestones", { name: "M" }),
    sprint: await made("/sprints", { name: "S", status: "active" }),
    next: await made("/sprints", { name: "Next" }),
    field: await made("/custom-field-defs", { name: "Text", kind: "text" }),
    column: await made("/statuses", { name: "Ready", category: "todo" }),
  };
  await sql(
    `with added as (
       insert into issue (id, workspace_id, project_id, number, key, type, title, description_md, status, status_id,
                          priority, rank, assignee_ids, reporter_id, label_ids, milestone_id, sprint_id, custom_fields,
                          created_by, created_at, updated_at)
       select gen_random_uuid(), $1, $2, n, 'WEB-' || n, 'task', 'Issue number ' || n || ' about the login page',
              repeat('Some words that describe what is wrong here. ', 5), 'todo', $4, 'medium', rank_of(n), array[$3::uuid],
              $3, array[$5::uuid], $6, $7, jsonb_build_object($8::uuid, 'Customer ' || n), $3, now(), now()
       from generate_series(1, ${ISSUES}) n
       returning id, custom_fields)
     insert into custom_field_value (field_id, issue_id, workspace_id, value, updated_at)
     select $8, id, $1, custom_fields -> $8::text, now() from added`,
    [ids.workspaceId, ids.projectId, ids.userId, of.column, of.label, of.milestone, of.sprint, of.field],
  );
  await sql("update board_status set issue_count = $2 where id = $1", [of.column, ISSUES]);
  await sql("update custom_field set value_count = $2 where id = $1", [of.field, ISSUES]);
  await sql("update issue_counter set last_number = $2 where project_id = $1", [ids.projectId, ISSUES]);
  await sql("analyze");
  return of;
}
