import { interleave, load, median, type Result } from "./load.ts";
import { setUp } from "./setup.ts";

/**
 * GET one issue, a list of 50 and POST issue, compared with bare Koa and pg with the same statements. `BENCH_BEFORE` names
 * another checkout, e.g. of the commit before a change; its web process is then measured in the same rounds.
 */

const ROUNDS = 5;
const ROUND_MS = 2_000;
const CONNECTIONS = 16;

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
    const folder = process.env.BENCH_BEFORE;
    const before = folder ? await bench.start("src/web.ts", {}, [], folder) : null;
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
    const against = (measure: (api: string) => Promise<Result>, floor: () => Promise<Result>): Variants => ({
      muster: () => measure(apiOf(web)),
      floor,
      ...(before ? { before: () => measure(apiOf(before)) } : {}),
    });
    const floorOne = () => load({ url: `${bare}/one`, status: 200 }, plan);
    const floorList = () => load({ url: `${bare}/list`, status: 200 }, plan);
    const floorCreate = () => load({ url: `${bare}/create`, method: "POST", body, status: 201 }, plan);
    await compare("GET one issue", 0.55, against(one, floorOne));
    await compare("GET list of 50", 0.9, against(list, floorList));
    await compare("POST issue", 0.6, against(create, floorCreate));
  } finally {
    await bench.stop();
  }
}

type Variants = { muster: Measure; floor: Measure; before?: Measure };
type Measure = () => Promise<Result>;
type Results = { muster: Result[]; floor: Result[]; before?: Result[] };

async function compare(name: string, goal: number, variants: Variants): Promise<void> {
  for (const warm of Object.values(variants)) await warm();
  const { muster, floor, before }: Results = await interleave(variants as Required<Variants>, ROUNDS);
  const ratioTo = (others: Result[]) => median(muster.map((result, round) => result.rps / others[round]!.rps));
  const ratio = ratioTo(floor);
  const show = (results: Result[]) =>
    `${median(results.map((r) => r.rps)).toFixed(0)} rps, p50 ${median(results.map((r) => r.p50)).toFixed(2)} ms`;
  console.log(
    `${name}: ${ratio.toFixed(2)} of the floor (goal ${goal}${ratio < goal ? ", MISSED" : ""}) - muster ${show(muster)}; floor ${show(floor)}`,
  );
  if (before) console.log(`  ${ratioTo(before).toFixed(2)} of before (${show(before)})`);
}
