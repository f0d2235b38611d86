import { cpuOf } from "./cpu.ts";
import { startKeptStack } from "./kept-stack.ts";
import { load, median } from "./load.ts";
import { fillBoard, fillPages, signIn } from "./page-fill.ts";
import { openStore } from "./scale-stores.ts";
import { type Bench, setUp } from "./setup.ts";

/**
 * Pages for people in a workspace whose project has a thousand issues, and in the kept store of a million: computing time of
 * the web process and of Postgres, bytes of each page, and how long it takes, one call at a time. The reference is a bare
 * program that finds the session and sends the same bytes (bench/page-floor.ts). PAGES_ROUNDS, PAGES_CALLS: how often.
 * PAGES_PROFILE: a folder for a profile of the web process. PAGES: parts of the pages' names, with commas. PAGES_LARGE: size
 * of the large store, 0 for none; a million issues take ten minutes to fill, once. Linux only.
 */

const ISSUES = 1_000;
const LARGE = Number(process.env.PAGES_LARGE ?? 1_000_000);
const ROUNDS = Number(process.env.PAGES_ROUNDS ?? 5);
const CALLS = Number(process.env.PAGES_CALLS ?? 40);
const WARM = 60;
/** Milliseconds of computing time, and bytes. */
const GOALS: Record<string, { ms: number; bytes: number }> = {
  board: { ms: 100, bytes: 200_000 },
  issue: { ms: 30, bytes: 200_000 },
};
/** Of a project's pages that show the same at any size. */
const OF_PROJECT = { board: "/p/web", list: "/p/web/list", backlog: "/p/web/backlog", new: "/p/web/new", home: "" };

export async function run(): Promise<void> {
  await small();
  if (LARGE > 0) await large();
}

async function small(): Promise<void> {
  const bench = await setUp({ issues: ISSUES });
  try {
    await fillBoard(bench);
    const web = await startWeb(bench);
    const filled = await fillPages(bench, web.port);
    await bench.sql("analyze");
    const { issue, doc, channel: chat } = filled;
    await measureAll(bench, { web, issues: ISSUES, pages: { ...OF_PROJECT, issue, doc, chat } });
  } finally {
    await bench.stop();
  }
}

async function large(): Promise<void> {
  const stack = await startKeptStack({ shared_buffers: "1GB", max_wal_size: "8GB" });
  try {
    const { bench } = await openStore(stack, LARGE);
    try {
      const pages = { ...OF_PROJECT, issue: "/p/web/WEB-500" };
      await measureAll(bench, { web: await startWeb(bench), issues: LARGE, pages });
    } finally {
      await bench.stop();
    }
  } finally {
    await stack.stop();
  }
}

function startWeb(bench: Bench): Promise<Server> {
  const profile = process.env.PAGES_PROFILE;
  const flags = profile ? ["--cpu-prof", `--cpu-prof-dir=${profile}`] : [];
  return bench.start("src/web.ts", { RATE_LIMIT_PER_MINUTE: "1000000" }, flags);
}

type Store = { web: Server; issues: number; pages: Record<string, string> };

async function measureAll(bench: Bench, { web, issues, pages }: Store): Promise<void> {
  const cookie = await signIn(bench);
  const floor = await bench.start("bench/page-floor.ts");
  console.log(`pages: ${issues} issues, ${ROUNDS} rounds of ${CALLS} calls, one at a time; medians of the rounds`);
  console.log("              ms of CPU   Postgres  median ms   99th ms    bytes  CPU to floor");
  for (const [name, path] of Object.entries(pages)) {
    if (isWanted(name)) await one(bench, name, `/w/bench${path}`, { web, floor, cookie });
  }
}

const isWanted = (name: string) => (process.env.PAGES ?? name).split(",").some((part) => name.includes(part));

type Server = Awaited<ReturnType<Bench["start"]>>;

async function one(bench: Bench, name: string, path: string, { web, floor, cookie }: Beside): Promise<void> {
  const page = await (await fetch(`http://127.0.0.1:${web.port}${path}`, { headers: { cookie } })).text();
  await fetch(`http://127.0.0.1:${floor.port}${path}`, { method: "PUT", body: page });
  const measured = async ({ port, child }: Server, calls: number) => {
    const target = { url: `http://127.0.0.1:${port}${path}`, headers: { cookie, accept: "text/html" }, status: 200 };
    const before = [cpuOf(child.pid!), await postgresSeconds(bench)] as const;
    const result = await load(target, { connections: 1, ms: 60_000, calls });
    const seconds = [cpuOf(child.pid!) - before[0], (await postgresSeconds(bench)) - before[1]];
    const [cpu, postgres] = seconds.map((used) => (used / result.calls) * 1_000) as [number, number];
    return { ...result, cpu, postgres };
  };
  await measured(web, WARM);
  await measured(floor, WARM);
  const ours: Awaited<ReturnType<typeof measured>>[] = [];
  const theirs: typeof ours = [];
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(await measured(web, CALLS));
    // The floor takes so little time that more calls are needed to see it: the kernel counts hundredths of a second.
    theirs.push(await measured(floor, CALLS * 10));
  }
  const of = (results: typeof ours, field: "cpu" | "postgres" | "p50" | "p99" | "bytes") =>
    median(results.map((result) => result[field]));
  const goal = GOALS[name];
  const isMissed = goal && (of(ours, "cpu") > goal.ms || of(ours, "bytes") > goal.bytes);
  const verdict = goal ? ` (goal: ${goal.ms} ms, ${goal.bytes} bytes${isMissed ? ", MISSED" : ""})` : "";
  const cells = [of(ours, "cpu"), of(ours, "postgres"), of(ours, "p50"), of(ours, "p99")].map((ms) => ms.toFixed(1));
  console.log(
    `  ${name.padEnd(10)}${cells.map((cell) => cell.padStart(10)).join("")}${String(Math.round(of(ours, "bytes"))).padStart(10)}${(of(ours, "cpu") / of(theirs, "cpu")).toFixed(1).padStart(10)}${verdict}`,
  );
}

type Beside = { web: Server; floor: Server; cookie: string };

/** Time that statements ran, as far as Postgres has counted it. */
async function postgresSeconds({ sql }: Bench): Promise<number> {
  const [row] = await sql(`select sum(active_time) / 1000 as seconds from pg_stat_database`);
  return Number(row!.seconds);
}

if (import.meta.main) await run();
