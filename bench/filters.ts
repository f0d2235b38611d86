import { openPostgres } from "../src/adapters/postgres.ts";
import { decodeQuery } from "../src/api/engine/decode.ts";
import { IssueListQuery, listPage } from "../src/domain/work/issues/list.ts";
import { filterCases } from "./filter-cases.ts";
import { fillHistory, ISSUES, projectOf, scansOf } from "./history.ts";
import { medianMs, ROUNDS } from "./load.ts";
import { setUp } from "./setup.ts";

/**
 * Every filter of the issue list with a hundred thousand issues in one project: median time over HTTP of the first
 * and the fourth page, and the plan's scans. A page has 50 issues.
 */

const LATER = 4;
/** Maximum time of a page. */
const MAX_MS = 20;

export async function run(): Promise<void> {
  const bench = await setUp({ issues: 0 });
  const database = openPostgres({ url: bench.env.DATABASE_URL!, pool: 2, name: "filters" }, silent);
  try {
    await fillHistory(bench, { fields: true });
    const web = await bench.start("src/web.ts");
    const url = `http://127.0.0.1:${web.port}/v1/workspaces/bench/projects/WEB/issues`;
    const headers = { authorization: `Bearer ${bench.key}` };
    const get = async (query: Record<string, string>) => {
      const reply = await fetch(`${url}?${new URLSearchParams(query)}`, { headers });
      if (reply.status !== 200) throw new Error(`${JSON.stringify(query)}: ${reply.status} ${await reply.text()}`);
      return (await reply.json()) as { data: unknown[]; pagination: { next_cursor: string | null } };
    };
    console.log(`filters: ${ISSUES} issues in one project; pages of 50 issues, median of ${ROUNDS} runs`);
    console.log(`${"filter".padEnd(44)} first page ms  a later one  rows   scans`);
    const slow: string[] = [];
    for (const [name, query] of Object.entries(await filterCases(bench, ISSUES))) {
      const first = await medianMs(() => get(query));
      const cursor = await cursorOf(get, query);
      const later = cursor === null ? null : await medianMs(() => get({ ...query, cursor }));
      if (Math.max(first, later ?? 0) >= MAX_MS) slow.push(name);
      const rows = (await get(query)).data.length;
      const { ctx, sent } = projectOf(bench, database);
      const paging = { limit: 50, after: null, cursor: () => "" };
      await listPage(ctx, {
        ...decodeQuery(IssueListQuery, query, { lenient: false, warnings: [], also: [] }),
        paging,
      });
      const scans = (await Promise.all(sent.map((one) => scansOf(database, one)))).flat();
      const ofIssues = [...new Set(scans.filter((scan) => / issue/.test(scan)))];
      const columns = [first.toFixed(1).padStart(13), (later?.toFixed(1) ?? "").padStart(12), String(rows).padStart(5)];
      console.log(`${name.padEnd(44)} ${columns.join(" ")}   ${ofIssues.join(", ")}`);
    }
    console.log(slow.length === 0 ? `All below ${MAX_MS} ms.` : `Not below ${MAX_MS} ms: ${slow.join("; ")}.`);
  } finally {
    await database.close();
    await bench.stop();
  }
}

type Get = (query: Record<string, string>) => Promise<{ data: unknown[]; pagination: { next_cursor: string | null } }>;

/** The cursor of the later page, or of the last full one. */
async function cursorOf(get: Get, query: Record<string, string>): Promise<string | null> {
  let cursor: string | null = null;
  for (let page = 1; page < LATER; page++) {
    const { pagination } = await get(cursor === null ? query : { ...query, cursor });
    if (pagination.next_cursor === null) break;
    cursor = pagination.next_cursor;
  }
  return cursor;
}

const silent = { debug() {}, info() {}, warn() {}, error() {} };
