import { expect, test } from "vitest";
import { ISSUE_TYPES } from "../../src/domain/access/identity/issue-row.ts";
import { seeded } from "../support/random.ts";
import { type World, world } from "../support/world.ts";

/** What reports read from counts, and from the changes since then, is what the issues say, whatever has changed. */

const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
const DAY_MS = 86_400_000;

type Row = Record<string, number | string | null>;
const byAll = (rows: Row[]): Row[] => rows.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
const pick = (rows: Record<string, unknown>[], ...names: string[]): Row[] =>
  byAll(rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]]))) as Row[]);

async function reported({ owner }: World) {
  const read = async (name: string) => (await owner.get(`P/reports/${name}`).expect(200)).data.data;
  const [columns, types, workload, flow] = await Promise.all(
    ["status-breakdown", "type-breakdown", "workload", "throughput"].map(read),
  );
  return {
    columns: pick(columns.slices, "status_id", "count", "points").filter(({ count }) => count !== 0),
    types: pick(types.slices, "type", "count", "points").filter(({ count }) => count !== 0),
    load: pick(workload.rows, "assignee_id", "open", "in_progress", "overdue", "points", "estimate_minutes").filter(
      ({ open }) => open !== 0,
    ),
    open: workload.open_total,
    flow: { created: flow.total_created, resolved: flow.total_resolved },
  };
}

async function counted({ sql, project }: World) {
  const rows = async (text: string) => byAll(await sql<Row>(text, [project.id]));
  const live = "from issue i where project_id = $1 and archived_at is null";
  const open = "status in ('backlog', 'todo', 'in_progress', 'in_review')";
  const late =
    "due_at + case when due_at = date_trunc('day', due_at, 'UTC') then interval '1 day' else '0' end <= now()";
  return {
    columns: await rows(
      `select status_id, count(*)::int as count, coalesce(sum(story_points), 0)::int as points ${live} group by 1`,
    ),
    types: await rows(
      `select type, count(*)::int as count, coalesce(sum(story_points), 0)::int as points ${live} group by 1`,
    ),
    load: await rows(
      `select a as assignee_id, count(*)::int as open, count(*) filter (where status like 'in_%')::int as in_progress,
              count(*) filter (where ${late})::int as overdue, coalesce(sum(story_points), 0)::int as points,
              coalesce(sum(estimate_minutes), 0)::int as estimate_minutes
       ${live.replace("issue i", "issue i left join unnest(assignee_ids) a on true")} and ${open} group by 1`,
    ),
    open: (await rows(`select count(*)::int as open ${live} and ${open}`))[0]!.open,
    flow: {
      created: (await rows(`select count(*)::int as n ${live}`))[0]!.n,
      resolved: (await rows(`select count(*)::int as n ${live} and resolved_at is not null`))[0]!.n,
    },
  };
}

test(`after each of many changes, counted or not (FUZZ_SEED=${SEED})`, async () => {
  const here = await world();
  const { owner, sql, project, columns } = here;
  const member = await here.as({ role: "member" });
  const { pick: of, below } = seeded(SEED);
  const due = () => of([null, new Date(Date.now() - 2 * DAY_MS).toISOString(), "2026-01-01", "2100-01-01"]);
  const fields = () => ({
    ...of([{}, { story_points: of([null, 0, 5]) }, { estimate_minutes: of([null, 90]) }]),
    ...of([{}, { assignee_ids: of([[], ["me"], ["me", member.userId]]) }, { due_at: due() }]),
    ...of([{}, { type: of(ISSUE_TYPES.filter((type) => type !== "subtask" && type !== "epic")) }]),
    ...of([{}, {}, { status_id: of(Object.values(columns)) }]),
  });
  const keys: string[] = [];
  for (let step = 0; step < 120; step++) {
    const key = of(keys.length > 0 ? keys : [""]);
    const what = keys.length < 4 ? 0 : below(8);
    if (what === 0) keys.push((await owner.post("P/issues", { title: `${step}`, ...fields() }).expect(201)).data.key);
    else if (what === 1) await owner.delete(`P/issues/${key}`).expect(200);
    else if (what === 2) await owner.post(`P/issues/${key}/restore`);
    else if (what === 3) await owner.post(`P/issues/${key}/transition`, { status_id: of(Object.values(columns)) });
    else if (what === 4) await sql("select tally_issue_steps($1, $2)", [project.id, 1 + below(10)]);
    else await owner.patch(`P/issues/${key}`, fields());
    if (step % 6 === 5) expect(await reported(here), `step ${step}`).toEqual(await counted(here));
  }
  await sql("select tally_issue_steps($1, 10000)", [project.id]);
  expect(await reported(here)).toEqual(await counted(here));
}, 60_000);
