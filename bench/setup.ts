import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import pg from "pg";
import { readConfig } from "../src/config.ts";
import { freePort } from "../src/dev/ports.ts";
import { newId } from "../src/domain/kernel/ids.ts";
import { newSecret } from "../src/domain/kernel/secrets.ts";
import { migrate } from "../src/migrate.ts";
import { type Stack, startStack } from "../test/support/stack.ts";

/** A database with one project of issues, and the measured processes. */

export type Bench = {
  env: Record<string, string>;
  key: string;
  ids: { workspaceId: string; projectId: string; userId: string; statusId: string };
  sql(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  /** Starts a process that prints one JSON line with its port, or listens on PORT. */
  start(
    file: string,
    env?: Record<string, string>,
    flags?: string[],
    folder?: string,
  ): Promise<{ port: number; child: ChildProcess }>;
  stop(): Promise<void>;
};

type Options = {
  issues: number;
  /** Labels of each issue. */
  labels?: number;
  /** Settings of Postgres. */
  settings?: Record<string, string>;
};

export async function setUp({ issues, labels = 3, settings = {} }: Options): Promise<Bench> {
  return openBench(await startStack({ durable: true, settings }), (sql) => seed(sql, issues, labels));
}

/** What the calls of a benchmark need to know about its workspace. */
export type Seeded = Pick<Bench, "key" | "ids">;

/** Migrates a database and starts nothing else yet. `seeded` fills it, or finds what it was filled with. */
export async function openBench(
  stack: Stack,
  seeded: (sql: Bench["sql"]) => Promise<Seeded>,
  more: Record<string, string> = {},
): Promise<Bench> {
  const env = {
    PATH: process.env.PATH ?? "",
    NODE_ENV: "production",
    BASE_URL: "http://localhost",
    LOG_LEVEL: "error",
    SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
    DATABASE_URL: stack.databaseUrl,
    REDIS_URL: stack.redisUrl,
    HOST: "127.0.0.1",
    WEBHOOK_ALLOW_LOOPBACK: "true",
    DRAIN_SECONDS: "0",
    ...more,
  };
  await migrate(readConfig(env));
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  await client.connect();
  const sql = async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows;
  const { key, ids } = await seeded(sql);
  const children: ChildProcess[] = [];

  return {
    env,
    key,
    ids,
    sql,
    async start(file, more = {}, flags = [], folder = process.cwd()) {
      const port = await freePort();
      const child = spawn(process.execPath, [...flags, file], {
        cwd: folder,
        env: { ...env, PORT: String(port), WORKER_PORT: String(port), ...more },
        stdio: ["ignore", "pipe", "inherit"],
      });
      children.push(child);
      if (file.endsWith("web.ts")) {
        await listening(`http://127.0.0.1:${port}/readyz`);
        return { port, child };
      }
      if (file.endsWith("worker.ts")) {
        await listening(`http://127.0.0.1:${port}/healthz`);
        return { port, child };
      }
      const [line] = (await once(createInterface(child.stdout!), "line")) as [string];
      return { port: JSON.parse(line).port, child };
    },
    async stop() {
      for (const child of children) {
        child.kill("SIGTERM");
        if (child.exitCode === null) await once(child, "exit");
      }
      await client.end();
      await stack.stop();
    },
  };
}

async function listening(url: string): Promise<void> {
  for (let tries = 0; tries < 1_200; tries++) {
    const ok = await fetch(url).then(
      (reply) => reply.ok,
      () => false,
    );
    if (ok) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`${url} did not become ready.`);
}

type Sql = Bench["sql"];

export async function seed(sql: Sql, issues: number, labels: number): Promise<Seeded> {
  const ids = { workspaceId: newId(), projectId: newId(), userId: newId(), statusId: newId() };
  const { workspaceId, projectId, userId, statusId } = ids;
  const secret = newSecret("wk_");
  await sql(`insert into workspace values ($1, 'bench', 'Bench', 'business', 'en', 'UTC', now(), now())`, [
    workspaceId,
  ]);
  await sql(
    `insert into app_user (id, kind, email, name, created_at, updated_at) values ($1, 'person', 'b@bench.test', 'Ben', now(), now())`,
    [userId],
  );
  await sql(`insert into member (workspace_id, user_id, role, joined_at) values ($1, $2, 'owner', now())`, [
    workspaceId,
    userId,
  ]);
  await sql(
    `insert into api_key (id, workspace_id, user_id, kind, name, hash, prefix, last_four, scopes, rate_limit_per_minute, created_by, created_at, updated_at)
     values ($1, $2, $3, 'workspace', 'bench', $4, $5, $6, '{admin}', 100000000, $3, now(), now())`,
    [newId(), workspaceId, userId, secret.hash, secret.prefix, secret.last_four],
  );
  await sql(
    `insert into project (id, workspace_id, key, slug, name, default_status_id, created_by, created_at, updated_at)
     values ($1, $2, 'WEB', 'web', 'Web', $3, $4, now(), now())`,
    [projectId, workspaceId, statusId, userId],
  );
  await sql(`insert into issue_counter values ($1, $2)`, [projectId, issues]);
  await sql(
    `insert into board_status (id, workspace_id, project_id, name, color, category, rank, issue_count, created_at, updated_at)
     values ($1, $2, $3, 'To Do', '#64748b', 'todo', 'a1', $4, now(), now())`,
    [statusId, workspaceId, projectId, issues],
  );
  const labelIds = Array.from({ length: 20 }, () => newId());
  await sql(
    `insert into label (id, workspace_id, project_id, name, color, created_at, updated_at)
     select id, $1, $2, 'label ' || n, '#64748b', now(), now() from unnest($3::uuid[]) with ordinality as t(id, n)`,
    [workspaceId, projectId, labelIds],
  );
  await sql(
    `insert into issue (id, workspace_id, project_id, number, key, type, title, description_md, status, status_id, priority, rank,
                        assignee_ids, reporter_id, label_ids, created_by, created_at, updated_at)
     select gen_random_uuid(), $1, $2, n, 'WEB-' || n, 'task', 'Issue number ' || n || ' about the login page',
            repeat('Some words that describe what is wrong here. ', 10), 'todo', $3, 'medium', rank_of(n), array[$4::uuid], $4,
            ($5::uuid[])[1 + n % 15 : n % 15 + $7], $4, now(), now()
     from generate_series(1, $6) n`,
    [workspaceId, projectId, statusId, userId, labelIds, issues, labels],
  );
  await sql("analyze");
  return { key: secret.plaintext, ids };
}
