import { expect, test } from "vitest";
import { type ListOptions, listIssues } from "../../src/domain/work/issues/list.sql.ts";
import type { ListFilter } from "../../src/domain/work/issues/list-conditions.sql.ts";
import { SORTS, type Sort } from "../../src/domain/work/issues/orders.ts";
import { explaining } from "../support/plans.ts";
import { type World, world } from "../support/world.ts";

/** Orders of the issue list, and its filters by time. */

type Row = { key: string; title: string };

/** All pages of a list. `between` runs after each of them. */
async function walk({ owner }: World, query: string, between?: () => Promise<unknown>): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const page = await owner.get(`P/issues?limit=2&${query}${cursor && `&cursor=${cursor}`}`).expect(200);
    seen.push(...page.data.map(({ title }: Row) => title));
    cursor = page.body.pagination.next_cursor;
    await between?.();
  }
  return seen;
}

async function board() {
  const here = await world();
  const items = [
    { title: "a", priority: "low", due_at: "2031-01-03" },
    { title: "b", priority: "critical" },
    { title: "c", priority: "low", due_at: "2031-01-01" },
    { title: "d", priority: "medium", due_at: "2031-01-02T12:00:00Z" },
    { title: "e", priority: "critical", due_at: "2031-01-01", status: "done" },
  ];
  await here.owner.post("P/issues/bulk", { items }).expect(201);
  await here.sql(
    "update issue set updated_at = timestamptz '2030-01-01' + case when number = 2 then 9 else number end * interval '1 h' where project_id = $1",
    [here.project.id],
  );
  return here;
}

const ORDERED: Record<Sort, string> = {
  rank: "abcde",
  created_desc: "edcba",
  updated_desc: "bedca",
  priority_desc: "ebdca",
  due_asc: "cedab",
};

test.each(SORTS)("a list in the order %s can be paged to its end, with and without filters", async (sort) => {
  const here = await board();
  const ordered = [...ORDERED[sort]];
  expect(await walk(here, `sort=${sort}`)).toEqual(ordered);
  expect(await walk(here, `sort=${sort.toUpperCase()}`)).toEqual(ordered);
  expect(await walk(here, `sort=${sort}&priority=low,critical`)).toEqual(ordered.filter((title) => title !== "d"));
  expect(await walk(here, `sort=${sort}&status=backlog,todo&reporter=me`)).toEqual(
    ordered.filter((title) => title !== "e"),
  );
  const { data: view } = await here.owner.post("P/saved-views", { name: "Mine", filter: { sort } }).expect(201);
  expect(await walk(here, `view=${view.id}`)).toEqual(ordered);

  for (const number of [1, 2, 3, 4, 5]) await here.owner.delete(`P/issues/WEB-${number}`).expect(200);
  await here.sql("update issue set updated_at = updated_at - interval '9 years' where project_id = $1 and number = 1", [
    here.project.id,
  ]);
  const archived = await walk(here, `sort=${sort}&archived=true`);
  expect(archived.toSorted()).toEqual([..."abcde"]);
  if (sort !== "updated_desc") expect(archived).toEqual(ordered);
  else expect(archived.at(-1)).toBe("a");
});

test("pages repeat nothing while issues change their place in the order", async () => {
  const here = await board();
  let round = 0;
  const seen = await walk(here, "sort=updated_desc", () =>
    here.owner.patch(`P/issues/WEB-${(round++ % 2) + 1}`, { title: `changed ${round}` }).expect(200),
  );
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toEqual(expect.arrayContaining([..."bedc"]));
});

test("due_before lists what is due before a day or an instant", async () => {
  const here = await board();
  expect(await walk(here, "due_before=2031-01-02")).toEqual(["c", "e"]);
  expect(await walk(here, "due_before=2031-01-01")).toEqual([]);
  expect(await walk(here, "due_before=2031-01-02T12:00:00Z&sort=due_asc")).toEqual(["c", "e"]);
  expect(await walk(here, "due_before=2031-01-02T13:00:01%2B01:00&sort=due_asc")).toEqual(["c", "e", "d"]);
  expect(await walk(here, "due_before=9999-01-01&sort=created_desc")).toEqual(["e", "d", "c", "a"]);
  expect(await walk(here, "due_before=9999-01-01&status=todo,backlog&sort=priority_desc")).toEqual(["d", "c", "a"]);
});

test("updated_since lists what was changed at an instant or later", async () => {
  const here = await board();
  expect(await walk(here, "updated_since=2030-01-01T04:00:00Z")).toEqual(["b", "d", "e"]);
  expect(await walk(here, "updated_since=2030-01-01T04:00:00Z&sort=updated_desc")).toEqual(["b", "e", "d"]);
  expect(await walk(here, "updated_since=2030-01-02")).toEqual([]);
  expect(await walk(here, "updated_since=2030-01-01&priority=critical&sort=updated_desc")).toEqual(["b", "e"]);
});

test("unknown orders and wrong instants are refused with what is right", async () => {
  const { owner } = await world();
  const { body } = await owner.get("P/issues?sort=update_desc").expect(400, "invalid_parameter");
  expect(body.error.details.errors[0]).toMatchObject({ allowed: SORTS, did_you_mean: "updated_desc" });
  for (const query of ["due_before=soon", "due_before=2030-02-31", "updated_since=yesterday", "updated_since=1"]) {
    const reply = await owner.get(`P/issues?${query}`).expect(400, "invalid_parameter");
    expect(reply.body.detail).toMatch(/YYYY-MM-DD/);
  }
});

/** Issues of a long board, of which every hundredth is archived. */
async function longBoard() {
  const here = await world();
  await here.sql(
    `insert into issue (id, workspace_id, project_id, number, key, type, title, status, status_id, priority, rank, due_at,
                        archived_at, reporter_id, created_by, created_at, updated_at)
     select gen_random_uuid(), $1, $2, n, 'WEB-' || n, 'task', 'Issue ' || n, 'todo', $3,
            case n % 50 when 0 then 'high' else 'low' end, rank_of(n),
            case when n % 3 = 0 then now() + n * interval '1 h' end, case when n % 10 = 0 then now() end,
            $4, $4, now(), now() - (n % 977) * interval '1 min'
     from generate_series(1, 20000) n`,
    [here.workspace.id, here.project.id, here.columns["To Do"], here.owner.userId],
  );
  await here.sql("analyze issue");
  return here;
}

test("every order and filter by time reads an index in order, and no more rows than a page", async () => {
  const here = await longBoard();
  const { db, take } = await explaining(here);
  const plansOf = async (filters: ListFilter[], options: Partial<ListOptions>) => {
    const all = { sort: "rank", archived: false, after: null, limit: 51, ...options } as const;
    await listIssues(db, here.workspace.id, here.project.id, filters, all);
    return take();
  };
  const INDEX: Record<Sort, [string, string]> = {
    rank: ["issue_board", "issue_archived"],
    created_desc: ["issue_project_id_number_key", "issue_archived_by_creation"],
    updated_desc: ["issue_by_update", "issue_archived_by_update"],
    priority_desc: ["issue_by_urgency", "issue_archived_by_urgency"],
    due_asc: ["issue_by_due", "issue_archived_by_due"],
  };
  for (const sort of SORTS) {
    for (const archived of [false, true]) {
      const { indexes, most } = await plansOf([], { sort, archived });
      expect(indexes, sort).toContain(INDEX[sort][archived ? 1 : 0]);
      expect(most, sort).toBeLessThanOrEqual(60);
    }
  }
  const since: ListFilter = { column: "updated_at", any: [new Date(Date.now() - 600_000).toISOString()], none: false };
  const due: ListFilter = { column: "due_at", any: [new Date(Date.now() + 36_000_000).toISOString()], none: false };
  for (const [filter, sort, index, inOrder = false] of [
    [since, "updated_desc", "issue_by_update", true],
    [due, "due_asc", "issue_by_due", true],
    [since, "rank", "issue_by_update"],
    [due, "rank", "issue_due"],
    [due, "updated_desc", "issue_due"],
  ] as const) {
    const { indexes, most } = await plansOf([filter], { sort });
    expect(indexes, sort).toContain(index);
    // In another order, the front of the list is tried first, and then the rare matches are collected.
    expect(most, sort).toBeLessThanOrEqual(inOrder ? 60 : 4_001);
  }
});
