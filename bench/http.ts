import { once } from "node:events";
import { interleave, load, median, type Result } from "./load.ts";
import { type Bench, setUp } from "./setup.ts";

/**
 * GET one issue, a list of 50 and POST issue, compared with bare Koa and pg with the same statements. `BENCH_BEFORE` names
 * another checkout, e.g. of the commit before a change, and the same calls are compared with its web process.
 */

const ROUNDS = 5;
const ROUND_MS = 2_000;
const CONNECTIONS = 16;
/**
 * Two processes of the same code differ by up to 8 percent, depending on how their code was optimised. So a comparison
 * with another checkout uses several processes of each.
 */
const PAIRS = 6;
const PAIR_ROUNDS = 2;

export async function run(): Promise<void> {
  const bench = await setUp({ issues: 10_000 });
  try {
    const web = await bench.start("src/web.ts");
    const { workspaceId, projectId, userId, statusId } = bench.ids;
    const newIssue = {
      ord: 0,
      type: "task",
      status: "todo",
      status_id: statusId,
      priority: "medium",
      assignee_ids: [userId],
      reporter_id: userId,
      created_by: userId,
      label_ids: [],
      watcher_ids: [userId],
      child_count: 0,
      child_done_count: 0,
      epic_own: false,
      custom_fields: {},
      field_values: [],
      events: [
        {
          type: "issue.created",
          workspace_id: workspaceId,
          project_id: projectId,
          data: { title: "x".repeat(60), description_md: "y".repeat(300) },
        },
      ],
    };
    const authorship = JSON.stringify({ actor: { id: userId, kind: "user", name: "Ben" }, cause: {} });
    const floor = await bench.start("bench/floor.ts", {
      FLOOR: JSON.stringify({ workspaceId, projectId, newIssue, authorship }),
    });
    const apiOf = ({ port }: { port: number }) => `http://127.0.0.1:${port}/v1/workspaces/bench/projects/WEB/issues`;
    const bare = `http://127.0.0.1:${floor.port}`;
    const headers = { authorization: `Bearer ${bench.key}` };
    const body = () =>
      JSON.stringify({
        type: "task",
        title: "A new issue about the login page",
        description_md: "It fails on the second try.",
        assignee: "me",
      });
    const plan = { connections: CONNECTIONS, ms: ROUND_MS };

    console.log(
      `http: ${CONNECTIONS} connections, ${ROUNDS} interleaved rounds of ${ROUND_MS / 1000} s; requests a second, ratio to the floor`,
    );
    const one = (api: string) => load({ url: `${api}/WEB-500`, headers, status: 200 }, plan);
    const list = (api: string) => load({ url: `${api}?limit=50`, headers, status: 200 }, plan);
    const create = (api: string) => load({ url: api, method: "POST", headers, body, status: 201 }, plan);
    const lines: Line[] = [
      { name: "GET one issue", goal: 0.55, measure: one, floor: () => load({ url: `${bare}/one`, status: 200 }, plan) },
      {
        name: "GET list of 50",
        goal: 0.9,
        measure: list,
        floor: () => load({ url: `${bare}/list`, status: 200 }, plan),
      },
      {
        name: "POST issue",
        goal: 0.6,
        measure: create,
        floor: () => load({ url: `${bare}/create`, method: "POST", body, status: 201 }, plan),
      },
    ];
    for (const line of lines) await compareWithFloor(line, apiOf(web));
    const folder = process.env.BENCH_BEFORE;
    if (folder) {
      await compareWithBefore(lines, {
        start: (which) => bench.start("src/web.ts", {}, [], which === "before" ? folder : undefined),
        apiOf,
      });
    }
  } finally {
    await bench.stop();
  }
}

type Line = { name: string; goal: number; measure: (api: string) => Promise<Result>; floor: () => Promise<Result> };

async function compareWithFloor({ name, goal, measure, floor }: Line, api: string): Promise<void> {
  const muster = () => measure(api);
  await muster();
  await floor();
  const results = await interleave({ muster, floor }, ROUNDS);
  const ratio = ratioOf(results.muster, results.floor);
  const missed = ratio < goal ? ", MISSED" : "";
  console.log(
    `${name}: ${ratio.toFixed(2)} of the floor (goal ${goal}${missed}) - muster ${show(results.muster)}; floor ${show(results.floor)}`,
  );
}

type Process = Awaited<ReturnType<Bench["start"]>>;
type Comparison = {
  /** Starts a web process. */
  start: (which: "now" | "before") => Promise<Process>;
  apiOf: (web: Process) => string;
};

/** Starts pairs of processes, in alternating order. */
async function compareWithBefore(lines: Line[], { start, apiOf }: Comparison): Promise<void> {
  const results = lines.map((line) => ({ line, now: [] as Result[], before: [] as Result[] }));
  for (let pair = 0; pair < PAIRS; pair++) {
    const order = pair % 2 === 0 ? (["now", "before"] as const) : (["before", "now"] as const);
    const webs = { [order[0]]: await start(order[0]), [order[1]]: await start(order[1]) } as Record<
      "now" | "before",
      Process
    >;
    for (const { line, now, before } of results) {
      for (const which of order) await line.measure(apiOf(webs[which]));
      const measured = await interleave(
        { now: () => line.measure(apiOf(webs.now)), before: () => line.measure(apiOf(webs.before)) },
        PAIR_ROUNDS,
      );
      now.push(...measured.now);
      before.push(...measured.before);
    }
    for (const { child } of Object.values(webs)) {
      child.kill("SIGTERM");
      await once(child, "exit");
    }
  }
  for (const { line, now, before } of results) {
    const ratio = ratioOf(now, before).toFixed(2);
    console.log(
      `${line.name}: ${ratio} of before (${PAIRS} pairs of processes) - ${show(now)}; before ${show(before)}`,
    );
  }
}

/** Median of the ratios of the rounds. */
const ratioOf = (results: Result[], others: Result[]): number =>
  median(results.map((result, round) => result.rps / others[round]!.rps));

const show = (results: Result[]): string =>
  `${median(results.map((r) => r.rps)).toFixed(0)} rps, p50 ${median(results.map((r) => r.p50)).toFixed(2)} ms`;
