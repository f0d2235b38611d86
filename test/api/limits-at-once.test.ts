import { afterAll, expect, test } from "vitest";
import { app } from "../support/app.ts";
import { Client } from "../support/client.ts";
import { connect, servePublicly, WIDE } from "../support/oauth.ts";
import { type Process, startProcess } from "../support/process.ts";
import { type World, world } from "../support/world.ts";

/** Changes to a key apply to its next call, in every web process. */

await servePublicly();

let second: Process | undefined;
afterAll(() => second?.kill());

/** The same key in each of two web processes. */
async function inBoth(here: World, key: string): Promise<Client[]> {
  const { baseUrl, config } = await app();
  second ??= await startProcess("web", config, WIDE);
  const w = `/v1/workspaces/${here.workspace.slug}`;
  const places = { W: w, P: `${w}/projects/${here.project.key}` };
  return [baseUrl, second.url].map((url) => new Client(url, places, { key, userId: "", email: "" }));
}

const statuses = async (callers: Client[], times: number, path = "/v1/me"): Promise<number[]> => {
  const replies = await Promise.all(callers.flatMap((caller) => Array.from({ length: times }, () => caller.get(path))));
  return [...new Set(replies.map(({ status }) => status))];
};

test("a lower rate limit of a key or a grant holds at once in all processes, and so does a higher one", async () => {
  const here = await world();
  const { owner } = here;
  const body = { name: "Fast", scopes: ["admin"], rate_limit_per_minute: 10_000 };
  const key = (await owner.post("W/api-keys", body).expect(201)).data;
  const { access_token: token } = await connect(here, owner.userId);
  const grant = (await owner.get("W/api-keys").expect(200)).data.find(({ kind }: { kind: string }) => kind === "oauth");
  for (const { id, secret } of [
    { id: key.id, secret: key.plaintext },
    { id: grant.id, secret: token },
  ]) {
    const callers = await inBoth(here, secret);
    const change = (rate_limit_per_minute: number) =>
      owner.patch(`W/api-keys/${id}`, { rate_limit_per_minute }).expect(200);
    await change(10_000);
    // Each process has leased some five hundred calls by now, and has most of them left.
    expect(await statuses(callers, 5)).toEqual([200]);
    await change(1);
    expect(await statuses(callers, 60)).toEqual([429]);
    const refused = await callers[1]!.get("/v1/me").expect(429, "rate_limited");
    expect(refused.headers.get("x-ratelimit-limit")).toBe("1");
    // What was leased and not spent is given back: it counts neither against the new limit nor against the next.
    await change(300);
    const { headers } = await callers[0]!.get("/v1/me").expect(200);
    expect(Number(headers.get("x-ratelimit-remaining"))).toBeGreaterThanOrEqual(300 - 2 * 5 - 2 * 15 - 2);
    expect(await statuses(callers, 30)).toEqual([200]);
  }
});

test("changes of the limit while calls are under way let no more pass than the highest of them", async () => {
  const here = await world();
  const body = { name: "Busy", scopes: ["read"], rate_limit_per_minute: 2_000 };
  const key = (await here.owner.post("W/api-keys", body).expect(201)).data;
  const callers = await inBoth(here, key.plaintext);
  let passed = 0;
  let changing = true;
  const calls = callers.flatMap((caller) =>
    Array.from({ length: 4 }, async () => {
      while (changing) passed += Number((await caller.get("/v1/me")).status === 200);
    }),
  );
  for (let round = 0; round < 20; round++) {
    const rate_limit_per_minute = round % 2 ? 200 : 2;
    await here.owner.patch(`W/api-keys/${key.id}`, { rate_limit_per_minute }).expect(200);
  }
  await here.owner.patch(`W/api-keys/${key.id}`, { rate_limit_per_minute: 2 }).expect(200);
  changing = false;
  await Promise.all(calls);
  expect(passed).toBeLessThanOrEqual(2_000);
  expect(await statuses(callers, 20)).toEqual([429]);
});

test("a key that is revoked or has expired, and a smaller plan, count at once in all processes", async () => {
  const here = await world();
  const { owner, sql } = here;
  const make = async (more: object = {}) =>
    (await owner.post("W/api-keys", { name: "Key", scopes: ["read"], ...more }).expect(201)).data;

  const revoked = await make();
  const callers = await inBoth(here, revoked.plaintext);
  expect(await statuses(callers, 3)).toEqual([200]);
  await owner.delete(`W/api-keys/${revoked.id}`).expect(200);
  expect(await statuses(callers, 3)).toEqual([401]);

  const expiring = await make();
  const others = await inBoth(here, expiring.plaintext);
  expect(await statuses(others, 3)).toEqual([200]);
  const expires_at = new Date(Date.now() + 1_000).toISOString();
  await owner.patch(`W/api-keys/${expiring.id}`, { expires_at }).expect(200);
  await new Promise((done) => setTimeout(done, Math.max(0, Date.parse(expires_at) - Date.now()) + 20));
  expect(await statuses(others, 3)).toEqual([401]);

  const readers = await inBoth(here, (await make()).plaintext);
  expect(await statuses(readers, 3, "P/reports/workload")).toEqual([200]);
  await sql(`update workspace set plan = 'free' where id = $1`, [here.workspace.id]);
  expect(await statuses(readers, 3, "P/reports/workload")).toEqual([403]);
});
