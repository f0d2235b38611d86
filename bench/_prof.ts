// scratch
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { readConfig } from "../src/config.ts";
import { newId } from "../src/domain/ids.ts";
import { openSealer } from "../src/domain/seal.ts";
import { newWebhookSecret } from "../src/domain/webhooks/signature.ts";
import { setUp } from "./setup.ts";

const N = Number(process.env.N ?? 5000),
  H = Number(process.env.H ?? 1);
const bench = await setUp({ issues: 1 });
const { port } = await bench.start("bench/sink.ts");
const sealer = openSealer(readConfig(bench.env).SECRET_KEY, []);
for (let at = 0; at < H; at++)
  await bench.sql(
    `insert into webhook (id, workspace_id, url, event_types, secret_sealed, secret_prefix, created_by, created_at, updated_at) values ($1, $2, $3, $4, $5, 'whsec_', $6, now(), now())`,
    [
      newId(),
      bench.ids.workspaceId,
      `http://127.0.0.1:${port}`,
      [`kind${at}.made`],
      sealer.seal(newWebhookSecret()),
      bench.ids.userId,
    ],
  );
await bench.sql("create extension if not exists pg_stat_statements").catch((e) => console.log(e.message));
await bench.sql(
  `with written as (insert into event (id, workspace_id, type, actor_kind, cause, data, created_at) select id, $2, 'kind' || n % $3 || '.made', 'user', '{}', $4, now() from unnest($1::uuid[]) with ordinality as t(id, n) returning id, workspace_id, type) insert into outbox (event_id, workspace_id, type) select id, workspace_id, type from written`,
  [
    Array.from({ length: N }, newId),
    bench.ids.workspaceId,
    H,
    JSON.stringify({ data: { title: "x".repeat(60), description_md: "y".repeat(600) } }),
  ],
);
const worker = spawn(
  process.execPath,
  [...(process.env.PROF ? ["--cpu-prof", "--cpu-prof-dir=/tmp/qd/prof"] : []), "src/worker.ts"],
  {
    env: { ...bench.env, LOG_LEVEL: "error", TRACE: process.env.TRACE ?? "" },
    stdio: ["ignore", "inherit", "inherit"],
  },
);
import { execSync } from "node:child_process";
const pgPid = execSync(`ss -ltnp 2>/dev/null | grep ':${new URL(bench.env.DATABASE_URL!).port} ' | head -1`).toString();
const cpu = () => {
  const out: Record<string, number> = {};
  for (const line of execSync("ps -eo pid,ppid,times,cputimes,args --no-headers").toString().trim().split("\n")) {
    const [pid] = line.trim().split(/\s+/);
    void pid;
  }
  return out;
};
void pgPid; void cpu;
import { readFileSync, readdirSync } from "node:fs";
const ticks = (match: (cmd: string) => boolean) => {
  let sum = 0;
  for (const pid of readdirSync("/proc").filter((n) => /^\d+$/.test(n))) {
    try {
      const cmd = readFileSync(`/proc/${pid}/cmdline`, "utf8");
      const ppid = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
      const parentCmd = readFileSync(`/proc/${ppid[1]}/cmdline`, "utf8");
      if (match(cmd) || match(parentCmd)) sum += Number(ppid[11]) + Number(ppid[12]);
    } catch {}
  }
  return sum * 10;
};
const pgDir = (await bench.sql("show data_directory"))[0]!.data_directory as string;
const redisPort = new URL(bench.env.REDIS_URL!).port;
const stats = () => ({ worker: ticks((c) => c.includes("src/worker.ts") && process.pid > 0) , pg: ticks((c) => c.includes(pgDir)), redis: ticks((c) => c.includes("redis-server") && c.includes(redisPort)) });
const t0 = performance.now();
await sleep(900);
const s0 = stats();
let firstMatch = 0;
for (;;) {
  const [row] = await bench.sql(
    "select count(*)::int as all, count(*) filter (where state <> 'succeeded')::int as open from webhook_delivery",
  );
  const [owed] = await bench.sql(
    "select (select count(*) from outbox)::int as o, (select count(*) from reaction)::int as r",
  );
  if (!firstMatch && row!.all) firstMatch = performance.now();
  if (process.env.V) console.log(Math.round(performance.now() - t0), row, owed);
  if (row!.open === 0 && owed!.o === 0 && owed!.r === 0 && row!.all === N) break;
  await sleep(250);
}
const s1 = stats(); console.log("cpu us per delivery", Object.fromEntries(Object.entries(s1).map(([k, v]) => [k, Math.round(((v - (s0 as any)[k]) * 1000) / N)])));
console.log("rate", N / ((performance.now() - firstMatch) / 1000));
console.log(
  await bench
    .sql(
      "select left(query, 60) q, calls, round(total_exec_time) t, round(mean_exec_time::numeric, 2) m, rows from pg_stat_statements order by total_exec_time desc limit 12",
    )
    .catch((e) => e.message),
);
worker.kill("SIGTERM");
await once(worker, "exit");
await bench.stop();
