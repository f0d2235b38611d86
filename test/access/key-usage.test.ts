import { expect, test } from "vitest";
import { bucketOf } from "../../src/domain/kernel/latency-histogram.ts";
import { cleanUpNow, rollUpKeyUsageNow } from "../support/jobs.ts";
import { counted, keyIdOf, readUsage } from "../support/key-usage.ts";
import { type World, world } from "../support/world.ts";

/** Calls of keys by day: what counts, when it shows, and which days can be read. */

const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
const today = () => day(0);

test("calls, errors and refusals by the rate limit are counted once each", async () => {
  const here = await world();
  const guest = await here.as({ role: "member", scopes: ["read"], rateLimit: 6 });
  const id = await keyIdOf(here, guest);
  await guest.get("P/issues").expect(200);
  await guest.get("P/issues?limit=1").expect(200);
  await guest.get("P/issues/WEB-99").expect(404);
  await guest.post("P/issues", { title: "No" }).expect(403);
  await guest.get("P/issues?limit=x").expect(400);
  await guest.get("P").expect(200);
  await guest.get("P").expect(429);
  await guest.get("P").expect(429);
  const usage = await counted(here, id, 8);
  const counts = { requests: 8, errors: 5, client_errors: 5, server_errors: 0, rate_limited: 2 };
  expect(usage).toMatchObject({ key_id: id, granularity: "day", clamped: false, totals: counts });
  expect(usage.series.at(-1)).toMatchObject({ date: today(), ...counts });
  expect(usage.series.slice(0, -1).every((one: { requests: number }) => one.requests === 0)).toBe(true);
  await rollUpKeyUsageNow();
  expect((await readUsage(here, id)).totals).toEqual(usage.totals);
});

/** Stores a day of a key's calls with these latencies. */
async function store({ sql }: World, id: string, date: string, latencies: number[], more = { client: 0, server: 0 }) {
  const buckets: number[] = [];
  for (const ms of latencies) buckets[bucketOf(ms)] = (buckets[bucketOf(ms)] ?? 0) + 1;
  await sql(
    `insert into api_key_usage (key_id, day, requests, client_errors, server_errors, rate_limited, latencies, last_slice)
     values ($1, $2, $3, $4, $5, 0, $6, 1)`,
    [id, date, latencies.length, more.client, more.server, Array.from(buckets, (count) => count ?? 0)],
  );
}

test("the window is the last 30 days by default and at most 90, all in UTC", async () => {
  const here = await world();
  const id = await keyIdOf(here, here.owner);
  for (const ago of [0, 30, 31, 89, 90, 200]) if (ago > 0) await store(here, id, day(ago), [5]);
  const dates = async (query: string) => {
    const { from, to, clamped, series, totals } = await readUsage(here, id, query);
    const days = series.map(({ date }: { date: string }) => date);
    expect(days).toEqual(days.toSorted());
    expect(new Set(days).size).toBe(days.length);
    expect([days[0], days.at(-1)]).toEqual([from, to]);
    return { from, to, clamped, days: days.length, requests: totals.requests };
  };
  const until = (ago: number) => day(ago);
  expect(await dates("")).toMatchObject({ from: day(30), to: today(), clamped: false, days: 31 });
  expect(await dates(`?from=${day(89)}`)).toMatchObject({ from: day(89), to: today(), clamped: false, days: 90 });
  expect(await dates(`?from=${day(90)}`)).toMatchObject({ from: day(89), to: today(), clamped: true, days: 90 });
  expect(await dates(`?from=0001-01-01`).catch(() => null)).toBeNull();
  expect(await dates(`?from=1970-01-01&to=${until(31)}`)).toEqual({
    from: day(120),
    to: day(31),
    clamped: true,
    days: 90,
    requests: 3,
  });
  expect(await dates(`?to=${until(60)}`)).toEqual({
    from: day(90),
    to: day(60),
    clamped: false,
    days: 31,
    requests: 2,
  });
  expect(await dates(`?from=${day(31)}&to=${day(31)}`)).toMatchObject({ clamped: false, days: 1, requests: 1 });
  expect(await dates(`?from=${day(1)}&to=2999-12-31`)).toMatchObject({ from: day(1), to: today(), clamped: true });
  for (const query of [
    "from=2026-02-30",
    "from=2026-2-3",
    "from=yesterday",
    "to=2026-01-01T00:00:00Z",
    `from=${day(1)}&to=${day(2)}`,
    `from=${day(-1)}`,
    "days=3",
  ]) {
    await here.owner.get(`W/api-keys/${id}/usage?${query}`).expect(400);
  }
});

test("totals have the percentile of all calls, and days without calls have none", async () => {
  const here = await world();
  const id = await keyIdOf(here, here.owner);
  await store(
    here,
    id,
    day(2),
    Array.from({ length: 99 }, () => 10),
    { client: 3, server: 2 },
  );
  await store(here, id, day(1), [1_000]);
  const { series, totals } = await readUsage(here, id, `?from=${day(3)}&to=${day(1)}`);
  const near = (ms: number) => expect.closeTo(ms, -Math.log10(ms * 0.1));
  expect(series).toEqual([
    { date: day(3), ...nothing, p50_ms: 0, p99_ms: 0 },
    {
      date: day(2),
      requests: 99,
      errors: 5,
      client_errors: 3,
      server_errors: 2,
      rate_limited: 0,
      p50_ms: near(10),
      p95_ms: near(10),
      p99_ms: near(10),
    },
    { date: day(1), ...nothing, requests: 1, p50_ms: near(1_000), p95_ms: near(1_000), p99_ms: near(1_000) },
  ]);
  // The average of the days' percentiles would be about 500.
  expect(totals).toEqual({
    requests: 100,
    errors: 5,
    client_errors: 3,
    server_errors: 2,
    rate_limited: 0,
    p95_ms: near(10),
  });
});

const nothing = { requests: 0, errors: 0, client_errors: 0, server_errors: 0, rate_limited: 0, p95_ms: 0 };

test("keys of every kind can be read while they are listed; their days are deleted with them", async () => {
  const here = await world();
  const member = await here.as({ role: "member" });
  for (const kind of ["workspace", "personal", "agent"]) {
    const id = await keyIdOf(here, await here.keyFor(member, { kind }));
    await store(here, id, day(1), [5, 5]);
    expect((await readUsage(here, id)).totals.requests, kind).toBe(2);
    await here.sql("update api_key set revoked_at = now() - interval '89 days' where id = $1", [id]);
    expect((await readUsage(here, id)).totals.requests, kind).toBe(2);
    await here.sql("update api_key set revoked_at = now() - interval '91 days' where id = $1", [id]);
    await here.owner.get(`W/api-keys/${id}/usage`).expect(404);
  }
  await cleanUpNow();
  expect(
    await here.sql("select 1 from api_key_usage u join api_key k on k.id = u.key_id where k.user_id = $1", [
      member.userId,
    ]),
  ).toEqual([]);
});

test("only admins with the scope read it, and keys limited to projects only that of keys like them", async () => {
  const here = await world();
  const id = await keyIdOf(here, here.owner);
  await (await here.as({ role: "member" })).get(`W/api-keys/${id}/usage`).expect(403);
  await (await here.as({ role: "admin", scopes: ["issues:read"] })).get(`W/api-keys/${id}/usage`).expect(403);
  await (await here.as({ role: "admin", scopes: ["api_keys:read"] })).get(`W/api-keys/${id}/usage`).expect(200);
  const limited = await here.keyFor(here.owner, { projectIds: [here.project.id] });
  await limited.get(`W/api-keys/${id}/usage`).expect(404);
  await limited.get(`W/api-keys/${await keyIdOf(here, limited)}/usage`).expect(200);
  const other = await here.other();
  await other.owner.get(`W/api-keys/${id}/usage`).expect(404);
  await here.owner.get("W/api-keys/no-id/usage").expect(404);
});

test("days older than the retention time are removed", async () => {
  const here = await world();
  const id = await keyIdOf(here, here.owner);
  await store(here, id, day(399), [5]);
  await store(here, id, day(402), [5]);
  await cleanUpNow();
  expect(await here.sql("select to_char(day, 'YYYY-MM-DD') as day from api_key_usage where key_id = $1", [id])).toEqual(
    [{ day: day(399) }],
  );
});
