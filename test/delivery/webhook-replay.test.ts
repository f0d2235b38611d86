import { Webhook } from "standardwebhooks";
import { describe, expect, onTestFinished, test } from "vitest";
import { replayMessages } from "../../src/workers/delivery/replay-messages.ts";
import { configure } from "../support/app.ts";
import { drain } from "../support/jobs.ts";
import { startReceiver } from "../support/receiver.ts";
import { addWebhook, deliveriesOf, emit } from "../support/webhooks.ts";
import { type World, world } from "../support/world.ts";

configure({ WEBHOOK_RETRY_SECONDS: "3600", WEBHOOK_TIMEOUT_MS: "5000" });

const HOUR = 3_600_000;
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
const drained = () => drain({ also: [replayMessages], timeoutMs: 60_000 });

async function receiving() {
  const there = await startReceiver();
  onTestFinished(there.stop);
  return there;
}

/** A webhook that was disabled while these events happened, and is enabled again. */
async function withSkipped(here: World, ...events: { type: Parameters<typeof emit>[1]; count?: number }[]) {
  const there = await receiving();
  const hook = await addWebhook(here, { url: there.url, disabled_at: "now()", disabled_reason: "user" });
  const ids: string[] = [];
  for (const { type, count = 1 } of events) ids.push(...(await emit(here, type, { count })));
  await drain();
  await here.sql("update webhook set disabled_at = null, disabled_reason = null where id = $1", [hook.id]);
  return { there, hook, ids, replay: (body: object) => here.owner.post(`W/webhooks/${hook.id}/replay`, body) };
}

describe("a replay", () => {
  test("sends what was skipped, oldest first, as the same messages with new signatures", async () => {
    const here = await world();
    const { there, hook, ids, replay } = await withSkipped(here, { type: "issue.created", count: 3 });
    const { data } = await replay({ since: ago(HOUR) }).expect(202);
    expect(data).toEqual({ queued: 3, since: expect.any(String), until: expect.any(String), clamped: false });
    await drained();
    expect(there.requests.map(({ headers }) => headers["webhook-id"])).toEqual(ids);
    expect(there.requests.map(({ json }) => json.sequence)).toEqual([1, 2, 3]);
    for (const { body, headers } of there.requests) {
      expect(headers["x-webhook-attempt"]).toBe("2");
      expect(new Webhook(hook.secret).verify(body, headers)).toBeTruthy();
    }
  });

  test("is limited to event types, with groups and names of other services, and to states", async () => {
    const here = await world();
    const { there, replay } = await withSkipped(
      here,
      { type: "issue.created" },
      { type: "issue.archived" },
      { type: "issue.link.created" },
      { type: "comment.created" },
      { type: "label.created" },
    );
    const told = async (body: object) => {
      there.requests.length = 0;
      const { data } = await replay({ since: ago(HOUR), ...body }).expect(202);
      await drained();
      expect(there.requests).toHaveLength(data.queued);
      return there.requests.map(({ json }) => json.type);
    };
    expect(await told({ event_types: ["issue.deleted", "comment.added"] })).toEqual([
      "issue.archived",
      "comment.created",
    ]);
    expect(await told({ event_types: ["issue.link.*"] })).toEqual(["issue.link.created"]);
    expect(await told({ event_types: ["issue.*"] })).toEqual(["issue.created"]);
    expect(await told({ states: ["failed"] })).toEqual([]);
    expect(await told({ states: ["Succeeded"], event_types: ["issue.*"] })).toEqual([
      "issue.created",
      "issue.archived",
      "issue.link.created",
    ]);
    expect(await told({ event_types: ["*"] })).toEqual(["label.created"]);
  });

  test("is limited to a time, from its beginning until before its end", async () => {
    const here = await world();
    const { there, ids, replay } = await withSkipped(here, { type: "issue.created", count: 3 });
    const times = [ago(3 * 60_000), ago(2 * 60_000), ago(60_000)];
    for (const [n, id] of ids.entries())
      await here.sql("update event set created_at = $2 where id = $1", [id, times[n]]);
    expect((await replay({ since: times[1], until: times[2] }).expect(202)).data).toMatchObject({ queued: 1 });
    await drained();
    expect(there.requests.map(({ headers }) => headers["webhook-id"])).toEqual([ids[1]]);
  });

  test("made twice at once sends each message once", async () => {
    const here = await world();
    const { there, hook, ids, replay } = await withSkipped(here, { type: "issue.created", count: 40 });
    const body = { since: ago(HOUR), states: ["skipped", "succeeded"] };
    await Promise.all(Array.from({ length: 4 }, () => replay(body).expect(202)));
    const { data: log } = await here.owner.get("W/audit-log?type=webhook.replayed").expect(200);
    expect(log).toHaveLength(4);
    expect(log[0]).toMatchObject({ target: { id: hook.id }, changes: { states: [null, body.states] } });
    await drained();
    expect(there.requests.map(({ headers }) => headers["webhook-id"]).sort()).toEqual([...ids].sort());
  });

  test("made twice sends each message once, even if the second one is worked on after the first one's messages", async () => {
    const here = await world();
    const { there, hook, replay } = await withSkipped(here, { type: "issue.created", count: 2 });
    const body = { since: ago(HOUR), states: ["skipped", "succeeded"] };
    for (let n = 0; n < 2; n++) expect((await replay(body).expect(202)).data.queued).toBe(2);
    const newest = "id = (select id from webhook_replay where webhook_id = $1 order by id desc limit 1)";
    await here.sql(`update webhook_replay set due_at = null where ${newest}`, [hook.id]);
    await drained();
    expect(there.requests).toHaveLength(2);
    await here.sql(`update webhook_replay set due_at = now() where ${newest}`, [hook.id]);
    await drained();
    expect(there.requests).toHaveLength(2);
    // A call after that is meant: the messages have been delivered since.
    await replay(body).expect(202);
    await drained();
    expect(there.requests).toHaveLength(4);
  });

  test("leaves out messages that wait or are on their way, tests, and messages whose event is gone", async () => {
    const here = await world();
    const there = await receiving();
    const hook = await addWebhook(here, { url: there.url });
    there.answers(500);
    await emit(here, "issue.created");
    await drain();
    await here.owner.post(`W/webhooks/${hook.id}/test`).expect(202);
    await drain();
    const replay = (body: object) => here.owner.post(`W/webhooks/${hook.id}/replay`, body).expect(202);
    const all = { since: ago(HOUR), states: ["failed", "skipped", "succeeded"] };
    expect((await replay(all)).data.queued).toBe(0);
    await here.sql("update webhook_delivery set state = 'failed', final = true, due_at = null where webhook_id = $1", [
      hook.id,
    ]);
    expect((await replay(all)).data.queued).toBe(1);
    await here.sql("delete from event where workspace_id = $1", [here.workspace.id]);
    await drained();
    expect(await deliveriesOf(here, hook)).toHaveLength(2);
  });

  test("goes back as far as the plan keeps deliveries, and says so", async () => {
    const here = await world({ plan: "free" });
    const { replay } = await withSkipped(here, { type: "issue.created" });
    const { data } = await replay({ since: "2020-01-01" }).expect(202);
    expect(data).toMatchObject({ queued: 1, clamped: true });
    expect((Date.now() - Date.parse(data.since)) / (24 * HOUR)).toBeCloseTo(3, 1);
  });

  test.each([
    [{}, "validation_failed"],
    [{ since: "soon" }, "validation_failed"],
    [{ since: "2999-01-01" }, "validation_failed"],
    [{ since: "2026-02-02", until: "2026-02-02" }, "validation_failed"],
    [{ since: "2026-02-02", event_types: ["issue.creatd"] }, "validation_failed"],
    [{ since: "2026-02-02", states: ["pending"] }, "validation_failed"],
    [{ since: "2026-02-02", state: "failed" }, "unknown_field"],
  ])("with %j is refused", async (body, code) => {
    const here = await world();
    const hook = await addWebhook(here, { url: "http://127.0.0.1:9/" });
    await here.owner.post(`W/webhooks/${hook.id}/replay`, body).expect(400, code);
  });

  test("of a disabled webhook is refused, and one that is disabled meanwhile gets nothing more", async () => {
    const here = await world();
    const { there, hook, replay } = await withSkipped(here, { type: "issue.created", count: 3 });
    await replay({ since: ago(HOUR) }).expect(202);
    await here.owner.patch(`W/webhooks/${hook.id}`, { enabled: false }).expect(200);
    const { body } = await replay({ since: ago(HOUR) }).expect(409, "invalid_state_change");
    expect(body.detail).toContain('{"enabled": true}');
    await drained();
    expect(there.requests).toEqual([]);
    expect((await deliveriesOf(here, hook)).map(({ attempt, state }) => ({ attempt, state }))).toEqual(
      Array.from({ length: 3 }, () => ({ attempt: 1, state: "skipped" })),
    );
  });

  test("is refused while ten are at work", async () => {
    const here = await world();
    const { replay } = await withSkipped(here, { type: "issue.created" });
    for (let n = 0; n < 10; n++) await replay({ since: ago(HOUR) }).expect(202);
    await replay({ since: ago(HOUR) }).expect(409, "invalid_state_change");
    await drained();
    await replay({ since: ago(HOUR) }).expect(202);
  });
});
