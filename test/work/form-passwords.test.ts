import { scryptSync } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hashPassword } from "../../src/domain/work/forms/password.ts";
import { startWeb } from "../../src/start-web.ts";
import { app, configure } from "../support/app.ts";
import { cleanUpNow } from "../support/jobs.ts";
import { type Process, startProcess } from "../support/process.ts";
import { type World, world } from "../support/world.ts";

/** Guessing the password of a public form, from one network and from many. */

const WIDE = { TRUSTED_PROXIES: "1", PUBLIC_FORMS_PER_MINUTE: "100000", ANONYMOUS_READS_PER_MINUTE: "100000" };
configure(WIDE);

let second: Process;
beforeAll(async () => {
  second = await startProcess("web", (await app()).config, WIDE);
});
afterAll(() => second?.kill());

const RIGHT = "open sesame";
/** The same password, hashed at a thousandth of the cost: these tests try it some hundred times. */
const CHEAP = `scrypt$16$8$1$c2FsdA$${scryptSync(RIGHT, "salt", 32, { N: 16, r: 8, p: 1 }).toString("base64url")}`;

let counter = 0;
const newNetwork = () => `198.51.${Math.floor(++counter / 250)}.${1 + (counter % 250)}`;

type Answer = { status: number; wait: number; text: string };
type Shared = { here: World; id: string; urls: string[] };

/** A form with a password, as two web processes show it. */
async function share({ password }: { password?: string } = { password: RIGHT }): Promise<Shared> {
  const here = await world();
  const body = {
    title: "For those who know",
    status: "published",
    public_enabled: true,
    ...(password ? { password } : {}),
    fields: [{ kind: "short_text", label: "Summary", mapping: "title", required: true }],
  };
  const { data } = await here.owner.post("P/forms", body).expect(201);
  await here.sql(`update form set password_hash = $2 where id = $1`, [data.id, CHEAP]);
  const path = new URL(data.share_url).pathname;
  return { here, id: data.id, urls: [here.app.baseUrl + path, second.url + path] };
}

async function attempt(url: string, address: string, password: string): Promise<Answer> {
  const reply = await fetch(url, {
    method: "POST",
    headers: { "x-forwarded-for": address, origin: new URL(url).origin, accept: "text/html" },
    body: new URLSearchParams({ step: "password", password }),
  });
  return { status: reply.status, wait: Number(reply.headers.get("retry-after")), text: await reply.text() };
}

/** As if so many seconds had passed. */
const pass = ({ here, id }: Shared, seconds: number) =>
  here.sql(
    `update form_guess set since = since - $2 * interval '1 s', last_at = last_at - $2 * interval '1 s',
                           next_at = next_at - $2 * interval '1 s', succeeded_at = succeeded_at - $2 * interval '1 s'
     where form_id = $1`,
    [id, seconds],
  );

test("wrong passwords make only their own network wait, longer each time, in all processes", async () => {
  const at = await share();
  const [one, two] = at.urls as [string, string];
  const network = newNetwork();
  for (let n = 0; n < 5; n++) expect((await attempt(n % 2 ? one : two, network, "wrong")).status).toBe(403);
  const waits: number[] = [];
  for (let n = 0; n < 9; n++) {
    // While waiting, nobody learns whether the password was right.
    const refused = await attempt(n % 2 ? one : two, network, RIGHT);
    expect(refused.status).toBe(429);
    expect(refused.text).toContain("Too many wrong passwords from your network");
    expect(refused.text).not.toContain("Summary");
    waits.push(refused.wait);
    await pass(at, refused.wait);
    expect((await attempt(n % 2 ? two : one, network, "wrong")).status).toBe(403);
  }
  const doubling = [30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600];
  waits.forEach((wait, n) => {
    expect(wait).toBeLessThanOrEqual(doubling[n]!);
    expect(wait).toBeGreaterThan(doubling[n]! - 10);
  });
  // Neighbours get in at once.
  for (const url of at.urls) expect((await attempt(url, newNetwork(), RIGHT)).text).toContain("Summary");
  // Who gets in starts anew, and so does who did not try for a day.
  await pass(at, 3_600);
  expect((await attempt(one, network, RIGHT)).text).toContain("Summary");
  for (let n = 0; n < 5; n++) expect((await attempt(one, network, "wrong")).status).toBe(403);
  expect((await attempt(one, network, "wrong")).status).toBe(429);
  await pass(at, 86_401);
  for (let n = 0; n < 5; n++) expect((await attempt(one, network, "wrong")).status).toBe(403);
});

test("one network has fewer than twenty attempts in six hours", async () => {
  const at = await share();
  const network = newNetwork();
  let [tries, waited] = [0, 0];
  while (waited < 6 * 3_600) {
    const { status, wait } = await attempt(at.urls[tries % 2]!, network, `guess ${tries}`);
    if (status === 403) tries++;
    else {
      expect(status).toBe(429);
      waited += wait;
      await pass(at, wait);
    }
  }
  expect(tries).toBeGreaterThan(10);
  expect(tries).toBeLessThan(20);
});

test("concurrent attempts count like sequential ones", async () => {
  const at = await share();
  const network = newNetwork();
  const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => attempt(at.urls[n % 2]!, network, `no ${n}`)));
  expect(answers.filter(({ status }) => status === 403)).toHaveLength(5);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(35);
});

test("many people behind one address who know the password get in concurrently", async () => {
  const at = await share();
  // Hashed at its full cost: the tries are under way together.
  await at.here.sql(`update form set password_hash = $2 where id = $1`, [at.id, await hashPassword(RIGHT)]);
  const network = newNetwork();
  const answers = await Promise.all(Array.from({ length: 16 }, () => attempt(at.urls[0]!, network, RIGHT)));
  expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(200));
});

test("one network that tries many forms at once does not block other networks", async () => {
  const forms = await Promise.all(Array.from({ length: 24 }, () => share({})));
  const dear = await hashPassword(RIGHT);
  for (const { here, id } of forms) await here.sql(`update form set password_hash = $2 where id = $1`, [id, dear]);
  const greedy = forms.flatMap(({ urls }) =>
    Array.from({ length: 5 }, (_, n) => attempt(urls[0]!, `2001:db8:9:${n}::1`, "wrong")),
  );
  await new Promise((resolve) => setTimeout(resolve, 500));
  const neighbour = await attempt(forms[0]!.urls[0]!, newNetwork(), RIGHT);
  const statuses = (await Promise.all(greedy)).map(({ status }) => status);
  expect(neighbour.status).toBe(200);
  expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(80);
});

test("an IPv6 /48 is one network, however many of its addresses are used", async () => {
  const at = await share();
  const statuses: number[] = [];
  for (let n = 0; n < 7; n++) statuses.push((await attempt(at.urls[0]!, `2001:db8:7:${n}::${n}`, "no")).status);
  expect(statuses).toEqual([403, 403, 403, 403, 403, 429, 429]);
  expect((await attempt(at.urls[0]!, "2001:db8:8::1", RIGHT)).status).toBe(200);
});

test("while many networks guess, each new one has one attempt, and people who know the password get in", async () => {
  const at = await share();
  const [url] = at.urls as [string];
  const [known, guessing] = [newNetwork(), newNetwork()];
  expect((await attempt(url, known, RIGHT)).status).toBe(200);
  expect((await attempt(url, guessing, "wrong")).status).toBe(403);
  await at.here.sql(`update form_guess set tries = 200 where form_id = $1 and network = ''`, [at.id]);

  const stranger = newNetwork();
  expect((await attempt(url, stranger, "wrong")).status).toBe(403);
  const refused = await attempt(at.urls[1]!, stranger, RIGHT);
  expect(refused.status).toBe(429);
  expect(refused.wait).toBeGreaterThan(590);
  await pass(at, refused.wait);
  expect((await attempt(url, stranger, "wrong")).status).toBe(403);
  expect((await attempt(url, stranger, "wrong")).wait).toBeGreaterThan(1_190);
  for (let n = 0; n < 3; n++) expect((await attempt(url, newNetwork(), RIGHT)).text).toContain("Summary");
  // In a network where somebody knew it, others may mistype it.
  for (let n = 0; n < 5; n++) expect((await attempt(url, known, "wrong")).status).toBe(403);

  await pass(at, 86_401);
  const later = newNetwork();
  for (let n = 0; n < 5; n++) expect((await attempt(url, later, "wrong")).status).toBe(403);
});

test("all wrong attempts on a form count together, and right ones do not", async () => {
  const at = await share();
  for (const password of ["wrong", RIGHT, "wrong", "", "x".repeat(101)])
    await attempt(at.urls[0]!, newNetwork(), password);
  const rows = await at.here.sql(`select network, tries from form_guess where form_id = $1 order by tries desc`, [
    at.id,
  ]);
  expect(rows).toMatchObject([{ network: "", tries: 2 }, { tries: 1 }, { tries: 1 }, { tries: 0 }]);
});

test("waits apply while Redis is unavailable", async () => {
  const at = await share();
  const { config } = await app();
  const without = await startWeb({ ...config, PORT: 0, REDIS_URL: "redis://127.0.0.1:9" });
  try {
    const network = newNetwork();
    const url = at.urls[0]!.replace(/:\d+/, `:${without.port}`);
    for (let n = 0; n < 5; n++) expect((await attempt(url, network, "wrong")).status).toBe(403);
    expect((await attempt(url, network, "wrong")).status).toBe(429);
    expect((await attempt(url, newNetwork(), RIGHT)).status).toBe(200);
  } finally {
    await without.stop();
  }
});

test("attempts are deleted a month after the last one, and with their form", async () => {
  const at = await share();
  const count = () => at.here.sql(`select 1 from form_guess where form_id = $1`, [at.id]);
  for (let n = 0; n < 3; n++) await attempt(at.urls[0]!, newNetwork(), "wrong");
  await pass(at, 29 * 86_400);
  await cleanUpNow();
  expect(await count()).toHaveLength(4);
  await pass(at, 2 * 86_400);
  await cleanUpNow();
  expect(await count()).toEqual([]);
});
