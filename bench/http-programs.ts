import { adminQuery, databaseAt } from "../test/support/databases.ts";
import { serversOf } from "./cpu.ts";
import { fillLean, LEAN_PROJECTS } from "./floors/schema.sql.ts";
import { ISSUES, type Kind, type Program } from "./http-calls.ts";
import { type Bench, setUp } from "./setup.ts";
import { openCounter, STATISTICS } from "./statements.sql.ts";
import { startCountingProxy } from "./trips.ts";

/** Starts Muster's web process, the lean floors, and the floor on Muster's own tables, all on one Postgres. */

export const PROJECTS = Array.from({ length: LEAN_PROJECTS }, (_, n) => (n === 0 ? "WEB" : `P${n + 1}`));

export type Programs = Awaited<ReturnType<typeof startPrograms>>;

export async function startPrograms() {
  const labels = Number(process.env.BENCH_LABELS ?? 3);
  const bench = await setUp({ issues: ISSUES, labels, settings: STATISTICS });
  try {
    const url = bench.env.DATABASE_URL!;
    await addColumns(bench);
    await addProjects(bench);
    await adminQuery(url, "create database lean");
    const leanUrl = databaseAt(url, "lean");
    await fillLean(leanUrl, ISSUES);
    /** `variable` is the one that names the database. */
    const start = async (name: string, kind: Kind, file: string, variable: string, env: Record<string, string>) => {
      const address = kind === "lean" ? leanUrl : url;
      const proxy = await startCountingProxy(address);
      const [{ port, child }, other] = await Promise.all([
        bench.start(file, { ...env, [variable]: address }),
        // Another process of the same program, whose calls are counted and not timed.
        bench.start(file, { ...env, [variable]: proxy.url }),
      ]);
      return { name, kind, port, pid: child.pid!, turns: {}, counted: { port: other.port, proxy } } satisfies Program;
    };
    const lean = (name: string) => start(name, "lean", "bench/floors/main.ts", "LEAN_URL", { FLOOR: name });
    return {
      bench,
      muster: await start("muster", "muster", "src/web.ts", "DATABASE_URL", {}),
      pg: await lean("koa-pg"),
      all: await lean("koa-all"),
      own: await start("own SQL", "own", "bench/floor.ts", "DATABASE_URL", { FLOOR: ownFloor(bench) }),
      servers: await serversOf(bench.env),
      counters: { muster: await openCounter(url), own: await openCounter(url), lean: await openCounter(leanUrl) },
      startWorker: async () => (await bench.start("src/worker.ts")).child.pid!,
      /** Tidies up after many changes, so that Postgres does not do so while others are measured. */
      async vacuum() {
        await bench.sql("vacuum analyze issue");
        await bench.sql("checkpoint");
      },
    };
  } catch (error) {
    await bench.stop();
    throw error;
  }
}

/** What the floor on Muster's own tables stores. */
function ownFloor({ ids: { workspaceId, projectId, userId, statusId } }: Bench): string {
  const newIssue = {
    project_id: projectId,
    key_prefix: "WEB-",
    url_prefix: "http://localhost/",
    keeps_limits: false,
    type: "task",
    status: "todo",
    status_id: statusId,
    priority: "medium",
    assignee_ids: [userId],
    reporter_id: userId,
    created_by: userId,
    label_ids: [],
    watcher_ids: [userId],
    actor: { id: userId, kind: "user", name: "Ben" },
    cause: {},
    json: JSON.stringify({ title: "x".repeat(60), description_md: "y".repeat(300) }),
    events: [{ type: "issue.created" }],
  };
  return JSON.stringify({ workspaceId, projectId, newIssue });
}

async function addColumns({ sql, ids: { workspaceId, projectId } }: Bench): Promise<void> {
  await sql(
    `insert into board_status (id, workspace_id, project_id, name, color, category, rank, created_at, updated_at)
     select gen_random_uuid(), $1, $2, c, '#64748b', c, 'b' || n, now(), now()
     from unnest('{in_progress,in_review,done}'::text[]) with ordinality as t(c, n)`,
    [workspaceId, projectId],
  );
}

async function addProjects({ sql, ids: { workspaceId, userId } }: Bench): Promise<void> {
  const added = PROJECTS.slice(1);
  await sql(
    `with made as (
       insert into project (id, workspace_id, key, slug, name, created_by, created_at, updated_at)
       select gen_random_uuid(), $1, k, lower(k), k, $2, now(), now() from unnest($3::text[]) k returning id),
     counted as (insert into issue_counter select id, 0 from made),
     board as (
       insert into board_status (id, workspace_id, project_id, name, color, category, rank, created_at, updated_at)
       select gen_random_uuid(), $1, id, 'To Do', '#64748b', 'todo', 'a1', now(), now() from made returning id, project_id)
     select count(*) from board`,
    [workspaceId, userId, added],
  );
  await sql(
    `update project p set default_status_id = s.id from board_status s where s.project_id = p.id and p.key <> 'WEB'`,
  );
}
