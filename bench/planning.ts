import { openPostgres } from "../src/adapters/postgres.ts";
import type { InProject } from "../src/domain/kernel/context.ts";
import type { Statement } from "../src/domain/kernel/ports/ports.ts";
import { listLabels } from "../src/domain/work/planning/labels.sql.ts";
import { listPlanned } from "../src/domain/work/planning/planning.sql.ts";
import { medianMs, ROUNDS } from "./load.ts";
import { setUp } from "./setup.ts";

/**
 * Lists of labels, milestones, sprints and releases of a project with a hundred thousand issues, with counts: median
 * time of a page, and the plan's scans. Half of the issues are in one milestone and one release.
 */

const ISSUES = 100_000;
const EACH = 51;

export async function run(): Promise<void> {
  const bench = await setUp({ issues: ISSUES });
  const database = openPostgres({ url: bench.env.DATABASE_URL!, pool: 2, name: "planning" }, silent);
  try {
    await fill(bench);
    const { workspaceId, projectId } = bench.ids;
    let sent: { text: string; values: readonly unknown[] } | undefined;
    const db = {
      query: <Row>(statement: Statement, values: readonly unknown[] = []) => {
        sent = { text: statement.text, values };
        return database.query<Row>(statement, values);
      },
    };
    const ctx = { db, workspace: { id: workspaceId }, project: { id: projectId } } as unknown as InProject;
    console.log(`planning: ${ISSUES} issues in one project; pages of ${EACH} rows, median of ${ROUNDS} runs`);
    for (const [name, list] of Object.entries({
      labels: () => listLabels(ctx, { after: null, limit: EACH }),
      milestones: () => listPlanned(ctx, "milestone", { after: null, limit: EACH }),
      sprints: () => listPlanned(ctx, "sprint", { after: null, limit: EACH }),
      releases: () => listPlanned(ctx, "release", { after: null, limit: EACH }),
    })) {
      let rows = 0;
      const ms = await medianMs(async () => {
        rows = (await list()).length;
      });
      const plan = await database.query<Record<string, string>>({ text: `explain ${sent!.text}` }, sent!.values);
      const scans = plan.flatMap((line) => /[\w ]*Scan(?: using \w+)? on issue\w*/.exec(line["QUERY PLAN"]!) ?? []);
      console.log(`${name.padEnd(12)} ${ms.toFixed(1).padStart(7)} ms  ${rows} rows  ${scans.join(", ").trim()}`);
    }
  } finally {
    await database.close();
    await bench.stop();
  }
}

const silent = { debug() {}, info() {}, warn() {}, error() {} };

async function fill({ sql, ids }: Awaited<ReturnType<typeof setUp>>) {
  for (const table of ["milestone", "sprint", "release"]) {
    await sql(
      `insert into ${table} (id, workspace_id, project_id, name, rank, created_at, updated_at)
       select gen_random_uuid(), $1, $2, 'No. ' || n, rank_of(n), now(), now() from generate_series(1, $3::int) n`,
      [ids.workspaceId, ids.projectId, EACH],
    );
  }
  await sql(
    `with m as (select array_agg(id order by rank) as ids from milestone),
          s as (select array_agg(id order by rank) as ids from sprint),
          r as (select array_agg(id order by rank) as ids from release)
     update issue i set story_points = number % 8,
       milestone_id = m.ids[case when number % 2 = 0 then 1 else 1 + number % ${EACH} end],
       sprint_id = s.ids[1 + number % ${EACH}],
       release_id = r.ids[case when number % 2 = 0 then 1 else 1 + number % ${EACH} end]
     from m, s, r`,
  );
  await sql("vacuum analyze issue");
}
