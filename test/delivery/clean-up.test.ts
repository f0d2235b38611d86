import { expect, test } from "vitest";
import { firstIdAt, newId } from "../../src/domain/kernel/ids.ts";
import { PARTS, partAt, partOver } from "../../src/domain/kernel/replies/parts.ts";
import { cleanUpNow } from "../support/jobs.ts";
import { hold } from "../support/locks.ts";
import { addWebhook } from "../support/webhooks.ts";
import { type World, world } from "../support/world.ts";

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

async function addDelivery({ sql, workspace }: World, webhookId: string, days: number, state = "succeeded") {
  await sql(
    `insert into webhook_delivery (id, workspace_id, webhook_id, delivery_id, event_type, attempt, state, due_at, created_at)
     values ($1, $2, $3, $1, 'issue.created', 1, $4, now() + interval '1 hour', $5)`,
    [newId(), workspace.id, webhookId, state, daysAgo(days)],
  );
}

const ages = ({ sql, workspace }: World) =>
  sql<{ days: number }>(
    `select round(extract(epoch from now() - created_at) / 86400)::int as days from webhook_delivery
     where workspace_id = $1 order by 1`,
    [workspace.id],
  ).then((rows) => rows.map(({ days }) => days));

test("deliveries are kept as long as the plan says, and unfinished ones stay", async () => {
  const free = await world({ plan: "free" });
  const business = await world({ plan: "business" });
  for (const here of [free, business]) {
    const { id } = await addWebhook(here, { url: "https://example.com/" });
    for (const days of [2, 4, 29, 31]) await addDelivery(here, id, days);
    await addDelivery(here, id, 60, "retrying");
  }
  await cleanUpNow();
  expect(await ages(free)).toEqual([2, 60]);
  expect(await ages(business)).toEqual([2, 4, 29, 60]);
});

test("replays that have ended are kept for a month", async () => {
  const { sql, workspace, owner } = await world();
  for (const [days, due] of [
    [29, null],
    [31, null],
    [32, daysAgo(-1)],
  ] as const) {
    await sql(
      `insert into webhook_replay
         (id, workspace_id, webhook_id, since, until, states, message, attempt, due_at, created_by, created_at)
       values ($1, $2, $1, $3, $3, '{failed}', $1, 0, $4, $5, $3)`,
      [newId(), workspace.id, daysAgo(days), due, owner.userId],
    );
  }
  await cleanUpNow();
  const rows = await sql<{ days: number }>(
    `select round(extract(epoch from now() - created_at) / 86400)::int as days from webhook_replay
     where workspace_id = $1 order by 1`,
    [workspace.id],
  );
  expect(rows.map(({ days }) => days)).toEqual([29, 32]);
});

test("stored replies are removed after a day, one table at a time", async () => {
  const { sql } = await world();
  const now = Date.now();
  const ages = Array.from({ length: 32 }, (_, hours) => hours);
  for (const hours of ages) {
    const at = new Date(now - hours * 3_600_000).toISOString();
    await sql(
      `insert into idempotent_reply (created_at, call_id, body_id, part, status, content)
       values ($1, $2, $2, $3, 201, '')`,
      [at, newId(), partAt(at)],
    );
  }
  const left = async () => {
    const rows = await sql<{ created_at: string }>("select created_at from idempotent_reply order by created_at desc");
    return rows.map(({ created_at }) => Math.round((now - Date.parse(created_at)) / 3_600_000));
  };
  // A table in use is kept for the next run and blocks nothing.
  const over = partOver(new Date().toISOString());
  const release = await hold(`lock table idempotent_reply_${over ?? 0} in access share mode`);
  await cleanUpNow();
  expect(await left()).toEqual(ages);
  await release();
  await cleanUpNow();
  const rest = await left();
  expect(rest).toEqual(expect.arrayContaining(ages.slice(0, 25)));
  // In the first minutes of each four hours, clocks may differ too much to empty the next table.
  expect(rest).toHaveLength(over === null ? 32 : 28);
});

test("a table of replies is emptied only when all of them are more than a day old, and before it is reused", () => {
  const HOUR = 3_600_000;
  const newest: number[] = [];
  const emptied: number[] = [];
  for (let at = 1_000 * HOUR; at < 1_200 * HOUR; at += 60_000) {
    const now = new Date(at).toISOString();
    const part = partAt(now);
    if (newest[part] !== undefined && at - newest[part] > HOUR) expect(emptied[part]).toBeGreaterThan(newest[part]);
    newest[part] = at;
    const over = partOver(now);
    if (over === null) continue;
    if (newest[over] !== undefined) expect(at - newest[over]).toBeGreaterThan(24 * HOUR);
    emptied[over] = at;
  }
  expect(newest).toHaveLength(PARTS);
});

test("stored replies are deleted after a day, revoked keys after ninety", async () => {
  const here = await world();
  const key = newId();
  for (const [path, days] of [
    ["/old", 1.1],
    ["/new", 0.9],
  ] as const) {
    await here.sql(
      `insert into idempotency (key_id, method, path, key, body_hash, created_at) values ($1, 'POST', $2, 'k', '', $3)`,
      [key, path, daysAgo(days)],
    );
  }
  const old = await here.keyFor(here.owner);
  const recent = await here.keyFor(here.owner);
  const lasting = await here.keyFor(here.owner);
  const revoke = (client: typeof old, days: number) =>
    here.sql("update api_key set revoked_at = $2 where hash = sha256($1::bytea)", [client.key, daysAgo(days)]);
  await revoke(old, 91);
  await revoke(recent, 89);
  await cleanUpNow();

  expect(await here.sql("select path from idempotency where key_id = $1", [key])).toEqual([{ path: "/new" }]);
  const kept = (client: typeof old) => here.sql("select 1 from api_key where hash = sha256($1::bytea)", [client.key]);
  expect(await kept(old)).toHaveLength(0);
  for (const client of [recent, lasting, here.owner]) expect(await kept(client)).toHaveLength(1);
});

test("notices of the card processor are deleted after a month", async () => {
  const here = await world();
  for (const days of [32, 30]) {
    await here.sql(`insert into processor_notice (id, type, received_at) values ($1, 'x', $2)`, [
      `evt_${days}`,
      daysAgo(days),
    ]);
  }
  await cleanUpNow();
  expect(await here.sql("select id from processor_notice")).toEqual([{ id: "evt_30" }]);
});

test("sessions are deleted when they end, sign-in requests a day later, mail after a month", async () => {
  const { owner, sql } = await world();
  for (const [word, days] of [
    ["over", 0.01],
    ["open", -1],
  ] as const) {
    await sql(
      `insert into session (id, hash, user_id, user_agent, created_at, last_seen_at, expires_at)
       values ($1, sha256($2::text::bytea), $3, $2, now(), now(), $4)`,
      [newId(), word, owner.userId, daysAgo(days)],
    );
  }
  for (const [word, days] of [
    ["old", 1.1],
    ["recent", 0.9],
  ] as const) {
    await sql(
      `insert into sign_in (id, email, link_hash, code_sealed, browser_hash, expires_at, created_at)
       values ($1, $2, sha256($2::text::bytea), '', '', $3, $3)`,
      [newId(), word, daysAgo(days)],
    );
  }
  for (const [word, days] of [
    ["old", 31],
    ["recent", 29],
  ] as const) {
    await sql(`insert into mail (id, kind, recipient, state, created_at) values ($1, 'sign_in', $2, 'sent', $3)`, [
      newId(),
      word,
      daysAgo(days),
    ]);
  }
  await cleanUpNow();
  expect(await sql("select user_agent from session")).toEqual([{ user_agent: "open" }]);
  expect(await sql("select email from sign_in")).toEqual([{ email: "recent" }]);
  expect(await sql("select recipient from mail")).toEqual([{ recipient: "recent" }]);
});

test("partitions of events are created ahead and dropped when they expire", async () => {
  const { sql } = await world();
  await sql(
    `create table event_2024_01 partition of event
     for values from ('${firstIdAt(new Date("2024-01-01"))}') to ('${firstIdAt(new Date("2024-02-01"))}')`,
  );
  const ahead = new Date();
  ahead.setUTCMonth(ahead.getUTCMonth() + 2, 1);
  const next = `event_${ahead.toISOString().slice(0, 7).replace("-", "_")}`;
  await sql(`drop table ${next}`);
  await cleanUpNow();
  const tables = await sql<{ name: string }>(
    "select relname as name from pg_class where relname ~ '^event_[0-9]{4}_[0-9]{2}$'",
  );
  expect(tables.map(({ name }) => name)).toContain(next);
  expect(tables.map(({ name }) => name)).not.toContain("event_2024_01");
});

test("notifications are removed 90 days after they were read and after a year, and the newest 5,000 of a person stay", async () => {
  const { sql, workspace, owner, as } = await world();
  const crowded = await as({ role: "member" });
  const add = (userId: string, id: string, readAt: string | null = null) =>
    sql(
      `insert into notification (id, workspace_id, user_id, cause_id, kind, title, body, read_at, created_at)
       values ($1, $2, $3, gen_random_uuid(), 'assigned', 'x', '', $4, now())`,
      [id, workspace.id, userId, readAt],
    );
  const kept = [
    { id: newId(), read: daysAgo(89) },
    { id: firstIdAt(new Date(daysAgo(364))), read: null },
  ];
  for (const { id, read } of kept) await add(owner.userId, id, read);
  await add(owner.userId, newId(), daysAgo(91));
  await add(owner.userId, firstIdAt(new Date(daysAgo(366))));
  await sql(
    `insert into notification (id, workspace_id, user_id, cause_id, kind, title, body, created_at)
     select uuidv7(), $1, $2, gen_random_uuid(), 'assigned', n, '', now() from generate_series(1, 10500) n`,
    [workspace.id, crowded.userId],
  );
  await cleanUpNow();
  const left = await sql<{ id: string }>("select id from notification where user_id = $1", [owner.userId]);
  expect(left.map(({ id }) => id).sort()).toEqual(kept.map(({ id }) => id).sort());
  const [rows] = await sql<{ count: number; oldest: number }>(
    "select count(*)::int as count, min(title::int) as oldest from notification where user_id = $1",
    [crowded.userId],
  );
  expect(rows).toEqual({ count: 5_000, oldest: 5_501 });
});

test("runs of automations are kept for 90 days, and for 30 after their automation was deleted", async () => {
  const here = await world();
  const { sql, workspace, owner } = here;
  const body = { name: "Rule", trigger: "issue.created", actions: [{ type: "unassign" }] };
  const add = async (deletedDays: number | null) => {
    const { data } = await owner.post("W/automations", body).expect(201);
    if (deletedDays !== null) {
      await sql(`update automation set deleted_at = $2 where id = $1`, [data.id, daysAgo(deletedDays)]);
    }
    for (const [days, status] of [
      [1, "ok"],
      [89, "error"],
      [91, "ok"],
      [92, null],
    ] as const) {
      const at = daysAgo(days);
      await sql(
        `insert into automation_run (id, workspace_id, automation_id, event_id, trigger, root_event_id, depth, plan, status,
                                     started_at, created_at)
         values ($1, $2, $3, gen_random_uuid(), 'issue.created', gen_random_uuid(), 1, '{}', $4, $5, $5)`,
        [firstIdAt(new Date(at)).slice(0, -12) + data.id.slice(-12), workspace.id, data.id, status, at],
      );
    }
    return data.id as string;
  };
  const [kept, recent, old] = [await add(null), await add(29), await add(31)];
  await cleanUpNow();
  const left = async (id: string) => {
    const rows = await sql<{ days: number }>(
      `select round(extract(epoch from now() - created_at) / 86400)::int as days from automation_run
       where automation_id = $1 order by 1`,
      [id],
    );
    return rows.map(({ days }) => days);
  };
  // A run that has not ended is kept.
  expect(await left(kept)).toEqual([1, 89, 92]);
  expect(await left(recent)).toEqual([1, 89, 92]);
  expect(await left(old)).toEqual([92]);
});
