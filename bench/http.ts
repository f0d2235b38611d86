import { interleave, load, median, type Result } from "./load.ts";
import { setUp } from "./setup.ts";

/** GET one issue, a list of 50 and POST issue. Compared with bare Koa and pg with the same statements. */

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
    const api = `http://127.0.0.1:${web.port}/v1/workspaces/bench/projects/WEB/issues`;
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
    await compare("GET one issue", 0.55, {
      muster: () => load({ url: `${api}/WEB-500`, headers, status: 200 }, plan),
      floor: () => load({ url: `${bare}/one`, status: 200 }, plan),
    });
    await compare("GET list of 50", 0.9, {
      muster: () => load({ url: `${api}?limit=50`, headers, status: 200 }, plan),
      floor: () => load({ url: `${bare}/list`, status: 200 }, plan),
    });
    await compare("POST issue", 0.6, {
      muster: () => load({ url: api, method: "POST", headers, body, status: 201 }, plan),
      floor: () => load({ url: `${bare}/create`, method: "POST", body, status: 201 }, plan),
    });
  } finally {
    await bench.stop();
  }
}

async function compare(
  name: string,
  goal: number,
  variants: Record<"muster" | "floor", () => Promise<Result>>,
): Promise<void> {
  for (const warm of Object.values(variants)) await warm();
  const { muster, floor } = await interleave(variants, ROUNDS);
  const ratio = median(muster.map((result, round) => result.rps / floor[round]!.rps));
  const show = (results: Result[]) =>
    `${median(results.map((r) => r.rps)).toFixed(0)} rps, p50 ${median(results.map((r) => r.p50)).toFixed(2)} ms`;
  console.log(
    `${name}: ${ratio.toFixed(2)} of the floor (goal ${goal}${ratio < goal ? ", MISSED" : ""}) - muster ${show(muster)}; floor ${show(floor)}`,
  );
}
