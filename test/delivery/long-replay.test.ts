import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { configure } from "../support/app.ts";
import { type Process, startProcess } from "../support/process.ts";
import { addWebhook, emit } from "../support/webhooks.ts";
import { type World, world } from "../support/world.ts";

/** A replay of very many messages, during which a worker dies and other messages flow. */

configure({ SWEEP_SECONDS: "1" });

const MESSAGES = 10_000;
/** New messages wait for about as many replayed ones at most: those in hand, and as many again. */
const IN_BETWEEN = 200;

type Arrival = { path: string; id: string };
const arrivals: Arrival[] = [];
const workers: Process[] = [];
let receiver: Server;
let url = "";

beforeAll(async () => {
  receiver = createServer((request, response) => {
    arrivals.push({ path: request.url ?? "", id: String(request.headers["webhook-id"]) });
    request.resume().on("end", () => response.writeHead(204).end());
  });
  await new Promise<void>((listening) => receiver.listen(0, "127.0.0.1", listening));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});

afterAll(async () => {
  for (const worker of workers) await worker.kill();
  receiver.closeAllConnections();
  await new Promise((closed) => receiver.close(closed));
});

/** Messages that were skipped an hour ago. */
async function skipped({ sql, workspace }: World, hook: { id: string }, count: number): Promise<string[]> {
  const rows = await sql<{ id: string }>(
    `with made as (
       select uuidv7(interval '-1 hour' + n * interval '1 ms') as id, n from generate_series(1, $3) n),
     recorded as (
       insert into event (id, workspace_id, type, actor_kind, cause, data, created_at)
       select id, $1, 'issue.updated', 'system', '{}', jsonb_build_object('id', id), now() - interval '1 hour' from made),
     delivered as (
       insert into webhook_delivery
         (id, workspace_id, webhook_id, delivery_id, event_type, attempt, state, final, sequence, created_at)
       select uuidv7(), $1, $2, id, 'issue.updated', 1, 'skipped', true, n, now() - interval '1 hour' from made)
     insert into event_sequence (workspace_id, last) values ($1, $3)
     returning array(select id from made order by n) as ids`,
    [workspace.id, hook.id, count],
  );
  return (rows[0] as unknown as { ids: string[] }).ids;
}

const until = async (what: () => boolean | Promise<boolean>, timeoutMs = 240_000) => {
  for (const end = Date.now() + timeoutMs; !(await what()); await sleep(50)) {
    if (Date.now() > end) throw new Error("It took too long.");
  }
};
const arrivedAt = (id: string | undefined) => arrivals.findIndex((one) => one.id === id);

test("survives the death of a worker, sends each message, and delays no other", async () => {
  const here = await world();
  const other = await here.other();
  const hook = await addWebhook(here, { url: `${url}/replayed`, created_at: "2026-01-01" });
  await addWebhook(other, { url: `${url}/other` });
  const ids = await skipped(here, hook, MESSAGES);
  workers.push(await startProcess("worker", here.app.config));

  const since = new Date(Date.now() - 2 * 3_600_000).toISOString();
  const { data } = await here.owner.post(`W/webhooks/${hook.id}/replay`, { since }).expect(202);
  // Too many to be counted while the caller waits.
  expect(data.queued).toBeNull();

  await until(() => arrivals.length > MESSAGES / 10);
  const [mine] = await emit(here, "issue.created");
  const [theirs] = await emit(other, "issue.created");
  const from = arrivals.length;
  await until(() => arrivedAt(mine) >= 0 && arrivedAt(theirs) >= 0);
  expect(arrivals.length).toBeLessThan(MESSAGES);
  const before = arrivals.slice(from, arrivedAt(mine)).filter(({ path }) => path === "/replayed");

  await workers.pop()!.kill();
  const sentBefore = arrivals.length;
  expect(sentBefore).toBeLessThan(MESSAGES);
  workers.push(await startProcess("worker", here.app.config));
  await until(async () => {
    const [row] = await here.sql(
      `select (select count(*) from webhook_delivery
               where webhook_id = $1 and state in ('pending', 'delivering', 'retrying'))
              + (select count(*) from webhook_replay where webhook_id = $1 and due_at is not null) as open`,
      [hook.id],
    );
    return row?.open === 0;
  });

  const got = arrivals.filter(({ path }) => path === "/replayed").map(({ id }) => id);
  expect(new Set(got)).toEqual(new Set([...ids, mine]));
  // What was on its way when the worker died is sent again.
  expect(got.length).toBeLessThanOrEqual(MESSAGES + 1 + 20);
  const attempts = await here.sql(
    "select attempt, state, count(*) as n from webhook_delivery where webhook_id = $1 group by 1, 2 order by 1, 2",
    [hook.id],
  );
  expect(attempts).toEqual([
    { attempt: 1, state: "skipped", n: MESSAGES },
    { attempt: 1, state: "succeeded", n: 1 },
    { attempt: 2, state: "succeeded", n: MESSAGES },
  ]);
  expect(before.length).toBeLessThan(IN_BETWEEN);
}, 300_000);
