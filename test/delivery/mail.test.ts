import { setTimeout as sleep } from "node:timers/promises";
import type { ConnectionOptions } from "bullmq";
import { Redis } from "ioredis";
import { afterEach, expect, test } from "vitest";
import { sendMail } from "../../src/domain/delivery/mail/send.ts";
import { type MailContent, writeMail } from "../../src/domain/events/mail/mail.ts";
import { mailText } from "../../src/domain/events/mail/mail-text.ts";
import { newId } from "../../src/domain/kernel/ids.ts";
import { renewLiveness } from "../../src/domain/kernel/liveness.sql.ts";
import { openProducer } from "../../src/queues/producer.ts";
import { type RunningWorker, startWorker } from "../../src/start-worker.ts";
import { sendEmail, worker as sendEmailWorker } from "../../src/workers/delivery/send-email.ts";
import { systemNow, transact } from "../support/acting.ts";
import { app } from "../support/app.ts";
import { drain } from "../support/jobs.ts";
import { codeIn, linkIn, startMailbox } from "../support/mailbox.ts";
import { startProcess } from "../support/process.ts";
import { world } from "../support/world.ts";

/** Mail reaches a real SMTP server, at least once, whatever dies in between. */

const mailbox = await startMailbox();

const cleanup: (() => unknown)[] = [];
afterEach(async () => {
  mailbox.answers();
  for (const undo of cleanup.splice(0).reverse()) await undo();
});

const CONTENT: MailContent = {
  subject: mailText`Sign in to Muster`,
  lines: [mailText`Somebody wants to sign in as <b>you</b> & yours.`],
  action: { label: mailText`Sign in`, url: "https://muster.test/sign-in/link?token=abc&x=1" },
  code: "042137",
  footnotes: [mailText`Was it not you? Do nothing.`],
};

const context = async () => systemNow(await app());

/** Sends a mail as a worker process that lives does. */
async function send(id: string, processId = newId()) {
  await renewLiveness((await app()).resources.database, processId);
  return sendMail(await context(), id, processId);
}

type Written = { content?: MailContent; expiresAt?: string | null; workspaceId?: string | null };

async function write(
  to: string,
  { content = CONTENT, expiresAt = null, workspaceId = null }: Written = {},
): Promise<string> {
  return transact(await app(), await context(), null, (ctx) =>
    writeMail(ctx, { kind: "sign_in", workspaceId, to, content, expiresAt }),
  );
}

type Row = { state: string; error: string | null; content_sealed: string | null; attempts: number };

async function row(id: string): Promise<Row> {
  const { database } = (await app()).resources;
  const [found] = await database.query<Row>(
    { text: "select state, error, content_sealed, attempts from mail where id = $1" },
    [id],
  );
  return found!;
}

const sql = async (text: string) => (await app()).resources.database.query({ text });

/** A worker with Redis keys of its own, so that what dead ones left there is not in its way. */
async function worker(more: { REDIS_PREFIX?: string } = {}): Promise<RunningWorker> {
  const { config } = await app();
  const running = await startWorker({ ...config, LOG_LEVEL: "silent", ...more });
  cleanup.push(running.stop);
  return running;
}

let counter = 0;
const someone = () => `reader${++counter}@example.com`;

test("a mail arrives as text and HTML, and its content is deleted from the database", async () => {
  const to = someone();
  const id = await write(to);
  expect((await row(id)).content_sealed).toMatch(/^v1\./);
  await drain();
  const mail = await mailbox.latest(to);
  expect(mail).toMatchObject({
    from: "no-reply@muster.test",
    subject: "Sign in to Muster",
    message_id: `<${id}@muster.test>`,
  });
  expect(mail.text).toContain("Somebody wants to sign in as <b>you</b> & yours.");
  expect(mail.html).toMatch(/as &lt;b&gt;you&lt;(\/|&#x2F;)b&gt; &amp; yours\./);
  expect(mail.html).toContain('href="https://muster.test/sign-in/link?token=abc&#38;x=1"');
  expect(linkIn(mail).href).toBe("https://muster.test/sign-in/link?token=abc&x=1");
  expect(codeIn(mail)).toBe("042137");
  expect(await row(id)).toEqual({ state: "sent", error: null, content_sealed: null, attempts: 1 });
  expect(await sql("select 1 from reaction")).toEqual([]);
});

test("while the mail server is unavailable, mail waits sealed, and is sent when it is back", async () => {
  await worker();
  await mailbox.away();
  const to = someone();
  const id = await write(to);
  await expect.poll(() => row(id), { timeout: 10_000 }).toMatchObject({ state: "waiting", attempts: 1 });
  const { error, content_sealed } = await row(id);
  expect(error).toMatch(/^no mail server/);
  expect(content_sealed).toMatch(/^v1\./);
  await mailbox.back();
  await mailbox.latest(to);
  await expect.poll(() => row(id)).toMatchObject({ state: "sent", error: null, content_sealed: null });
});

test("a deferred mail is retried", async () => {
  await worker();
  mailbox.answers(451);
  const to = someone();
  const id = await write(to);
  await expect.poll(() => row(id)).toMatchObject({ state: "waiting", error: "the mail server answered 451" });
  await mailbox.latest(to);
  await expect.poll(() => row(id)).toMatchObject({ state: "sent", attempts: 2 });
  expect(mailbox.to(to)).toHaveLength(1);
});

test("a mail that is permanently rejected is not retried", async () => {
  mailbox.answers(550);
  const to = someone();
  const id = await write(to);
  await drain();
  expect(await row(id)).toEqual({
    state: "failed",
    error: "the mail server refused it with 550",
    content_sealed: null,
    attempts: 1,
  });
  expect(mailbox.to(to)).toEqual([]);
});

test("a rejection appears in metrics and in one log line without an address", async () => {
  const lines: unknown[] = [];
  const log = { ...(await context()).log, warn: (...line: unknown[]) => void lines.push(line) };
  const { database, entities } = (await app()).resources;
  const send = async (event_id: string) => {
    const processId = newId();
    await renewLiveness(database, processId);
    const job = { processId } as never;
    return sendEmailWorker.handle(
      { ...(await context()), log, database, entities },
      { workspace_id: null, event_id },
      job,
    );
  };
  mailbox.answers(550);
  const to = someone();
  const refused = await write(to);
  expect(await send(refused)).toEqual({ sent: 0, refused: 1, expired: 0 });
  expect(lines).toEqual([
    [
      { mail_id: refused, reason: "the mail server refused it with 550" },
      expect.stringContaining("refused it with 550"),
    ],
  ]);
  expect(JSON.stringify(lines)).not.toContain(to);
  expect(await send(await write(to))).toEqual({ sent: 1, refused: 0, expired: 0 });
  expect(await send(refused)).toEqual({ sent: 0, refused: 0, expired: 0 });
  const late = await write(to, { expiresAt: new Date(Date.now() - 1).toISOString() });
  expect(await send(late)).toEqual({ sent: 0, refused: 0, expired: 1 });
  await drain();
});

test("an expired mail is not sent", async () => {
  const to = someone();
  const id = await write(to, { expiresAt: new Date(Date.now() - 1).toISOString() });
  await drain();
  expect(await row(id)).toEqual({ state: "failed", error: "expired", content_sealed: null, attempts: 0 });
  expect(mailbox.to(to)).toEqual([]);
});

test("two workers at once send it once, and a second run finds nothing to do", async () => {
  const to = someone();
  const id = await write(to);
  const outcomes = await Promise.all([1, 2, 3, 4].map(() => send(id)));
  expect(outcomes.filter(({ state }) => state === "sent")).toHaveLength(1);
  expect(await send(id)).toEqual({ state: "over" });
  expect(await send(newId())).toEqual({ state: "over" });
  expect(mailbox.to(to)).toHaveLength(1);
  await drain();
});

test("a mail of a killed worker is sent within five seconds as the same mail, without errors in the log", async () => {
  const { config } = await app();
  const apart = { ...config, REDIS_PREFIX: `${config.REDIS_PREFIX}_killed` };
  const doomed = await startProcess("worker", apart);
  cleanup.push(doomed.kill);
  let other = doomed;
  let killedAt = 0;
  mailbox.answers(async () => {
    // Only now, so that it is the doomed one that takes the mail.
    other = await startProcess("worker", apart, { LOG_LEVEL: "info" });
    cleanup.push(other.kill);
    await doomed.kill();
    killedAt = Date.now();
  });
  const to = someone();
  const id = await write(to);
  await mailbox.latest(to);
  await expect.poll(() => killedAt, { timeout: 20_000 }).toBeGreaterThan(0);
  expect(await row(id)).toMatchObject({ state: "sending", attempts: 1 });

  await mailbox.latest(to, { count: 2 });
  expect(Date.now() - killedAt).toBeLessThan(5_000);
  await expect.poll(() => row(id)).toMatchObject({ state: "sent", attempts: 2, content_sealed: null });
  expect(new Set(mailbox.to(to).map(({ message_id }) => message_id))).toEqual(new Set([`<${id}@muster.test>`]));
  await expect.poll(() => sql("select 1 from reaction")).toEqual([]);
  const lines = other
    .output()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.filter(({ level }) => level >= 40)).toEqual([]);
}, 60_000);

test("a mail that a live worker has claimed is left to it, and to others when the lease has ended", async () => {
  const to = someone();
  const id = await write(to);
  const processId = newId();
  await sql(
    `update mail set state = 'sending', attempts = 1, lease_until = now() + interval '1 hour', held_by = '${processId}' where id = '${id}'`,
  );
  await sql(`insert into worker_process values ('${processId}', now(), now() + interval '1 hour')`);
  const { producer } = await worker();
  await expect.poll(() => producer.open(sendEmail).getDelayedCount()).toBe(1);
  expect(await send(id)).toEqual({ state: "in hand" });
  expect(mailbox.to(to)).toEqual([]);
  await sql(`update mail set lease_until = now() where id = '${id}'`);
  await mailbox.latest(to);
  await expect.poll(() => row(id)).toMatchObject({ state: "sent" });
});

test("a job that runs twice in a worker leaves the mail to its first run, also if it loses its connection", async () => {
  const to = someone();
  const id = await write(to);
  const processId = newId();
  const [isSending, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  mailbox.answers(() => {
    isSending.resolve();
    return mayEnd.promise;
  });
  const first = send(id, processId);
  await isSending.promise;

  const ctx = await context();
  let lost = false;
  const losesFirstReply: typeof ctx.db = {
    async query(...args) {
      const rows = await ctx.db.query(...args);
      if (lost) return rows as never;
      lost = true;
      throw new Error("Connection terminated unexpectedly");
    },
  };
  await sendMail({ ...ctx, db: losesFirstReply }, id, processId).catch(() => {});
  expect(await send(id)).toEqual({ state: "in hand" });
  mayEnd.resolve();
  expect(await first).toEqual({ state: "sent" });
  expect(mailbox.to(to)).toHaveLength(1);
});

test("when Redis is flushed, mail that waited for its next attempt is sent", async () => {
  const { config } = await app();
  const REDIS_PREFIX = `${config.REDIS_PREFIX}_flushed`;
  const { producer } = await worker({ REDIS_PREFIX });
  mailbox.answers(451, 451, 451, 451);
  const to = someone();
  const id = await write(to);
  await expect.poll(() => row(id).then(({ attempts }) => attempts), { timeout: 15_000 }).toBe(3);
  const redis = new Redis(config.REDIS_URL);
  cleanup.push(() => redis.disconnect());
  mailbox.answers();
  const keys = await redis.keys(`${REDIS_PREFIX}:*`);
  await redis.del(keys);
  expect(await producer.open(sendEmail).getDelayedCount()).toBe(0);
  await sql("update reaction set due_at = now()");
  await mailbox.latest(to, { timeoutMs: 20_000 });
  await expect.poll(() => row(id)).toMatchObject({ state: "sent" });
}, 60_000);

test("a mail to sign in is sent before those of workspaces that wait", async () => {
  const { config, resources } = await app();
  const REDIS_PREFIX = `${config.REDIS_PREFIX}_order`;
  const workspaceId = (await world()).workspace.id;
  const others = Array.from({ length: 60 }, someone);
  const mails = [];
  for (const to of others) mails.push({ id: await write(to, { workspaceId }), workspace_id: workspaceId });
  const to = someone();
  mails.push({ id: await write(to), workspace_id: null });
  const producer = openProducer([sendEmail.name], {
    connection: resources.queueRedis as ConnectionOptions,
    prefix: REDIS_PREFIX,
    onError: () => {},
  });
  cleanup.push(() => producer.close());
  await producer.add(
    sendEmail,
    mails.map(({ id, workspace_id }) => ({ id, payload: { workspace_id, event_id: id } })),
  );
  mailbox.answers(...Array.from({ length: 61 }, () => () => sleep(50)));
  await worker({ REDIS_PREFIX });
  await mailbox.latest(to);
  expect(others.filter((other) => mailbox.to(other).length > 0).length).toBeLessThan(30);
});

test("a mail's content is in no job, and no error names its recipient", async () => {
  const { config } = await app();
  const { producer } = await worker({ REDIS_PREFIX: `${config.REDIS_PREFIX}_looked_at` });
  await mailbox.away();
  cleanup.push(mailbox.back);
  const to = someone();
  const id = await write(to);
  await expect.poll(() => producer.open(sendEmail).getDelayedCount()).toBe(1);
  const [job] = await producer.open(sendEmail).getDelayed();
  expect(job!.data).toEqual({ workspace_id: null, event_id: id });
  expect(JSON.stringify(job)).not.toContain("042137");
  expect(JSON.stringify(job)).not.toContain(to);
  expect(JSON.stringify(job)).not.toContain("token=");
  await mailbox.back();
  await mailbox.latest(to);
});
