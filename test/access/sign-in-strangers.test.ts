import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startWeb } from "../../src/start-web.ts";
import { type RunningWorker, startWorker } from "../../src/start-worker.ts";
import { app, configure } from "../support/app.ts";
import { Browser } from "../support/browser.ts";
import { codeIn, linkIn, startMailbox } from "../support/mailbox.ts";

/**
 * Strangers request sign-in for someone else, from networks of their own. They cannot flood a mailbox or lock anyone
 * out.
 */

const mailbox = await startMailbox();
configure({ TRUSTED_PROXIES: "1" });

let worker: RunningWorker;
/** Two web processes: whatever is counted, is counted for both. */
let webs: string[];
let stopSecond: () => Promise<void>;
beforeAll(async () => {
  const { config, baseUrl } = await app();
  worker = await startWorker(config);
  const second = await startWeb(config);
  stopSecond = second.stop;
  webs = [baseUrl, `http://127.0.0.1:${second.port}`];
});
afterAll(async () => {
  await stopSecond();
  await worker.stop();
});

let counter = 0;
const someone = () => `target${++counter}@people.test`;
const newBrowser = () => new Browser(webs[counter++ % webs.length]!);
const from = (address: string) => ({ "x-forwarded-for": address });
/** Any number of networks. */
const network = (n: number) => `2001:db8:${n.toString(16)}:1::1`;
const ask = (visitor: Browser, email: string, address: string) => visitor.post("/sign-in", { email }, from(address));
const sql = async (text: string, values: unknown[]) => (await app()).resources.database.query({ text }, values);
const age = (email: string, interval: string) =>
  sql(
    `update sign_in set created_at = created_at - $2::interval, expires_at = expires_at - $2::interval
     where lower(email) = lower($1)`,
    [email, interval],
  );
const wrongFor = (code: string) => String((Number(code) + 1) % 10 ** code.length).padStart(code.length, "0");
const pressLink = async (visitor: Browser, email: string, address: string) => {
  const token = linkIn(await mailbox.latest(email)).searchParams.get("token")!;
  return visitor.post("/sign-in/link", { token }, from(address));
};

const STRANGER = "198.51.100.7";
const PERSON = "203.0.113.20";

describe("a person gets in", () => {
  test("after a stranger in another network requested as many mails as possible", async () => {
    const email = someone();
    for (let n = 0; n < 8; n++) await ask(newBrowser(), email, STRANGER);
    await mailbox.latest(email, { count: 5 });
    const person = newBrowser();
    expect((await ask(person, email, PERSON)).status).toBe(303);
    const code = codeIn(await mailbox.latest(email, { count: 6 }));
    expect((await person.post("/sign-in/code", { code }, from(PERSON))).status).toBe(303);
  });

  test("by the newest link, after strangers in a hundred networks used up the mails of the day", async () => {
    const email = someone();
    for (let n = 0; n < 100; n++) await ask(newBrowser(), email, network(n));
    const person = newBrowser();
    const refused = await ask(person, email, PERSON);
    expect(refused.status).toBe(429);
    expect(refused.text).toContain("Open the link in the newest one: it works for 15 minutes more");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(800);
    expect((await pressLink(person, email, PERSON)).status).toBe(303);
  });

  test("by a mail of their own whenever they have no live link, and by its code", async () => {
    const email = someone();
    for (let n = 0; n < 40; n++) await ask(newBrowser(), email, network(n));
    await mailbox.latest(email, { count: 30 });
    for (let quarter = 1; quarter <= 4; quarter++) {
      await age(email, "15 minutes");
      const person = newBrowser();
      expect((await ask(person, email, PERSON)).status).toBe(303);
      const mail = await mailbox.latest(email, { count: 30 + quarter });
      expect((await person.post("/sign-in/code", { code: codeIn(mail) }, from(PERSON))).status).toBe(303);
    }
  });

  test("by a code, after strangers typed hundreds of wrong ones for the address", async () => {
    const email = someone();
    for (let n = 0; n < 28; n++) {
      const guesser = newBrowser();
      await ask(guesser, email, network(n));
      for (let tries = 0; tries < 6; tries++) await guesser.post("/sign-in/code", { code: "12345" }, from(network(n)));
    }
    await mailbox.latest(email, { count: 28 });
    const person = newBrowser();
    await ask(person, email, PERSON);
    const code = codeIn(await mailbox.latest(email, { count: 29 }));
    expect((await person.post("/sign-in/code", { code }, from(PERSON))).status).toBe(303);
  });

  test("by link and code while a stranger uses up the limit of their common network", async () => {
    const { config } = await app();
    const web = await startWeb({ ...config, SIGN_INS_PER_MINUTE: 3, REDIS_PREFIX: `${config.REDIS_PREFIX}_shared` });
    const here = () => new Browser(`http://127.0.0.1:${web.port}`);
    await expect.poll(async () => (await here().get("/readyz")).status).toBe(200);
    const [byCode, byLink] = [someone(), someone()];
    const person = here();
    expect((await ask(person, byCode, network(900))).status).toBe(303);
    expect((await ask(here(), byLink, network(900))).status).toBe(303);
    const tried = [];
    for (let n = 0; n < 4; n++) tried.push((await ask(here(), someone(), network(900))).status);
    expect(tried).toEqual([303, 429, 429, 429]);
    const code = codeIn(await mailbox.latest(byCode));
    expect((await person.post("/sign-in/code", { code }, from(network(900)))).status).toBe(303);
    expect((await pressLink(here(), byLink, network(900))).status).toBe(303);
    await web.stop();
  });
});

describe("a mailbox is not filled", () => {
  test("by one network: five mails an hour, even if requested concurrently from two processes", async () => {
    const email = someone();
    const asked = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        // The addresses of one IPv6 customer are one network.
        ask(newBrowser(), n % 2 ? email : email.toUpperCase(), `2001:db8:2:2::${n + 1}`),
      ),
    );
    expect(asked.filter(({ status }) => status === 303)).toHaveLength(5);
    expect(asked.filter(({ status }) => status === 429)).toHaveLength(7);
  });

  test("by a thousand networks: thirty mails a day, and beyond them one while no link is alive", async () => {
    const email = someone();
    const statuses: number[] = [];
    for (let n = 0; n < 45; n++) statuses.push((await ask(newBrowser(), email, network(n))).status);
    for (let quarter = 0; quarter < 4; quarter++) {
      await age(email, "15 minutes");
      for (let n = 0; n < 5; n++) {
        statuses.push((await ask(newBrowser(), email, network(100 + 10 * quarter + n))).status);
      }
    }
    const sent = statuses.filter((status) => status === 303).length;
    expect(sent).toBe(30 + 4);
    await mailbox.latest(email, { count: sent });
    expect(mailbox.to(email)).toHaveLength(sent);
  });

  test("nor many mailboxes by one network, also while Redis forgets what was counted", async () => {
    const { config } = await app();
    const prefix = `${config.REDIS_PREFIX}_flushed`;
    const redis = new Redis(config.REDIS_URL);
    const web = await startWeb({ ...config, SIGN_INS_PER_MINUTE: 1, REDIS_PREFIX: prefix });
    const here = () => new Browser(`http://127.0.0.1:${web.port}`);
    await expect.poll(async () => (await here().get("/readyz")).status).toBe(200);
    const statuses: number[] = [];
    for (let n = 0; n < 64; n++) {
      // The process asks Redis again for each form, since a limit as small as this one is counted one by one.
      for (const key of await redis.keys(`${prefix}:rate:*`)) await redis.del(key);
      statuses.push((await ask(here(), someone(), network(901))).status);
    }
    expect(statuses.filter((status) => status === 303)).toHaveLength(60);
    expect(statuses.slice(60)).toEqual([429, 429, 429, 429]);
    await web.stop();
    redis.disconnect();
  });
});

describe("codes are not guessed", () => {
  test("five wrong tries end the code of that browser only", async () => {
    const email = someone();
    const person = newBrowser();
    await ask(person, email, PERSON);
    const own = codeIn(await mailbox.latest(email));
    const guesser = newBrowser();
    await ask(guesser, email, STRANGER);
    await mailbox.latest(email, { count: 2 });
    const tries = [];
    for (let n = 0; n < 6; n++) {
      tries.push((await guesser.post("/sign-in/code", { code: wrongFor(own) }, from(STRANGER))).status);
    }
    expect(tries).toEqual([400, 400, 400, 400, 429, 429]);
    // The person's own code opens nothing in the guesser's browser.
    expect((await guesser.post("/sign-in/code", { code: own }, from(STRANGER))).status).toBe(429);
    expect((await person.post("/sign-in/code", { code: own }, from(PERSON))).status).toBe(303);
  });

  test("an address has four codes of six digits a day to guess at; those after them have ten", async () => {
    const email = someone();
    const lengths: number[] = [];
    const asking = async (count: number) => {
      const visitor = newBrowser();
      await ask(visitor, email, network(count));
      const code = codeIn(await mailbox.latest(email, { count }));
      lengths.push(code.length);
      return { visitor, code };
    };
    for (let count = 1; count <= 3; count++) await asking(count);
    // One that signed somebody in at once gave nobody a guess.
    const { visitor, code } = await asking(4);
    expect((await visitor.post("/sign-in/code", { code })).status).toBe(303);
    for (let count = 5; count <= 7; count++) await asking(count);
    expect(lengths).toEqual([6, 6, 6, 6, 6, 10, 10]);
    await age(email, "1 day");
    await asking(8);
    expect(lengths.at(-1)).toBe(6);
  });
});
