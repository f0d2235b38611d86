import pg from "pg";
import { Webhook } from "standardwebhooks";
import { expect, onTestFinished, test } from "vitest";
import { newId } from "../../src/domain/kernel/ids.ts";
import { startWorker } from "../../src/start-worker.ts";
import { app, configure } from "../support/app.ts";
import { drain } from "../support/jobs.ts";
import { waitersFor } from "../support/locks.ts";
import { startReceiver } from "../support/receiver.ts";
import { addWebhook, deliveriesOf, emit, webhookRow } from "../support/webhooks.ts";
import { type World, world } from "../support/world.ts";

// Only the call itself starts a delivery in time.
configure({ WEBHOOK_RETRY_SECONDS: "3600,7200", WEBHOOK_TIMEOUT_MS: "2000", SWEEP_SECONDS: "3600" });

async function receiving() {
  const there = await startReceiver();
  onTestFinished(there.stop);
  return there;
}

/** A webhook, and one message to it that was answered. */
async function delivered(here: World, ...answers: number[]) {
  const there = await receiving();
  there.answers(...answers);
  const hook = await addWebhook(here, { url: there.url });
  const [message] = await emit(here, "issue.created");
  await drain();
  return { there, hook, message: message!, deliveries: `W/webhooks/${hook.id}/deliveries` };
}

const attemptsOf = async (here: World, hook: { id: string }) =>
  (await deliveriesOf(here, hook)).map(({ attempt, state, final }) => ({ attempt, state, final }));

test("a message that was delivered is sent again, as the same message with a new signature", async () => {
  const here = await world();
  const { there, hook, message, deliveries } = await delivered(here, 204);
  const { data } = await here.owner.post(`${deliveries}/${message}/retry`).expect(202);
  expect(data).toMatchObject({ delivery_id: message, attempt: 2, state: "pending", final: 0, status: 0 });
  await drain();

  const [first, second] = there.requests;
  expect(second!.body).toBe(first!.body);
  expect(second!.headers).toMatchObject({ "webhook-id": message, "x-webhook-attempt": "2" });
  expect(new Webhook(hook.secret).verify(second!.body, second!.headers)).toBeTruthy();
  expect((await here.owner.get(`${deliveries}/${data.id}`).expect(200)).data).toMatchObject({
    attempt: 2,
    state: "succeeded",
    final: 1,
  });
});

test("a message that waits for its next attempt is sent at once, and the schedule goes on from there", async () => {
  const here = await world();
  const { hook, message, deliveries } = await delivered(here, 500);
  const { data } = await here.owner.post(`${deliveries}/${message}/retry`).expect(202);
  expect(data).toMatchObject({ attempt: 1, state: "retrying" });
  expect(Date.parse(data.next_attempt_at)).toBeLessThan(Date.now() + 1_000);
  await drain();
  expect(await attemptsOf(here, hook)).toEqual([
    { attempt: 1, state: "failed", final: false },
    { attempt: 2, state: "retrying", final: false },
  ]);
  const wait = Date.parse((await deliveriesOf(here, hook))[1]!.due_at!) - Date.now();
  expect(wait / 1_000).toBeGreaterThan(0.8 * 7_200 - 60);
});

test("after the last attempt there is one more, which is final", async () => {
  const here = await world();
  const { hook, message, deliveries } = await delivered(here, 500);
  await drain({ throughRetries: true });
  expect((await attemptsOf(here, hook)).at(-1)).toEqual({ attempt: 3, state: "failed", final: true });
  await here.owner.post(`${deliveries}/${message}/retry`).expect(202);
  await drain();
  expect((await attemptsOf(here, hook)).at(-1)).toEqual({ attempt: 4, state: "failed", final: true });
  // Four attempts of one message count as one failed message.
  expect(await webhookRow(here, hook)).toMatchObject({ consecutive_failures: 1 });
});

test("a message that was skipped is sent once the webhook is enabled, and until then the call says so", async () => {
  const here = await world();
  const there = await receiving();
  const hook = await addWebhook(here, { url: there.url, disabled_at: "now()", disabled_reason: "user" });
  const [message] = await emit(here, "issue.created");
  await drain();
  const retry = () => here.owner.post(`W/webhooks/${hook.id}/deliveries/${message}/retry`);
  const { body } = await retry().expect(409, "invalid_state_change");
  expect(body.detail).toMatch(/disabled.*PATCH.*"enabled": true.*test/);
  await here.owner.patch(`W/webhooks/${hook.id}`, { enabled: true }).expect(200);
  await retry().expect(202);
  await drain();
  expect(there.requests).toHaveLength(1);
  expect(await attemptsOf(here, hook)).toEqual([
    { attempt: 1, state: "skipped", final: true },
    { attempt: 2, state: "succeeded", final: true },
  ]);
});

test("calls at the same time send it once more, not several times", async () => {
  const here = await world();
  const { there, hook, message, deliveries } = await delivered(here, 204);
  const [first] = await deliveriesOf(here, hook);
  const replies = await Promise.all(
    [message, first!.id, message, message].map((id) => here.owner.post(`${deliveries}/${id}/retry`).expect(202)),
  );
  expect(new Set(replies.map(({ data }) => data.id)).size).toBe(1);
  const audited = await here.sql("select type, target_id, changes from audit_entry where workspace_id = $1", [
    here.workspace.id,
  ]);
  expect(audited).toEqual([
    { type: "webhook.delivery_retried", target_id: hook.id, changes: { delivery_id: [null, message] } },
  ]);
  await drain();
  expect(there.requests).toHaveLength(2);
});

test("a call while a replay queues the message adds no attempt, and shows that of the replay", async () => {
  const here = await world();
  const { hook, message, deliveries } = await delivered(here, 204);
  const worker = new pg.Client({ connectionString: here.app.config.DATABASE_URL });
  await worker.connect();
  onTestFinished(() => worker.end());
  await worker.query("begin");
  const { rows } = await worker.query(
    `insert into webhook_delivery
       (id, workspace_id, webhook_id, delivery_id, event_type, attempt, state, due_at, sequence, created_at, replayed)
     select uuidv7(), workspace_id, webhook_id, delivery_id, event_type, 2, 'pending', now(), sequence, now(), true
     from webhook_delivery where webhook_id = $1 returning id`,
    [hook.id],
  );
  const retried = here.owner.post(`${deliveries}/${message}/retry`).expect(202);
  const reply = Promise.resolve(retried);
  await waitersFor(here, 1);
  await worker.query("commit");
  expect((await reply).data).toMatchObject({ id: rows[0].id, attempt: 2, state: "pending" });
  expect(await attemptsOf(here, hook)).toHaveLength(2);
  // The replay, which this test plays, would have added its job.
  await here.sql("delete from webhook_delivery where id = $1", [rows[0].id]);
});

test("a worker that runs sends it without waiting for the sweep", async () => {
  const here = await world();
  const { there, message, deliveries } = await delivered(here, 204);
  const worker = await startWorker((await app()).config);
  try {
    await here.owner.post(`${deliveries}/${message}/retry`).expect(202);
    await there.waitFor(2);
  } finally {
    await worker.stop();
  }
});

test("a test, and a message whose event is no longer kept, are not sent again", async () => {
  const here = await world();
  const { hook, message, deliveries } = await delivered(here, 204);
  const { data: tested } = await here.owner.post(`W/webhooks/${hook.id}/test`).expect(202);
  const { body } = await here.owner.post(`${deliveries}/${tested.id}/retry`).expect(409, "invalid_state_change");
  expect(body.detail).toContain(`POST webhooks/${hook.id}/test`);
  await here.sql("delete from event where id = $1", [message]);
  await here.owner.post(`${deliveries}/${message}/retry`).expect(409, "invalid_state_change");
  await drain();
  expect(await attemptsOf(here, hook)).toHaveLength(2);
});

test("an attempt is read by its own id, and a message by its newest attempt", async () => {
  const here = await world();
  const { there, hook, message, deliveries } = await delivered(here, 500, 204);
  await drain({ throughRetries: true });
  const [first, second] = await deliveriesOf(here, hook);
  const read = async (id: string) => (await here.owner.get(`${deliveries}/${id}`).expect(200)).data;
  expect(await read(first!.id)).toMatchObject({ id: first!.id, delivery_id: message, attempt: 1, status: 500 });
  expect(await read(message)).toMatchObject({ id: second!.id, delivery_id: message, attempt: 2, status: 204 });
  expect(await read(message)).toEqual((await here.owner.get(deliveries).expect(200)).data[0]);

  const other = await addWebhook(here, { url: there.url });
  for (const id of [message, first!.id]) {
    await here.owner.get(`W/webhooks/${other.id}/deliveries/${id}`).expect(404);
    await here.owner.post(`W/webhooks/${other.id}/deliveries/${id}/retry`).expect(404);
  }
  await here.owner.get(`${deliveries}/${newId()}`).expect(404);
  await here.owner.get(`${deliveries}/last`).expect(404);
});
