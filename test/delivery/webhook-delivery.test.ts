import type { IncomingMessage, ServerResponse } from "node:http";
import { Webhook } from "standardwebhooks";
import { afterEach, describe, expect, test } from "vitest";
import { newId } from "../../src/domain/kernel/ids.ts";
import { newWebhookSecret } from "../../src/domain/kernel/secrets.ts";
import { startWorker } from "../../src/start-worker.ts";
import { deliverWebhook } from "../../src/workers/delivery/deliver-webhook.ts";
import { app, configure } from "../support/app.ts";
import { undefinedEvents } from "../support/events.ts";
import { drain } from "../support/jobs.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { addWebhook, deliveriesOf, emit, webhookRow } from "../support/webhooks.ts";
import { world } from "../support/world.ts";

configure({ WEBHOOK_RETRY_SECONDS: "5,300", WEBHOOK_TIMEOUT_MS: "1000" });

const receivers: Receiver[] = [];
async function receiver() {
  const started = await startReceiver();
  receivers.push(started);
  return started;
}
afterEach(async () => {
  for (const started of receivers.splice(0)) await started.stop();
});

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
const secondsUntil = (instant: string | null) => (Date.parse(instant ?? "") - Date.now()) / 1000;
/** From the newest message to an instant, however long a busy machine took since. */
const secondsAfter = ({ requests }: Receiver, instant: string | null) =>
  (Date.parse(instant ?? "") - requests.at(-1)!.at) / 1000;

describe("a message", () => {
  test("describes the event and is signed by Standard Webhooks", async () => {
    const here = await world();
    const there = await receiver();
    const hook = await addWebhook(here, { url: there.url, headers: { "X-Team": "blue", "Webhook-Id": "forged" } });
    const [id] = await emit(here, "issue.updated", {
      data: { id: "0199", title: "Fix login" },
      previous: { priority: "low" },
      changed: ["priority"],
    });
    await drain();

    const [request] = there.requests;
    expect(request?.json).toEqual({
      id,
      type: "issue.updated",
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      sequence: 1,
      workspace: here.workspace,
      actor: { id: null, kind: "user", name: "Ada" },
      cause: { automation_id: null, agent_session_id: null, workflow_run_id: null },
      data: { id: "0199", title: "Fix login" },
      previous: { priority: "low" },
      changed: ["priority"],
    });
    expect(request?.headers).toMatchObject({
      "content-type": "application/json",
      "webhook-id": id,
      "x-webhook-event": "issue.updated",
      "x-webhook-attempt": "1",
      "x-team": "blue",
    });
    expect(new Webhook(hook.secret).verify(request?.body ?? "", request?.headers ?? {})).toBeTruthy();

    const [attempt, ...others] = await deliveriesOf(here, hook);
    expect(others).toEqual([]);
    expect(attempt).toMatchObject({
      delivery_id: id,
      attempt: 1,
      state: "succeeded",
      status: 204,
      error: "",
      final: true,
    });
    expect(attempt?.request_headers?.["webhook-signature"]).toBe(request?.headers["webhook-signature"]);
    expect(await webhookRow(here, hook)).toMatchObject({ last_delivery_status: 204, consecutive_failures: 0 });
  });

  test("is signed with the old secret too while a rotation lasts", async () => {
    const here = await world();
    const there = await receiver();
    const old = newWebhookSecret();
    const previous_secret_sealed = here.app.resources.ports.sealer.seal(old);
    const lasting = { url: there.url, previous_secret_sealed, previous_secret_expires_at: hoursAgo(-1) };
    const hook = await addWebhook(here, lasting);
    await emit(here, "issue.created");
    await drain();

    const { body = "", headers = {} } = there.requests[0] ?? {};
    expect(headers["webhook-signature"]?.split(" ")).toHaveLength(2);
    expect(new Webhook(hook.secret).verify(body, headers)).toBeTruthy();
    expect(new Webhook(old).verify(body, headers)).toBeTruthy();

    await here.sql("update webhook set previous_secret_expires_at = now() where id = $1", [hook.id]);
    await emit(here, "issue.created");
    await drain();
    expect(there.requests[1]?.headers["webhook-signature"]?.split(" ")).toHaveLength(1);
    expect(() => new Webhook(old).verify(there.requests[1]?.body ?? "", there.requests[1]?.headers ?? {})).toThrow();
  });

  test("above 256 KiB has its long texts cut", async () => {
    const here = await world();
    const there = await receiver();
    await addWebhook(here, { url: there.url });
    await emit(here, "issue.created", { data: { id: "1", title: "Short", description_md: "ö".repeat(300_000) } });
    await drain();
    const { body, json } = there.requests[0] ?? {};
    expect(Buffer.byteLength(body ?? "")).toBeLessThanOrEqual(256 * 1024);
    expect(json).toMatchObject({ truncated: true, data: { id: "1", title: "Short" } });
    expect(json.data.description_md).toMatch(/^ö+…$/);
  });
});

describe("which webhooks an event is for", () => {
  test("those that subscribe to its name, a prefix of it or everything, in its project", async () => {
    const here = await world();
    const there = await receiver();
    const hooks = {
      "/exact": { event_types: ["issue.created"] },
      "/prefix": { event_types: ["comment.created", "issue.*"] },
      "/all": { event_types: ["*"] },
      "/other": { event_types: ["issue.updated", "issues.*", "issue"] },
      "/project": { event_types: ["*"], project_ids: [here.project.id] },
      "/elsewhere": { event_types: ["*"], project_ids: [newId()] },
      "/deleted": { event_types: ["*"], deleted_at: hoursAgo(1) },
    };
    for (const [path, columns] of Object.entries(hooks)) {
      await addWebhook(here, { url: new URL(path, there.url).href, ...columns });
    }
    const stranger = await world();
    await addWebhook(stranger, { url: new URL("/stranger", there.url).href });

    const told = async (project_id: string | null) => {
      there.requests.length = 0;
      await emit(here, "issue.created", { project_id });
      await drain();
      return there.requests.map(({ path }) => path).sort();
    };
    expect(await told(here.project.id)).toEqual(["/all", "/exact", "/prefix", "/project"]);
    expect(await told(null)).toEqual(["/all", "/exact", "/prefix"]);
  });

  test("none that were created after it", async () => {
    const here = await world();
    const there = await receiver();
    await emit(here, "issue.created");
    const hook = await addWebhook(here, { url: there.url, created_at: new Date(Date.now() + 2).toISOString() });
    await drain();
    expect(await deliveriesOf(here, hook)).toEqual([]);
  });

  test("matching twice sends once", async () => {
    const here = await world();
    const there = await receiver();
    const hook = await addWebhook(here, { url: there.url });
    const [id] = await emit(here, "issue.created");
    await drain();
    await here.sql("insert into outbox (event_id, workspace_id, type) values ($1, $2, 'issue.created')", [
      id,
      here.workspace.id,
    ]);
    await drain();
    expect(there.requests).toHaveLength(1);
    expect(await deliveriesOf(here, hook)).toHaveLength(1);
  });

  test("a disabled one gets none, and its messages are recorded as skipped", async () => {
    const here = await world();
    const there = await receiver();
    const hook = await addWebhook(here, { url: there.url, disabled_at: hoursAgo(1), disabled_reason: "user" });
    await emit(here, "issue.created");
    await drain();
    expect(there.requests).toEqual([]);
    expect(await deliveriesOf(here, hook)).toMatchObject([{ state: "skipped", final: true, attempt: 1 }]);
  });

  test("a test goes to one webhook only, even if it is disabled, and does not affect its health", async () => {
    const here = await world();
    const there = await receiver();
    const elsewhere = await receiver();
    await addWebhook(here, { url: elsewhere.url });
    const hook = await addWebhook(here, {
      url: there.url,
      disabled_at: hoursAgo(1),
      disabled_reason: "failing",
      consecutive_failures: 20,
    });
    there.answers(500);
    await emit(here, "webhook.test", { context: { webhook_id: hook.id } });
    await drain();
    expect(elsewhere.requests).toEqual([]);
    expect(there.requests).toHaveLength(1);
    expect(await deliveriesOf(here, hook)).toMatchObject([{ state: "failed", status: 500, final: true, due_at: null }]);
    expect(await webhookRow(here, hook)).toMatchObject({ consecutive_failures: 20, last_delivery_status: 500 });

    there.answers(200);
    await emit(here, "webhook.test", { context: { webhook_id: hook.id } });
    await drain();
    expect(await webhookRow(here, hook)).toMatchObject({ consecutive_failures: 20, last_success_at: null });
  });
});

describe("a delivery that fails", () => {
  test("is retried by the schedule, as the same message, and then succeeds", async () => {
    const here = await world();
    const there = await receiver();
    const hook = await addWebhook(here, { url: there.url });
    there.answers(500, 204);
    await emit(here, "issue.created");
    await drain();
    const [first] = await deliveriesOf(here, hook);
    expect(first).toMatchObject({ state: "retrying", status: 500, final: false, error: "The receiver answered 500." });
    expect(secondsAfter(there, first?.due_at ?? null)).toBeGreaterThan(2);
    expect(secondsUntil(first?.due_at ?? null)).toBeLessThan(6.1);

    await drain({ throughRetries: true });
    expect(await deliveriesOf(here, hook)).toMatchObject([
      { attempt: 1, state: "failed", final: false, due_at: null },
      { attempt: 2, state: "succeeded", final: true },
    ]);
    expect(there.requests.map(({ headers }) => headers["x-webhook-attempt"])).toEqual(["1", "2"]);
    expect(new Set(there.requests.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(there.requests.map(({ body }) => body)).size).toBe(1);
    expect(await webhookRow(here, hook)).toMatchObject({ consecutive_failures: 0, failing_since: null });
  });

  test("is retried automatically when it is due", async () => {
    const here = await world();
    const there = await receiver();
    const hook = await addWebhook(here, { url: there.url });
    there.answers(500, 204);
    await emit(here, "issue.created");
    await drain();
    await here.sql("update webhook_delivery set due_at = now() + interval '300 ms' where webhook_id = $1", [hook.id]);
    await expect
      .poll(
        async () => {
          await drain();
          return (await deliveriesOf(here, hook)).map(({ state }) => state);
        },
        { timeout: 10_000, interval: 200 },
      )
      .toEqual(["failed", "succeeded"]);
  });

  test("ends with the last attempt, and counts as one failed message", async () => {
    const here = await world();
    const there = await receiver();
    const hook = await addWebhook(here, { url: there.url });
    there.answers(302);
    await emit(here, "issue.created");
    await drain({ throughRetries: true });
    expect(await deliveriesOf(here, hook)).toMatchObject([
      { attempt: 1, state: "failed", final: false },
      { attempt: 2, state: "failed", final: false },
      { attempt: 3, state: "failed", final: true, status: 302, due_at: null },
    ]);
    expect(await webhookRow(here, hook)).toMatchObject({ consecutive_failures: 1, disabled_at: null });
  });

  test("has status 0 if there was no reply", async () => {
    const here = await world();
    const there = await receiver();
    const hook = await addWebhook(here, { url: there.url });
    await there.stop();
    await emit(here, "issue.created");
    await drain();
    const [attempt] = await deliveriesOf(here, hook);
    expect(attempt).toMatchObject({ state: "retrying", status: 0, response_body: null });
    expect(attempt?.error).toMatch(/connection/);
    expect(await webhookRow(here, hook)).toMatchObject({ last_delivery_status: 0, consecutive_failures: 1 });
  });

  test("waits as long as the receiver requests with 429 or 503, up to a day", async () => {
    const here = await world();
    const there = await receiver();
    const hook = await addWebhook(here, { url: there.url });
    const waitAsked = async (status: number, retryAfter: string) => {
      there.answers((_, response) => response.writeHead(status, { "retry-after": retryAfter }).end());
      const [id] = await emit(here, "issue.created");
      await drain();
      const rows = await deliveriesOf(here, hook);
      return secondsAfter(there, rows.find((row) => row.delivery_id === id)?.due_at ?? null);
    };
    expect(await waitAsked(429, "3600")).toBeCloseTo(3600, -2);
    expect(await waitAsked(503, new Date(Date.now() + 7_200_000).toUTCString())).toBeCloseTo(7200, -2);
    expect(await waitAsked(503, "9999999")).toBeCloseTo(86_400, -2);
    expect(await waitAsked(429, "1")).toBeGreaterThan(2);
    expect(await waitAsked(500, "3600")).toBeLessThan(10);
  });

  test("for an internal reason blocks nothing and does not count against the receiver", async () => {
    const here = await world();
    const there = await receiver();
    const hook = await addWebhook(here, { url: there.url, secret_sealed: "v1.broken" });
    await emit(here, "issue.created", { count: 5 });
    await drain();
    const rows = await deliveriesOf(here, hook);
    expect(rows.map(({ state }) => state)).toEqual(Array(5).fill("retrying"));
    expect(rows[0]?.error).toBe("The message could not be sent, for a reason on our side.");
    expect(await webhookRow(here, hook)).toMatchObject({ consecutive_failures: 0, failing_since: null });

    const sealed = here.app.resources.ports.sealer.seal(hook.secret);
    await here.sql("update webhook set secret_sealed = $2 where id = $1", [hook.id, sealed]);
    await drain({ throughRetries: true });
    expect(there.requests).toHaveLength(5);
  });
});

describe("a webhook is disabled", () => {
  test("at once by 410, and the workspace's other webhooks are notified", async () => {
    const here = await world();
    const there = await receiver();
    const other = await receiver();
    const hook = await addWebhook(here, { url: there.url, headers: { authorization: "Bearer hush" } });
    await addWebhook(here, { url: other.url, event_types: ["webhook.*"] });
    there.answers(410);
    await emit(here, "issue.created");
    await drain();
    expect(await webhookRow(here, hook)).toMatchObject({ disabled_reason: "gone" });
    expect((await deliveriesOf(here, hook)).map(({ state }) => state)).toEqual(["failed"]);
    expect(there.requests).toHaveLength(1);
    expect(other.requests.map(({ json }) => json)).toMatchObject([
      { type: "webhook.disabled", actor: { kind: "system" }, data: { id: hook.id, disabled_reason: "gone" } },
    ]);
    expect(other.requests[0]?.body).not.toContain("hush");
    expect(await undefinedEvents(here)).toEqual([]);
  });

  test("and its waiting messages are recorded as skipped", async () => {
    const here = await world();
    const there = await receiver();
    const hook = await addWebhook(here, { url: there.url });
    there.answers(500);
    await emit(here, "issue.created", { count: 4 });
    await drain();
    await here.sql("update webhook set disabled_at = now(), disabled_reason = 'user' where id = $1", [hook.id]);
    const sent = there.requests.length;
    await drain({ throughRetries: true });
    expect(there.requests).toHaveLength(sent);
    expect(await deliveriesOf(here, hook)).toMatchObject(
      Array(4).fill({ state: "skipped", final: true, due_at: null }),
    );
  });

  test("after 20 messages failing in a row and 72 hours without success", async () => {
    const here = await world();
    const there = await receiver();
    there.answers(500);
    const failing = (consecutive_failures: number, hours: number) =>
      addWebhook(here, {
        url: there.url,
        event_types: ["issue.*"],
        consecutive_failures,
        failing_since: hoursAgo(hours),
      });
    const hooks = {
      enough: await failing(19, 73),
      tooFew: await failing(18, 73),
      tooShort: await failing(19, 71),
      half: await failing(9, 37),
      less: await failing(9, 35),
    };
    await emit(here, "issue.created");
    await drain();
    const rows = await Promise.all(Object.values(hooks).map((hook) => webhookRow(here, hook)));
    expect(rows.map((row) => row.disabled_reason)).toEqual(["failing", null, null, null, null]);
    expect(rows.map((row) => row.failing_notified_at !== null)).toEqual([true, true, true, true, false]);
    expect(rows.map((row) => row.consecutive_failures)).toEqual([20, 19, 20, 10, 10]);

    there.answers(200);
    await emit(here, "issue.created");
    await drain();
    expect(await webhookRow(here, hooks.tooFew)).toMatchObject({
      consecutive_failures: 0,
      failing_since: null,
      failing_notified_at: null,
    });
  });
});

describe("how many deliveries go out at a time", () => {
  /** Answers after some time and keeps count of how many wait at once. */
  const counting = (ms: number, status: () => number) => {
    const seen = { now: 0, most: 0 };
    const answer = (_: IncomingMessage, response: ServerResponse) => {
      seen.now++;
      seen.most = Math.max(seen.most, seen.now);
      response.on("close", () => seen.now--); // also when the sender gave up
      setTimeout(() => response.writeHead(status()).end(), ms).unref();
    };
    return { seen, answer };
  };

  test("ten to one endpoint, none twice", async () => {
    const here = await world();
    const there = await receiver();
    const hook = await addWebhook(here, { url: there.url });
    const { seen, answer } = counting(20, () => 204);
    there.answers(answer);
    await emit(here, "issue.created", { count: 150 });
    // The receiver runs in this process and may be slow on a busy machine: an answer that is late would be tried again.
    const config = { ...here.app.config, WEBHOOK_TIMEOUT_MS: 15_000 };
    const workers = await Promise.all([startWorker(config), startWorker(config)]);
    const succeeded = async () => (await deliveriesOf(here, hook)).filter(({ state }) => state === "succeeded");
    await expect.poll(succeeded, { timeout: 20_000 }).toHaveLength(150);
    await Promise.all(workers.map((worker) => worker.stop()));
    expect(seen.most).toBe(10);
    expect(there.requests).toHaveLength(150);
  });

  test("one while a re-enabled webhook has not succeeded", async () => {
    const here = await world();
    const there = await receiver();
    const hook = await addWebhook(here, { url: there.url, probing: true });
    let failures = 3;
    const { seen, answer } = counting(30, () => (failures-- > 0 ? 500 : 204));
    there.answers(answer);
    await emit(here, "issue.created", { count: 3 });
    await drain();
    expect(seen.most).toBe(1);
    expect(await webhookRow(here, hook)).toMatchObject({ probing: true });

    await drain({ throughRetries: true });
    expect(await webhookRow(here, hook)).toMatchObject({ probing: false });
    await emit(here, "issue.created", { count: 100 });
    await drain();
    expect(seen.most).toBeGreaterThan(5);
  });

  test("a dead endpoint does not delay a healthy one", async () => {
    const here = await world();
    const dead = await receiver();
    const healthy = await receiver();
    const { seen, answer } = counting(60_000, () => 204);
    dead.answers(answer);
    await addWebhook(here, { url: dead.url, event_types: ["issue.created"], consecutive_failures: 3 });
    await addWebhook(here, { url: healthy.url, event_types: ["issue.updated"] });
    await emit(here, "issue.created", { count: 300 });
    const started = Date.now();
    await emit(here, "issue.updated", { count: 50 });
    const draining = drain({ timeoutMs: 3_000 }).catch((error) => error);
    await healthy.waitFor(50, { timeoutMs: 2_500 });
    expect(Date.now() - started).toBeLessThan(2_500);
    expect(await draining).toBeInstanceOf(Error);
    expect(seen.most).toBe(2);
    await here.sql("update webhook set disabled_at = now(), disabled_reason = 'user' where url = $1", [dead.url]);
    await here.sql("update webhook_delivery set lease_until = now() where state = 'delivering'");
    await drain({ throughRetries: true });
  });

  test("slow receivers of one workspace leave slots for others", async () => {
    const busy = await world();
    const other = await busy.other();
    const slow = await receiver();
    const quick = await receiver();
    const { seen, answer } = counting(20_000, () => 204);
    slow.answers(answer);
    for (let n = 0; n < 5; n++) await addWebhook(busy, { url: `${slow.url}${n}` });
    await addWebhook(other, { url: quick.url });
    const { config } = busy.app;
    const worker = await startWorker({ ...config, WEBHOOK_CONCURRENCY: 12, WEBHOOK_TIMEOUT_MS: 20_000 });
    await emit(busy, "issue.created", { count: 60 });
    await expect.poll(() => seen.now, { timeout: 5_000 }).toBe(6);
    const [id] = await emit(other, "issue.created");
    const [request] = await quick.waitFor(1, { timeoutMs: 1_500 });
    expect(request?.headers["webhook-id"]).toBe(id);
    expect(seen.most).toBe(6);

    await busy.sql("update webhook set disabled_at = now(), disabled_reason = 'user' where workspace_id = $1", [
      busy.workspace.id,
    ]);
    await slow.stop();
    await worker.stop();
    await busy.sql("update webhook_delivery set lease_until = now() where state = 'delivering'");
    await drain({ throughRetries: true });
  });

  test("an attempt whose lease another process has taken over changes nothing", async () => {
    const here = await world();
    const there = await receiver();
    const hook = await addWebhook(here, { url: there.url });
    let answerNow = () => {};
    there.answers((_, response) => {
      answerNow = () => response.writeHead(500).end();
    }, 204);
    await emit(here, "issue.created");
    const draining = drain();
    await there.waitFor(1);
    // As if this process had been taken for dead.
    await here.sql("update webhook set served_by = null, turn = null where id = $1", [hook.id]);
    await there.waitFor(2);
    answerNow();
    await draining;
    expect(await deliveriesOf(here, hook)).toMatchObject([{ attempt: 1, state: "succeeded", status: 204 }]);
    expect(await webhookRow(here, hook)).toMatchObject({ consecutive_failures: 0 });
  });
});

test("messages that fail together are retried by a few jobs, so that they do not fill the queue", async () => {
  const here = await world();
  const there = await receiver();
  there.answers(500);
  const hook = await addWebhook(here, { url: there.url });
  await emit(here, "issue.created", { count: 40 });
  const worker = await startWorker((await app()).config);
  const jobs = async () =>
    (await worker.producer.open(deliverWebhook).getDelayed()).filter((job) => job?.data.webhook_id === hook.id);
  try {
    await there.waitFor(40, { timeoutMs: 15_000 });
    await expect.poll(async () => (await jobs()).length).toBeGreaterThan(0);
    // They are due within two seconds and the time that it took to send them.
    expect((await jobs()).length).toBeLessThan(20);
  } finally {
    await worker.stop();
  }
});
