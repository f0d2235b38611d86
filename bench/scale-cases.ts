import { REPORTS } from "../src/domain/work/reports/views.ts";
import { filterCases } from "./filter-cases.ts";
import type { Store } from "./scale-stores.ts";

/** What is measured at every size. All stores have the same cases in the same order. */

export type Request = { method?: string; path: string; body?: object; key?: string };
export type Case = {
  name: string;
  times: number;
  /** Maximum of the median in ms, by the number of issues. */
  limits: Record<number, number>;
  request: (turn: number) => Request;
};

const ISSUES = "/projects/WEB/issues";
const FILTER_LIMITS = { 100000: 20, 1000000: 50 };
/** The fourth page, or the last full one. */
const LATER = 4;

const QUERIES = [
  ["a rare word", "q=zebra"],
  ["a word that does not exist", "q=nosuchword"],
  ["a word of 1 in 4", "q=login"],
  ["a word that all have", "q=wrong"],
  ["a prefix, 1 in 4", "q=logi"],
  ["two words, common", "q=login+describe"],
  ["a phrase", "q=%22describe+what%22"],
  ["a key", "q=WEB-77"],
  ["comments, a word of 1 in 5,000", "q=word17&types=comment"],
  ["comments, a word that all have", "q=tried&types=comment"],
] as const;

type Page = { pagination: { next_cursor: string | null } };

export async function casesOf({ bench, issues, keys }: Store, read: (path: string) => Promise<Page>): Promise<Case[]> {
  const any = () => `${ISSUES}/WEB-${Math.ceil(Math.random() * issues)}`;
  const live = await liveNumbers(bench);
  const changed = (turn: number) => `${ISSUES}/WEB-${live[turn % live.length]}`;
  const get = (name: string, path: () => string, times = 40): Case => ({
    name,
    times,
    limits: {},
    request: () => ({ path: path() }),
  });
  const write = (name: string, request: Case["request"]): Case => ({ name, times: 40, limits: {}, request });

  const filters: Case[] = [];
  for (const [name, query] of Object.entries(await filterCases(bench, issues))) {
    const first = `${ISSUES}?${new URLSearchParams({ limit: "50", ...query })}`;
    let path = first;
    for (let page = 1; page < LATER; page++) {
      const { next_cursor } = (await read(path)).pagination;
      if (next_cursor === null) break;
      path = `${first}&cursor=${encodeURIComponent(next_cursor)}`;
    }
    for (const [which, page] of [["", first] as const, [", later page", path] as const])
      filters.push({ ...get(`list: ${name}${which}`, () => page, 15), limits: FILTER_LIMITS });
  }
  const word = Date.now().toString(36);
  return [
    get("GET one issue", any),
    get("GET comments of an issue", () => `${any()}/comments`),
    get("GET history of an issue", () => `${any()}/activity`),
    write("POST issue", (turn) => ({
      method: "POST",
      path: ISSUES,
      body: {
        type: "bug",
        title: `A new issue ${turn}`,
        description_md: "It fails on the second try.",
        assignee: "me",
      },
    })),
    write("PATCH issue", (turn) => ({
      method: "PATCH",
      path: changed(turn),
      body: { title: `Changed ${word} ${turn}` },
    })),
    write("transition", (turn) => ({
      method: "POST",
      path: `${changed(Math.floor(turn / 2))}/transition`,
      body: { status: turn % 2 === 0 ? "in_progress" : "in_review" },
    })),
    write("POST comment", (turn) => ({
      method: "POST",
      path: `${changed(turn)}/comments`,
      body: { body_md: `A comment ${word} ${turn}` },
    })),
    ...filters,
    ...QUERIES.map(
      ([name, query]): Case => ({
        name: `search: ${name}`,
        times: 20,
        limits: {},
        request: (turn) => ({ path: `/search?limit=20&${query}`, key: keys[turn % keys.length]! }),
      }),
    ),
    ...REPORTS.map((name) => get(`report: ${name}`, () => `/projects/WEB/reports/${name}`, 7)),
  ];
}

/** Numbers of some issues that may be changed. */
async function liveNumbers({ sql, ids }: Store["bench"]): Promise<number[]> {
  const rows = await sql(
    `select number from issue where project_id = $1 and archived_at is null and type = 'task' and status = 'in_review'
     order by number limit 50`,
    [ids.projectId],
  );
  return rows.map(({ number }) => number as number);
}
