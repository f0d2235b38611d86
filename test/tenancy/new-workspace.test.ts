import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { startWeb } from "../../src/start-web.ts";
import { app, configure } from "../support/app.ts";
import { Browser, browser } from "../support/browser.ts";
import { stranger } from "../support/invites.ts";
import { world } from "../support/world.ts";

/** `/w/new` reveals whether a slug is taken, but only for a few slugs. */

configure({ TRUSTED_PROXIES: "1" });

const from = (address: string) => ({ "x-forwarded-for": address });
const tryTaken = (visitor: Browser, slug: string, address: string) =>
  visitor.post("/w/new", { your_name: "A", name: "A", slug }, from(address));
const count = (statuses: number[], status: number) => statuses.filter((one) => one === status).length;

test("a person can find out twenty taken slugs per hour, from any network and by concurrent calls", async () => {
  const here = await world();
  const visitor = await browser(here.app, (await stranger(here, "prober")).userId);
  const pages = await Promise.all(
    Array.from({ length: 26 }, (_, n) => tryTaken(visitor, here.workspace.slug, `203.0.113.${n}`)),
  );
  const statuses = pages.map(({ status }) => status);
  expect(count(statuses, 409)).toBe(20);
  expect(count(statuses, 429)).toBe(6);
  const refused = pages.find(({ status }) => status === 429)!;
  expect(refused.text).toContain("You tried too many addresses that are taken");
  expect(refused.text).not.toContain("Available:");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(60);
  // Free slugs are not revealed either.
  expect((await tryTaken(visitor, `${here.workspace.slug}-free`, "203.0.113.99")).status).toBe(429);
});

test("a network can find out sixty, with any number of accounts, in all web processes together", async () => {
  const here = await world();
  const { config } = await app();
  const second = await startWeb(config);
  const statuses: number[] = [];
  for (let account = 0; account < 5; account++) {
    const visitor = await browser(here.app, (await stranger(here, `many${account}`)).userId);
    const elsewhere = new Browser(`http://127.0.0.1:${second.port}`);
    for (const [name, value] of visitor.cookies) elsewhere.cookies.set(name, value);
    for (let n = 0; n < 15; n++) {
      const page = await tryTaken(n % 2 ? visitor : elsewhere, here.workspace.slug, `2001:db8:9:9::${n + 1}`);
      statuses.push(page.status);
    }
  }
  await second.stop();
  // What a process has leased and not used is lost to the other one.
  expect(count(statuses, 409)).toBeLessThanOrEqual(60);
  expect(count(statuses, 409)).toBeGreaterThan(54);
  expect(statuses.at(-1)).toBe(429);
});

test("all networks of an IPv6 /48 are told of six hundred", { timeout: 120_000 }, async () => {
  const here = await world();
  const statuses: number[] = [];
  for (let account = 0; account < 33; account++) {
    const visitor = await browser(here.app, (await stranger(here, `wide${account}`)).userId);
    const address = `2001:db8:48:${account.toString(16)}::1`;
    const tries = Array.from({ length: 20 }, () => tryTaken(visitor, here.workspace.slug, address));
    statuses.push(...(await Promise.all(tries)).map(({ status }) => status));
  }
  expect(count(statuses, 409)).toBeLessThanOrEqual(600);
  expect(count(statuses, 409)).toBeGreaterThan(540);
  expect(statuses.at(-1)).toBe(429);
});

test("creating workspaces and correcting errors costs no attempts", async () => {
  const here = await world();
  const visitor = await browser(here.app, (await stranger(here, "maker")).userId);
  for (let n = 0; n < 25; n++) expect((await tryTaken(visitor, "not a slug", "198.51.100.1")).status).toBe(400);
  const made = await tryTaken(visitor, `${here.workspace.slug}-made`, "198.51.100.1");
  expect(made.status).toBe(303);
  const redis = new Redis((await app()).config.REDIS_URL);
  const keys = await redis.keys(`${(await app()).config.REDIS_PREFIX}:rate:slugs:*`);
  expect(keys.length).toBeGreaterThan(0);
  redis.disconnect();
  expect((await tryTaken(visitor, here.workspace.slug, "198.51.100.1")).status).toBe(409);
});
