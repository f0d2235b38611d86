import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { newId } from "../../src/domain/kernel/ids.ts";
import type { Db } from "../../src/domain/kernel/ports/ports.ts";
import { listIssues } from "../../src/domain/work/issues/list.sql.ts";
import type { ListFilter } from "../../src/domain/work/issues/list-conditions.sql.ts";
import { type World, world } from "../support/world.ts";

type Row = { key: string; title: string };
const titles = (rows: Row[]) => rows.map((row) => row.title).join(" ");

/** A board with one issue for each thing a filter can tell apart. */
async function board() {
  const here = await world();
  const { owner, sql, workspace, project } = here;
  const anna = await here.as({ role: "member" });
  const ids = { label: newId(), sprint: newId(), milestone: newId(), release: newId() };
  const owned = [workspace.id, project.id];
  await sql(
    `insert into label (id, workspace_id, project_id, name, color, created_at, updated_at) values ($3, $1, $2, 'Backend', '#112233', now(), now())`,
    [...owned, ids.label],
  );
  for (const table of ["sprint", "milestone", "release"] as const) {
    await sql(
      `insert into ${table} (id, workspace_id, project_id, name, status, rank, created_at, updated_at) values ($3, $1, $2, 'One', 'active', 'a1', now(), now())`,
      [...owned, ids[table]],
    );
  }
  const items = [
    { title: "plain" },
    { title: "anna", assignee: anna.email, priority: "high" },
    { title: "label", labels: ["backend"], type: "bug" },
    { title: "sprint", sprint_id: ids.sprint, milestone_id: ids.milestone, release_id: ids.release },
    { title: "child", parent: "#0", description: "a Needle in it" },
    { title: "done", status: "done" },
  ];
  await owner.post("P/issues/bulk", { items }).expect(201);
  return { ...here, anna, ids };
}

test("a comma within a name is distinguished from one between names", async () => {
  const { owner } = await world();
  for (const name of ["a, b", "a", "b"]) await owner.post("P/labels", { name }).expect(201);
  for (const label of ["a, b", "a", "b"]) await owner.post("P/issues", { title: label, labels: [label] }).expect(201);
  const found = async (label: string) =>
    (await owner.get(`P/issues?label=${encodeURIComponent(label)}`).expect(200)).data.map(({ title }: Row) => title);
  expect(await found("A\\, B")).toEqual(["a, b"]);
  expect(await found("a, b")).toEqual(["a", "b"]);
  expect(await found("b,a\\, b")).toEqual(["a, b", "b"]);
});

test("every filter of the list finds the matching issues", async () => {
  const { owner, anna, ids, columns } = await board();
  const found = async (query: string) => titles((await owner.get(`P/issues?${query}`).expect(200)).data);
  expect(await found("")).toBe("plain anna label sprint child done");
  expect(await found("status=done")).toBe("done");
  expect(await found("status=completed")).toBe("done");
  expect(await found(`status=${columns.Done}`)).toBe("done");
  expect(await found("status=To%20Do")).toBe("plain anna label sprint child");
  expect(await found(`status=todo,${columns.Done}`)).toBe("plain anna label sprint child done");
  expect(await found(`assignee=${anna.userId}`)).toBe("anna");
  expect(await found(`assignee=${encodeURIComponent(anna.email.toUpperCase())}`)).toBe("anna");
  expect(await found("assignee=me")).toBe("");
  expect(await found("assignee=none")).toBe("plain label sprint child done");
  expect(titles((await anna.get("P/issues?assignee=me").expect(200)).data)).toBe("anna");
  expect(await found("reporter=me")).toBe("plain anna label sprint child done");
  expect(await found(`reporter=${anna.userId}`)).toBe("");
  expect(await found("label=BACKEND")).toBe("label");
  expect(await found(`label=${ids.label}`)).toBe("label");
  expect(await found("priority=high")).toBe("anna");
  expect(await found("priority=high,medium&type=bug")).toBe("label");
  expect(await found("type=BUG")).toBe("label");
  expect(await found(`sprint=${ids.sprint}`)).toBe("sprint");
  expect(await found("sprint=active")).toBe("sprint");
  expect(await found("sprint=ACTIVE")).toBe("sprint");
  expect(await found("assignee=None")).toBe("plain label sprint child done");
  expect(await found("sprint=None")).toBe("plain anna label child done");
  expect(await found("sprint=none")).toBe("plain anna label child done");
  expect(await found(`milestone=${ids.milestone}`)).toBe("sprint");
  expect(await found(`release=${ids.release}`)).toBe("sprint");
  expect(await found("parent=none")).toBe("plain anna label sprint done");
  expect(await found("parent=WEB-1")).toBe("child");
  expect(await found("q=needle")).toBe("child");
  expect(await found("q=WEB-3")).toBe("label");
  expect(await found("q=!!!")).toBe("");
  expect(await found("q=-needle")).toBe("plain anna label sprint done");
  expect(await found(`parent=${newId()}`)).toBe("");
  expect(await found("sort=created_desc&limit=2")).toBe("done child");
});

test("invalid filters are rejected with the allowed values", async () => {
  const { owner } = await world();
  for (const query of [
    "status=nope",
    "assignee=somebody",
    "priority=huge",
    "type=x",
    "sprint=abc",
    "milestone=1",
    "parent=xyz",
    "limit=0",
    "limit=-1",
    "limit=ten",
    "archived=maybe",
  ]) {
    const reply = await owner.get(`P/issues?${query}`).expect(400, "invalid_parameter");
    expect(reply.body.detail, query).not.toBe("");
  }
  const typo = await owner.get("P/issues?stauts=todo").expect(400, "unknown_parameter");
  expect(typo.body.error.details.did_you_mean).toBe("status");
  expect((await owner.get("P/issues?limit=100000").expect(200)).data).toEqual([]);
  await owner.get("P/issues?limit=null").expect(200);
});

test("pages have no gaps or duplicates while issues are added and moved behind them", async () => {
  const { owner } = await world();
  for (let round = 0; round < 3; round++)
    await owner
      .post("P/issues/bulk", { items: Array.from({ length: 40 }, (_, n) => ({ title: `${round}-${n}` })) })
      .expect(201);
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: { data: Row[]; body: { pagination: { next_cursor: string | null } } } = await owner
      .get(`P/issues?limit=7${cursor ? `&cursor=${cursor}` : ""}`)
      .expect(200);
    seen.push(...page.data.map((row) => row.key));
    cursor = page.body.pagination.next_cursor;
    await owner.post("P/issues", { title: "new", status: "backlog" }).expect(201);
    if (seen.length > 400) break;
  } while (cursor !== null && seen.length < 120);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.slice(0, 120)).toEqual(
    Array.from({ length: 120 }, (_, n) => `WEB-${n + 1}`).slice(0, seen.slice(0, 120).length),
  );
});

test("each sort order can be paged to its end", async () => {
  const { owner } = await world();
  await owner
    .post("P/issues/bulk", { items: Array.from({ length: 11 }, (_, n) => ({ title: `word ${n}`, priority: "high" })) })
    .expect(201);
  const up = Array.from({ length: 11 }, (_, n) => `WEB-${n + 1}`);
  for (const [sort, keys] of [
    ["rank", up],
    ["created_desc", up.toReversed()],
  ] as const) {
    for (const filter of ["", "&priority=high", "&q=word", "&priority=high,low"]) {
      const seen: string[] = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const page = await owner
          .get(`P/issues?limit=3&sort=${sort}${filter}${cursor && `&cursor=${cursor}`}`)
          .expect(200);
        seen.push(...page.data.map((row: Row) => row.key));
        cursor = page.body.pagination.next_cursor as string | null;
      }
      expect(seen, sort + filter).toEqual(keys);
    }
  }
});

test("issues of people who left the workspace are still found by their id", async () => {
  const { owner, as, sql, workspace } = await world();
  const anna = await as({ role: "member" });
  await anna.post("P/issues", { title: "hers", assignee: "me" }).expect(201);
  await sql("update member set status = 'suspended' where workspace_id = $1 and user_id = $2", [
    workspace.id,
    anna.userId,
  ]);
  for (const filter of ["reporter", "assignee"]) {
    expect(titles((await owner.get(`P/issues?${filter}=${anna.userId}`).expect(200)).data)).toBe("hers");
    await owner.get(`P/issues?${filter}=${encodeURIComponent(anna.email)}`).expect(400, "invalid_parameter");
  }
});

test("a cursor is refused when it is broken, changed, or used with other filters", async () => {
  const { owner } = await world();
  await owner.post("P/issues/bulk", { items: [{ title: "a" }, { title: "b" }] }).expect(201);
  const cursor = (await owner.get("P/issues?limit=1").expect(200)).body.pagination.next_cursor as string;
  await owner.get(`P/issues?cursor=${cursor}`).expect(200);
  await owner.get(`P/issues?status=todo&cursor=${cursor}`).expect(400, "cursor_mismatch");
  await owner.get("P/issues?cursor=nonsense").expect(400, "invalid_cursor");
  const forged = JSON.parse(Buffer.from(cursor, "base64url").toString());
  forged[1] = ["a1' or 1=1", "x"];
  await owner
    .get(`P/issues?cursor=${Buffer.from(JSON.stringify(forged)).toString("base64url")}`)
    .expect(400, "invalid_cursor");
});

test("fields= reduces objects to the requested fields", async () => {
  const { owner } = await world();
  await owner.post("P/issues", { title: "a" }).expect(201);
  expect((await owner.get("P/issues?fields=key,title").expect(200)).data).toEqual([{ key: "WEB-1", title: "a" }]);
  await owner.get("P/issues/WEB-1?fields=nope").expect(400, "invalid_parameter");
});

/** Beyond what is looked at before matches are collected, and more than are. */
const [OTHERS, MANY] = [4_050, 5_100];

async function longBoard() {
  const here = await world();
  await here.sql(
    `insert into issue (id, workspace_id, project_id, number, key, type, title, status, status_id, priority, rank,
                        reporter_id, created_by, created_at, updated_at)
     select gen_random_uuid(), $1, $2, n, 'WEB-' || n, 'task', 'Issue ' || n, 'todo', $3,
            case when n <= $5 then 'low' when n = $5 + 60 then 'highest' else 'high' end, rank_of(n), $4, $4, now(), now()
     from generate_series(1, $6::int) n`,
    [here.workspace.id, here.project.id, here.columns["To Do"], here.owner.userId, OTHERS, OTHERS + MANY],
  );
  return here;
}

test("frequent and rare matches far down a long board are found", async () => {
  const { owner } = await longBoard();
  const numbers = async (query: string) => {
    const { data, body } = await owner.get(`P/issues?${query}&limit=50`).expect(200);
    return { page: data.map(({ number }: { number: number }) => number), next: body.pagination.next_cursor };
  };
  const upTo = (from: number, step = 1) => Array.from({ length: 50 }, (_, index) => OTHERS + from + step * index);

  const first = await numbers("priority=high,medium");
  expect(first.page).toEqual(upTo(1));
  // The 60th is of another priority.
  const second = await numbers(`priority=high,medium&cursor=${first.next}`);
  expect(second.page).toEqual([...upTo(51).filter((number) => number !== OTHERS + 60), OTHERS + 101]);
  expect((await numbers("priority=highest,medium")).page).toEqual([OTHERS + 60]);
  expect((await numbers("priority=lowest,medium")).page).toEqual([]);
  expect((await numbers("priority=high,medium&sort=created_desc")).page).toEqual(upTo(MANY, -1));
  const old = await numbers("priority=low,medium&sort=created_desc");
  expect(old.page).toEqual(upTo(0, -1));
});

/** A database that tells of each statement before it runs it. */
const listening = ({ app }: World, hear: (text: string, values: readonly unknown[]) => unknown): Db => ({
  async query(statement, values = []) {
    await hear(statement.text, values);
    return app.resources.database.query(statement, values);
  },
});

test("old issues are found by creation time without scanning all newer ones", async () => {
  const here = await longBoard();
  const sent: [string, readonly unknown[]][] = [];
  const db = listening(here, (...statement) => sent.push(statement));
  const low: ListFilter = { column: "priority", any: ["low"], none: false };
  const options = { sort: "created_desc", archived: false, after: null, limit: 50 } as const;
  const rows = await listIssues(db, here.workspace.id, here.project.id, [low], options);
  expect([rows[0]!.number, rows.length]).toEqual([OTHERS, 50]);
  const client = new pg.Client({ connectionString: here.app.config.DATABASE_URL });
  onTestFinished(() => client.end());
  await client.connect();
  // Statistics of all rows, as a sample would be another one each time; and as though there were far more boards, for
  // reading all of a table as small as this one is cheap.
  await client.query("set default_statistics_target = 10000");
  await client.query("analyze issue");
  await client.query("set enable_seqscan = off");
  for (const [text, values] of sent) {
    const plan = JSON.stringify((await client.query(`explain (analyze, format json) ${text}`, [...values])).rows);
    const thrownAway = [...plan.matchAll(/"Rows Removed by Filter":(\d+)/g)].map(([, rows]) => Number(rows));
    expect(Math.max(0, ...thrownAway)).toBeLessThanOrEqual(4_000);
  }
});

test("the next page continues after the last issue's position, even if that issue has moved", async () => {
  const here = await longBoard();
  const last = [here.project.id, OTHERS + 3];
  await here.sql("update issue set type = 'bug' where project_id = $1 and number between $2 - 2 and $2 + 2", last);
  let statements = 0;
  const db = listening(here, async () => {
    // The front of the board and all that match have been looked at.
    if (++statements > 2) await here.sql("update issue set rank = 'zz' where project_id = $1 and number = $2", last);
  });
  const bugs: ListFilter = { column: "type", any: ["bug", "epic"], none: false };
  const options = { sort: "rank", archived: false, after: null, limit: 3 } as const;
  const rows = await listIssues(db, here.workspace.id, here.project.id, [bugs], options);
  const ranks = await here.sql(
    "select rank_of($1::int + 1) as a, rank_of($1::int + 2) as b, rank_of($1::int + 3) as c",
    [OTHERS],
  );
  expect(rows.map(({ rank }) => rank)).toEqual(Object.values(ranks[0]!));
});
