import pg from "pg";
import { newId } from "../src/domain/kernel/ids.ts";
import { compareWithFloor, type FloorCase } from "./against-floor.ts";
import { type Bench, setUp } from "./setup.ts";

/**
 * Two trees of ten thousand goals each, with a key result below each goal of the lowest level. In the usual one, every
 * goal has ten goals below it. The other one is as hard as it gets: ten levels, with more than a thousand goals below each
 * goal of one chain. Median time of a page of the list, of one goal, and of a new value of a key result. The reference is a
 * bare program that does the least possible: it reads the stored rows, or it updates the value and each goal above it with
 * the mean of what is below, and stores one event.
 */

const LEVELS = 10;
const GOALS = 10_000;
/** Goals below each goal of the chain. */
const BELOW = Math.floor((GOALS - LEVELS) / (LEVELS - 1));
const TIMES = 300;

export async function run(): Promise<void> {
  const bench = await setUp({ issues: 0 });
  const bare = new pg.Client({ connectionString: bench.env.DATABASE_URL! });
  try {
    await fill(bench, wide);
    await fill(bench, usual);
    await bench.sql("analyze");
    await bare.connect();
    const [leaf, usualLeaf] = [await lowestGoal(bench, LEVELS), await lowestGoal(bench, USUAL_LEVELS)];
    const web = await bench.start("src/web.ts");
    const base = `http://127.0.0.1:${web.port}/v1/workspaces/bench/goals`;
    const call = async (path: string, body?: object) => {
      const reply = await fetch(base + path, {
        method: body ? "PATCH" : "GET",
        headers: { authorization: `Bearer ${bench.key}`, "content-type": "application/json" },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await reply.text();
      if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${text.slice(0, 300)}`);
      return text;
    };
    let value = 0;
    const next = () => ++value % 100;
    const cases: FloorCase[] = [
      ["list, 50 goals", () => call("?limit=50"), () => bareList(bare, bench)],
      [`goal with ${BELOW} below`, () => call(`/${leaf.parent}`), () => bareGoal(bare, leaf.parent)],
      ...[usualLeaf, leaf].map(
        ({ goal, keyResult }, n): FloorCase => [
          n === 0 ? `new value, usual tree` : `new value, ${LEVELS} wide levels`,
          () => call(`/${goal}/key-results/${keyResult}`, { current_value: next() }),
          () => bareChange(bare, bench, { goal, keyResult }, next()),
        ],
      ),
    ];
    console.log(`goals: two trees of ${GOALS} goals; median (99th percentile) of ${TIMES} calls, one at a time`);
    await compareWithFloor(cases, TIMES);
  } finally {
    await bare.end();
    await bench.stop();
  }
}

/** SQL of a tree: level, id and parent of each goal. */
type Tree = { levels: number; make: (sql: Bench["sql"]) => Promise<unknown> };

/** One chain through all levels. Each of its goals has more than a thousand goals below it, so sums are long. */
const wide: Tree = {
  levels: LEVELS,
  async make(sql) {
    await sql(
      `insert into tree
     with recursive chain as (
       select 1 as level, gen_random_uuid() as id, null::uuid as parent
       union all select level + 1, gen_random_uuid(), id from chain where level < $1)
     select * from chain`,
      [LEVELS],
    );
    await sql(
      `insert into tree select t.level + 1, gen_random_uuid(), t.id
     from tree t, generate_series(1, $1::int) n where t.level < $2`,
      [BELOW, LEVELS],
    );
  },
};

const USUAL_LEVELS = 5;

/** Every goal has ten goals below it. */
const usual: Tree = {
  levels: USUAL_LEVELS,
  async make(sql) {
    await sql("insert into tree values (1, gen_random_uuid(), null)");
    for (let level = 1; level < USUAL_LEVELS; level++) {
      await sql(
        `insert into tree select level + 1, gen_random_uuid(), id from tree, generate_series(1, 10) where level = $1`,
        [level],
      );
    }
  },
};

async function fill({ sql, ids }: Bench, { levels, make }: Tree): Promise<void> {
  await sql("create temp table if not exists tree (level int, id uuid, parent uuid)");
  await sql("truncate tree");
  await make(sql);
  await sql(
    `insert into goal (id, workspace_id, title, parent_goal_id, weight, progress, status, created_by, created_at, updated_at)
     select id, $1, 'Goal on level ' || level, parent, 1, 0.5, 'on_track', $2,
            now() - random() * interval '300 days', now() from tree`,
    [ids.workspaceId, ids.userId],
  );
  await sql(
    `insert into key_result (id, workspace_id, goal_id, title, kind, start_value, target_value, current_value, weight,
                             measure, progress, created_at, updated_at)
     select gen_random_uuid(), $1, id, 'Key result', 'manual', 0, 100, 50, 1, 'issues', 0.5, now(), now()
     from tree where level = $2`,
    [ids.workspaceId, levels],
  );
}

type Leaf = { goal: string; parent: string; keyResult: string };

async function lowestGoal({ sql }: Bench, level: number): Promise<Leaf> {
  const [row] = await sql(
    `select g.id as goal, g.parent_goal_id as parent, k.id as "keyResult"
     from goal g join key_result k on k.goal_id = g.id where g.title = 'Goal on level ' || $1::int limit 1`,
    [level],
  );
  return row as Leaf;
}

async function bareList(client: pg.Client, { ids }: Bench): Promise<string> {
  const { rows } = await client.query({
    name: "list",
    text: `select id, title, description_md, parent_goal_id, portfolio_id, owner_user_id, status, progress::float8,
                  weight, version, created_at, updated_at
           from goal where workspace_id = $1 and deleted_at is null order by created_at desc, id desc limit 50`,
    values: [ids.workspaceId],
  });
  return JSON.stringify({ data: rows });
}

async function bareGoal(client: pg.Client, id: string): Promise<string> {
  const [goal, keyResults, children] = [
    await client.query({ name: "goal", text: "select * from goal where id = $1", values: [id] }),
    await client.query({ name: "krs", text: "select * from key_result where goal_id = $1", values: [id] }),
    await client.query({
      name: "children",
      text: "select id, title, status, progress::float8 from goal where parent_goal_id = $1 limit 1000",
      values: [id],
    }),
  ];
  return JSON.stringify({ ...goal.rows[0], key_results: keyResults.rows, children: children.rows });
}

async function bareChange(client: pg.Client, { ids }: Bench, leaf: Omit<Leaf, "parent">, value: number): Promise<void> {
  await client.query("begin");
  await client.query({
    name: "value",
    text: "update key_result set current_value = $2, progress = $2::numeric / 100 where id = $1",
    values: [leaf.keyResult, value],
  });
  for (let id: string | null = leaf.goal; id !== null; ) {
    const { rows }: pg.QueryResult<{ parent_goal_id: string | null }> = await client.query({
      name: "above",
      text: `
        update goal set progress = (
          select sum(weight * progress) / sum(weight) from (
            select weight, progress from key_result where goal_id = $1 and progress is not null
            union all select weight, progress from goal where parent_goal_id = $1 and progress is not null) below)
        where id = $1 returning parent_goal_id`,
      values: [id],
    });
    id = rows[0]?.parent_goal_id ?? null;
  }
  await client.query({
    name: "event",
    text: `insert into event (id, workspace_id, type, actor_kind, cause, data, created_at)
           values ($3, $1, 'key_result.updated', 'user', '{}', $2, now())`,
    values: [ids.workspaceId, JSON.stringify({ id: leaf.keyResult, current_value: value }), newId()],
  });
  await client.query("commit");
}
