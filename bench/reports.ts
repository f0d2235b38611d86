import { monitorEventLoopDelay } from "node:perf_hooks";
import pg from "pg";
import { openPostgres } from "../src/adapters/postgres.ts";
import { encodeInParts } from "../src/api/engine/encode.ts";
import { reportOperations } from "../src/api/operations/work/reports.ts";
import { read } from "../src/domain/work/reports/reports.ts";
import { REPORTS } from "../src/domain/work/reports/views.ts";
import { fillHistory, ISSUES, projectOf, type Sent, scansOf } from "./history.ts";
import { median, medianMs, ROUNDS } from "./load.ts";
import { setUp } from "./setup.ts";

/**
 * Every report of a project with a hundred thousand issues: median time over HTTP, compared with its bare statements
 * through pg; how long one of them blocked the event loop; and the plans' scans. With DONE_LATELY=1 a fifth of the
 * issues was done in the last ninety days, more than a reply can contain.
 */

export async function run(): Promise<void> {
  const bench = await setUp({ issues: 0 });
  const database = openPostgres({ url: bench.env.DATABASE_URL!, pool: 2, name: "reports" }, silent);
  const bare = new pg.Client({ connectionString: bench.env.DATABASE_URL! });
  try {
    await fillHistory(bench);
    if (process.env.DONE_LATELY) await doneLately(bench);
    await bare.connect();
    const web = await bench.start("src/web.ts");
    const url = `http://127.0.0.1:${web.port}/v1/workspaces/bench/projects/WEB/reports`;
    const headers = { authorization: `Bearer ${bench.key}` };
    console.log(`reports: ${ISSUES} issues in one project, 60 sprints in three years; median of ${ROUNDS} runs`);
    console.log("report             json ms   csv ms   bare SQL ms   ratio   longest hold of the loop ms   kB   scans");
    for (const name of REPORTS) {
      const { ctx, sent } = projectOf(bench, database);
      const held = await longestHold(async () => {
        const answer = await read(ctx, name, { format: "json", bom: "true", width: 760 });
        await encodeInParts(reportOperations[0]!, answer, ctx, undefined);
      });
      const statements = sent.slice(0, sent.length / HELD_ROUNDS);
      const [json, csv] = [
        await medianMs(() => get(`${url}/${name}`)),
        await medianMs(() => get(`${url}/${name}?format=csv`)),
      ];
      const floor = await medianMs(async () => {
        for (const { text, values } of statements) await bare.query(text, values as unknown[]);
      });
      const bytes = await get(`${url}/${name}`);
      const scans = (await Promise.all(statements.map((one: Sent) => scansOf(database, one)))).flat();
      const cells = [json.toFixed(1), csv.toFixed(1), floor.toFixed(1), (json / floor).toFixed(2), held.toFixed(1)];
      const columns = [9, 9, 14, 8, 30].map((width, index) => cells[index]!.padStart(width)).join("");
      console.log(`${name.padEnd(17)}${columns} ${String(Math.round(bytes / 1024)).padStart(5)}   ${scans.join(", ")}`);
    }

    async function get(from: string): Promise<number> {
      const reply = await fetch(from, { headers });
      if (reply.status !== 200) throw new Error(`${from}: ${reply.status} ${await reply.text()}`);
      return (await reply.arrayBuffer()).byteLength;
    }
  } finally {
    await bare.end();
    await database.close();
    await bench.stop();
  }
}

const HELD_ROUNDS = 5;

async function longestHold(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const all: number[] = [];
  for (let round = 0; round < HELD_ROUNDS; round++) {
    await new Promise((done) => setTimeout(done, 20));
    delay.reset();
    delay.enable();
    await work();
    await new Promise((done) => setTimeout(done, 5));
    delay.disable();
    all.push(delay.max / 1e6);
  }
  return median(all);
}

const doneLately = ({ sql }: Awaited<ReturnType<typeof setUp>>) =>
  sql(`update issue set resolved_at = now() - make_interval(mins => number), status = 'done'
       where number > ${ISSUES - 25_000} and archived_at is null`);

const silent = { debug() {}, info() {}, warn() {}, error() {} };
