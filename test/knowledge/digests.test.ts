import { Redis } from "ioredis";
import { describe, expect, onTestFinished, test } from "vitest";
import { newId } from "../../src/domain/kernel/ids.ts";
import { startWorker } from "../../src/start-worker.ts";
import { sendDigests } from "../../src/workers/knowledge/send-digests.ts";
import { browser } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { drain } from "../support/jobs.ts";
import { hold, waitersFor } from "../support/locks.ts";
import { startMailbox } from "../support/mailbox.ts";
import { startProcess } from "../support/process.ts";
import { type World, world } from "../support/world.ts";

/** Mails with the unread notifications of people who chose to get them. */

const mailbox = await startMailbox();

const digestsTo = ({ email }: Client) => mailbox.to(email).filter(({ subject }) => subject.includes("notification"));

/** A new issue that is assigned to somebody, with its notification. Returns the key. */
async function assign({ owner }: World, { userId }: Client, title: string): Promise<string> {
  const { data } = await owner.post("P/issues", { title, assignee: userId }).expect(201);
  await drain();
  return data.key;
}

const choose = async (here: World, { userId }: Client, digest: string) => {
  const page = await (await browser(here.app, userId)).post("/account/digest", { digest });
  expect([page.status, page.headers.get("location")]).toEqual([303, "/account?done=digest"]);
};

/** Ends the present period of some people now, and lets the workers write the digests. */
async function end(here: World, ...people: Client[]) {
  await makeDue(here, ...people);
  await drain({ also: [sendDigests] });
}

/** As though the setting was an hour older. */
const makeDue = ({ sql }: World, ...people: Client[]) =>
  sql(
    `update digest_setting set since = least(since, now() - interval '1 hour'), slot_at = now() + interval '2 ms', due_at = now()
     where user_id = any($1::uuid[])`,
    [people.map(({ userId }) => userId)],
  );

/** A member who gets digests, with a notification. */
async function reader(here: World, title = "First"): Promise<Client> {
  const somebody = await here.as({ role: "member" });
  await choose(here, somebody, "hourly");
  await assign(here, somebody, title);
  return somebody;
}

describe("a digest", () => {
  test("is sent only to people who chose it, and has each unread notification once", async () => {
    const here = await world();
    const [ada, bob] = [await here.as({ role: "member" }), await here.as({ role: "member" })];
    await choose(here, ada, "daily");
    const first = await assign(here, ada, "Sign the tag");
    await assign(here, bob, "Sign another tag");
    await assign(here, ada, "Read already");
    const { data } = await here.owner.get("P/issues").expect(200);
    expect(data).toHaveLength(3);
    const [newest] = (await ada.get("W/notifications").expect(200)).data;
    await ada.patch(`W/notifications/${newest.id}`, { read: true }).expect(200);
    // The period is not over.
    await drain({ also: [sendDigests] });
    expect(digestsTo(ada)).toEqual([]);

    await end(here, ada, bob);
    expect(digestsTo(bob)).toEqual([]);
    const [mail] = digestsTo(ada);
    expect(digestsTo(ada)).toHaveLength(1);
    expect(mail!.subject).toBe(`1 unread notification in Workspace ${here.workspace.slug}`);
    expect(mail!.text).toContain(`– Olive Owner assigned you to ${first}: Sign the tag`);
    expect(mail!.text).not.toContain("Read already");
    expect(mail!.text).toContain(`https://muster.test/w/${here.workspace.slug}\n`);

    await end(here, ada);
    expect(digestsTo(ada)).toHaveLength(1);
    await assign(here, ada, "Something new");
    await end(here, ada);
    expect(digestsTo(ada)).toHaveLength(2);
    expect(digestsTo(ada)[1]!.text).toContain("Something new");
    expect(digestsTo(ada)[1]!.text).not.toContain("Sign the tag");
  });

  test("has no notifications from before the person chose it, and comes after a whole period", async () => {
    const here = await world();
    const ada = await here.as({ role: "member" });
    await assign(here, ada, "Long ago");
    for (const [digest, minutes] of [["daily", 24 * 60] as const, ["hourly", 60] as const, ["hourly", 60] as const]) {
      await choose(here, ada, digest);
      const [setting] = await here.sql<{ minutes: number }>(
        `select round(extract(epoch from slot_at - now()) / 60)::int as minutes from digest_setting where user_id = $1`,
        [ada.userId],
      );
      expect(setting!.minutes).toBe(minutes);
    }
    await here.sql(`update digest_setting set slot_at = now() + interval '1 ms', due_at = now() where user_id = $1`, [
      ada.userId,
    ]);
    await drain({ also: [sendDigests] });
    expect(digestsTo(ada)).toEqual([]);
  });

  test("names only what the person may still see when it is written", async () => {
    const here = await world();
    const hidden = await here.hidden();
    const ada = await reader(here, "Open");
    await hidden.owner.post("P/members", { user_id: ada.userId, role: "member" }).expect(201);
    await assign(hidden, ada, "Secret");
    const gone = await reader(here, "Gone");
    const alone = await reader(hidden, "Nobody sees this").catch(() => null);
    expect(alone).toBeNull();
    await hidden.owner.delete(`P/members/${ada.userId}`).expect(200);
    await here.owner.delete(`W/members/${gone.userId}`).expect(200);
    await end(here, ada, gone);
    expect(digestsTo(gone)).toEqual([]);
    expect(digestsTo(ada)).toHaveLength(1);
    expect(digestsTo(ada)[0]!.subject).toMatch(/^1 unread/);
    expect(digestsTo(ada)[0]!.text).not.toContain("Secret");
    expect(digestsTo(ada)[0]!.html).not.toContain("Secret");
    // Nor later.
    await hidden.owner.post("P/members", { user_id: ada.userId, role: "member" }).expect(201);
    await end(here, ada);
    expect(digestsTo(ada)).toHaveLength(1);
  });

  test("counts what it does not show", async () => {
    const here = await world();
    const ada = await reader(here, "First");
    await here.sql(
      `insert into notification (id, workspace_id, user_id, cause_id, kind, title, body, created_at)
       select uuidv7(), $1, $2, gen_random_uuid(), 'mentioned', 'Title ' || n, '', now() from generate_series(1, 29) n`,
      [here.workspace.id, ada.userId],
    );
    await end(here, ada);
    const [mail] = digestsTo(ada);
    expect(mail!.subject).toMatch(/^30 unread notifications/);
    expect(mail!.text).toContain("And 10 more.");
    expect(mail!.text.match(/^– /gm)).toHaveLength(20);
    expect(mail!.text).toContain("– Title 29\n");
  });

  test("that waits for a mail server is not sent once its reader has left or ended the digests", async () => {
    const here = await world();
    const [ada, bob, eve] = [await reader(here), await reader(here), await reader(here)];
    const states = () =>
      here.sql(
        `select coalesce(m.error, m.state) as state from mail m join app_user u on u.email = m.recipient
         where m.kind = 'digest' and m.workspace_id = $1 order by u.id`,
        [here.workspace.id],
      );
    await makeDue(here, ada, bob, eve);
    await mailbox.away();
    const worker = await startWorker(here.app.config);
    onTestFinished(() => worker.stop());
    await worker.producer.add(sendDigests, [{ id: newId(), payload: {} }]);
    const waiting = { state: expect.stringMatching(/^no mail server/) };
    await expect.poll(states, { timeout: 10_000 }).toEqual([waiting, waiting, waiting]);
    await here.owner.delete(`W/members/${ada.userId}`).expect(200);
    await choose(here, bob, "off");
    await mailbox.back();
    await expect
      .poll(states, { timeout: 20_000 })
      .toEqual([{ state: "expired" }, { state: "expired" }, { state: "sent" }]);
    expect([ada, bob, eve].map((one) => digestsTo(one).length)).toEqual([0, 0, 1]);
  });

  test("of each workspace is a mail of its own", async () => {
    const [here, there] = [await world(), await world()];
    const ada = await reader(here);
    await there.sql(`insert into member (workspace_id, user_id, role, joined_at) values ($1, $2, 'member', now())`, [
      there.workspace.id,
      ada.userId,
    ]);
    await assign(there, ada, "Elsewhere");
    await end(here, ada);
    const texts = digestsTo(ada).map(({ text }) => text);
    expect(texts).toHaveLength(2);
    expect(texts.filter((text) => text.includes("Elsewhere") && !text.includes("First"))).toHaveLength(1);
  });
});

describe("a digest is written exactly once", () => {
  test("by several workers, and after Redis was flushed", async () => {
    const here = await world();
    const readers: Client[] = [];
    for (let n = 0; n < 5; n++) {
      const one = await here.as({ role: "member" });
      await choose(here, one, "hourly");
      readers.push(one);
    }
    const { REDIS_URL, REDIS_PREFIX } = here.app.config;
    const redis = new Redis(REDIS_URL);
    onTestFinished(() => redis.disconnect());
    for (let round = 1; round <= 3; round++) {
      await here.sql(
        `insert into notification (id, workspace_id, user_id, cause_id, kind, title, body, created_at)
         select uuidv7(), $1, id, gen_random_uuid(), 'mentioned', 'Round', '', now() from unnest($2::uuid[]) id`,
        [here.workspace.id, readers.map(({ userId }) => userId)],
      );
      await makeDue(here, ...readers);
      const workers = [1, 2, 3].map(() => drain({ also: [sendDigests] }));
      // Other files have keys with other prefixes.
      if (round === 2) expect(await redis.unlink("-", ...(await redis.keys(`${REDIS_PREFIX}*`)))).toBeGreaterThan(0);
      await Promise.all(workers);
      expect(readers.map((one) => digestsTo(one).length)).toEqual(readers.map(() => round));
    }
  }, 60_000);

  test("and not if the person ends them while a worker prepares it", async () => {
    const here = await world();
    const ada = await reader(here);
    const release = await hold(`lock table digest_sent in access exclusive mode`);
    await makeDue(here, ada);
    const drained = drain({ also: [sendDigests] });
    await waitersFor(here, 1);
    await choose(here, ada, "off");
    await release();
    await drained;
    expect(digestsTo(ada)).toEqual([]);
  });

  test("if a worker is killed between two workspaces", async () => {
    const worlds = [await world(), await world(), await world()];
    const [here] = worlds as [World];
    const ada = await reader(here);
    for (const other of worlds.slice(1)) {
      await other.sql(`insert into member (workspace_id, user_id, role, joined_at) values ($1, $2, 'member', now())`, [
        other.workspace.id,
        ada.userId,
      ]);
      await assign(other, ada, "Elsewhere");
    }
    // The second of the three, in the order in which they are written.
    const [, second] = worlds.map(({ workspace }) => workspace.id).sort();
    const release = await hold(
      `insert into digest_sent (user_id, workspace_id, until_id) values ($1, $2, gen_random_uuid())`,
      [ada.userId, second],
    );
    await makeDue(here, ada);
    const worker = await startProcess("worker", here.app.config);
    await waitersFor(here, 1);
    await worker.kill();
    await release();
    expect((await here.sql(`select from digest_sent where user_id = $1`, [ada.userId])).length).toBe(1);
    await drain({ also: [sendDigests], timeoutMs: 30_000 });
    expect(digestsTo(ada)).toHaveLength(3);
    expect(new Set(digestsTo(ada).map(({ subject }) => subject)).size).toBe(3);
  }, 90_000);

  test("and never after the person has ended them", async () => {
    const here = await world();
    const ada = await reader(here);
    await makeDue(here, ada);
    await choose(here, ada, "off");
    await drain({ also: [sendDigests] });
    expect(digestsTo(ada)).toEqual([]);
    expect(await here.sql(`select from digest_setting where user_id = $1`, [ada.userId])).toEqual([]);
    await choose(here, ada, "hourly");
    await end(here, ada);
    // The notification is older than the new choice, unless the test makes that an hour older.
    expect(digestsTo(ada)).toHaveLength(1);
  });

  test("if no worker ran for hours", async () => {
    const here = await world();
    const ada = await reader(here);
    await here.sql(
      `update digest_setting set since = now() - interval '9 hours', slot_at = now() - interval '7 hours 10 minutes',
                                 due_at = now() - interval '7 hours' where user_id = $1`,
      [ada.userId],
    );
    await drain({ also: [sendDigests] });
    const [setting] = await here.sql<{ minutes: number }>(
      `select round(extract(epoch from slot_at - now()) / 60)::int as minutes from digest_setting where user_id = $1`,
      [ada.userId],
    );
    expect([setting!.minutes, digestsTo(ada).length]).toEqual([50, 0]);
    await end(here, ada);
    expect(digestsTo(ada)).toHaveLength(1);
  });
});

describe("the link in a digest", () => {
  test("ends the digests with one POST of a mail program, and not by being opened", async () => {
    const here = await world();
    const ada = await reader(here);
    await end(here, ada);
    const [mail] = digestsTo(ada);
    const { address, post } = mail!.unsubscribe!;
    expect(post).toBe("List-Unsubscribe=One-Click");
    expect(address).toMatch(/^https:\/\/muster\.test\/unsubscribe\?token=[\w-]{43}$/);
    expect(mail!.text).toContain(`Stop these mails:\n${address}`);
    expect(mail!.html).toContain(`<a href="${address}">Stop these mails</a>`);
    const [link] = await here.sql<{ token_hash: Buffer }>(`select token_hash from digest_link where user_id = $1`, [
      ada.userId,
    ]);
    expect(link!.token_hash.toString("base64url")).not.toBe(new URL(address).searchParams.get("token"));

    const path = address.replace("https://muster.test", "");
    const stranger = await browser(here.app);
    for (let n = 0; n < 2; n++) expect((await stranger.get(path)).text).toContain("every hour");
    const program = async (body: FormData | URLSearchParams) => {
      const reply = await fetch(here.app.baseUrl + path, { method: "POST", body });
      return [reply.status, (await reply.text()).includes("You get no more mails")];
    };
    const form = new FormData();
    form.append("List-Unsubscribe", "One-Click");
    expect(await program(form)).toEqual([200, true]);
    // Again, and in the other format.
    expect(await program(new URLSearchParams("List-Unsubscribe=One-Click"))).toEqual([200, true]);
    expect((await stranger.get(path)).text).toContain("You get no mails");
    const account = await (await browser(here.app, ada.userId)).get("/account");
    expect(account.text).toContain(`<option value="off" selected>Never</option>`);
    await assign(here, ada, "Later");
    await end(here, ada);
    expect(digestsTo(ada)).toHaveLength(1);
    // The form of the page does the same.
    await choose(here, ada, "daily");
    expect((await stranger.post(path)).status).toBe(200);
    expect(await here.sql(`select from digest_setting where user_id = $1`, [ada.userId])).toEqual([]);
  });

  test("is unknown if a part of it is missing", async () => {
    const here = await world();
    const ada = await reader(here);
    const stranger = await browser(here.app);
    for (const path of ["/unsubscribe", "/unsubscribe?token=", "/unsubscribe?token=x%00y", "/unsubscribe?token[]=a"]) {
      expect([path, (await stranger.get(path)).status, (await stranger.post(path)).status]).toEqual([path, 404, 404]);
    }
    expect(await here.sql(`select from digest_setting where user_id = $1`, [ada.userId])).toHaveLength(1);
  });
});

test("the choice is made on the account page, and only known choices are accepted", async () => {
  const here = await world();
  const ada = await here.as({ role: "member" });
  const page = await browser(here.app, ada.userId);
  expect((await page.get("/account")).text).toContain(`<option value="off" selected>`);
  const refused = await page.post("/account/digest", { digest: "weekly" });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain("must be one of off, hourly, daily");
  expect(refused.text).toContain(`value="member`);
  await choose(here, ada, "hourly");
  expect((await page.get("/account?done=digest")).text).toMatch(/Your choice of mails is saved.*"hourly" selected/s);
  expect(
    (await (await browser(here.app)).post("/account/digest", { digest: "daily" })).headers.get("location"),
  ).toMatch(/^\/sign-in/);
});
