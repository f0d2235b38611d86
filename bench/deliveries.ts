import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import { readConfig } from "../src/config.ts";
import { newId } from "../src/domain/kernel/ids.ts";
import { openSealer } from "../src/domain/kernel/seal.ts";
import { newWebhookSecret } from "../src/domain/kernel/secrets.ts";
import { WEBHOOK_EVENTS } from "../src/domain/webhook-events.ts";
import { median } from "./load.ts";
import { type Bench, setUp } from "./setup.ts";

/**
 * Webhook deliveries per second from a backlog, by one worker process, from unrelayed events to stored attempts: to
 * one endpoint and to twenty. Compared with bare POSTs of the same size to the same receiver.
 */

const ROUNDS = 3;
const EVENTS = 5_000;

export async function run(): Promise<void> {
  const bench = await setUp({ issues: 1 });
  try {
    const { port } = await bench.start("bench/sink.ts");
    const sink = `http://127.0.0.1:${port}`;
    console.log(`deliveries: backlog of ${EVENTS}, ${ROUNDS} rounds, one worker process; a second, ratio to the floor`);
    const bare = await rounds(() => posts(sink, 10));
    for (const endpoints of [1, 20]) {
      await bench.sql("truncate webhook_delivery, webhook, reaction");
      await addWebhooks(bench, sink, endpoints);
      const rate = await rounds(() => backlog(bench, sink, endpoints));
      console.log(`  ${endpoints} endpoint(s)   ${Math.round(rate)}   ${(rate / bare).toFixed(2)}`);
    }
    console.log(`  bare POST, 10 in flight   ${Math.round(bare)}`);
  } finally {
    await bench.stop();
  }
}

async function rounds(once: () => Promise<number>): Promise<number> {
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS; round++) rates.push(await once());
  return median(rates);
}

const BODY = JSON.stringify({ data: { title: "x".repeat(60), description_md: "y".repeat(600) } });

async function posts(url: string, inFlight: number): Promise<number> {
  const dispatcher = new Agent({ connections: inFlight });
  let left = EVENTS;
  const start = performance.now();
  const loop = async () => {
    while (left-- > 0) await (await request(url, { method: "POST", body: BODY, dispatcher })).body.dump();
  };
  await Promise.all(Array.from({ length: inFlight }, loop));
  const rate = EVENTS / ((performance.now() - start) / 1000);
  await dispatcher.close();
  return rate;
}

/** Adds webhooks to the workspace: a single one gets all events, several get one type each. */
export async function addWebhooks({ sql, ids, env }: Bench, url: string, count: number): Promise<void> {
  const sealer = openSealer(readConfig(env).SECRET_KEY, []);
  for (let at = 0; at < count; at++) {
    await sql(
      `insert into webhook (id, workspace_id, url, event_types, secret_sealed, secret_prefix, created_by, created_at, updated_at)
       values ($1, $2, $3, $4, $5, 'whsec_', $6, now(), now())`,
      [newId(), ids.workspaceId, url, [count === 1 ? "*" : KINDS[at]], sealer.seal(newWebhookSecret()), ids.userId],
    );
  }
}

// One endpoint gets all events; each of twenty gets its own type.
const KINDS = WEBHOOK_EVENTS.map(({ name }) => name)
  .filter((name) => !name.startsWith("webhook."))
  .slice(0, 20);

async function backlog({ sql, ids, env }: Bench, sink: string, endpoints: number): Promise<number> {
  await sql(
    `with written as (
       insert into event (id, workspace_id, type, actor_kind, cause, data, created_at)
       select id, $2, ($3::text[])[1 + n % cardinality($3::text[])], 'user', '{}', $4::jsonb || jsonb_build_object('id', id), now() from unnest($1::uuid[]) with ordinality as t(id, n)
       returning id, workspace_id, type)
     insert into outbox (event_id, workspace_id, type) select id, workspace_id, type from written`,
    [Array.from({ length: EVENTS }, newId), ids.workspaceId, KINDS.slice(0, endpoints), BODY],
  );
  const before = await received(sink);
  const worker = spawn(process.execPath, ["src/worker.ts"], { env: { ...env, LOG_LEVEL: "info" }, stdio: "ignore" });
  while ((await received(sink)) === before) await sleep(5);
  const began = performance.now();
  const first = await received(sink);
  for (;;) {
    const [row] = await sql("select count(*)::int as open from webhook_delivery where state <> 'succeeded'");
    const [owed] = await sql(
      "select (select count(*) from outbox)::int + (select count(*) from reaction)::int as open",
    );
    if (row?.open === 0 && owed?.open === 0) break;
    await sleep(20);
  }
  const rate = (before + EVENTS - first) / ((performance.now() - began) / 1000);
  worker.kill("SIGTERM");
  if (worker.exitCode === null) await once(worker, "exit");
  return rate;
}

const received = async (sink: string) => Number(await (await fetch(sink)).text());

if (import.meta.main) await run();
