import { Webhook } from "standardwebhooks";
import { afterEach, describe, expect, test } from "vitest";
import { listDeliveries } from "../../src/domain/delivery/webhooks/deliveries.sql.ts";
import { SUBSCRIPTIONS } from "../../src/domain/webhook-events.ts";
import { type RunningWorker, startWorker } from "../../src/start-worker.ts";
import { app } from "../support/app.ts";
import { drain } from "../support/jobs.ts";
import { startReceiver } from "../support/receiver.ts";
import { type World, world } from "../support/world.ts";

const URL = "https://hooks.example.com/in?a=1";
const valid = { url: URL, event_types: ["issue.*"] };

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A worker that runs beside the test, as in earnest. */
async function withWorker(): Promise<RunningWorker> {
  const worker = await startWorker((await app()).config);
  cleanups.push(worker.stop);
  return worker;
}

async function receiving() {
  const receiver = await startReceiver();
  cleanups.push(receiver.stop);
  return receiver;
}

const row = ({ sql }: World, id: string) => sql(`select * from webhook where id = $1`, [id]).then(([first]) => first!);

describe("creating webhooks", () => {
  test("the signing secret is shown once and stored sealed", async () => {
    const here = await world();
    const { owner } = here;
    const { data: hook } = await owner
      .post("W/webhooks", {
        url: URL,
        event_types: ["issue.created", "comment.*", "issue.created"],
        description: "  To the chat  ",
        project_ids: ["web"],
        headers: { Authorization: "Bearer abc", "X-Team": "web" },
      })
      .expect(201);
    expect(hook).toEqual({
      id: expect.any(String),
      url: URL,
      event_types: ["issue.created", "comment.*"],
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      secret_prefix: hook.secret.slice(0, 11),
      secret_rotated_at: null,
      previous_secret_expires_at: null,
      enabled: true,
      status: "active",
      disabled_at: null,
      disabled_reason: null,
      description: "To the chat",
      project_ids: [here.project.id],
      headers: { Authorization: "***", "X-Team": "***" },
      consecutive_failures: 0,
      last_delivery_at: null,
      last_delivery_status: null,
      last_success_at: null,
      created_by: owner.userId,
      created_at: expect.any(String),
      updated_at: hook.created_at,
    });
    const { secret, ...shown } = hook;
    expect((await owner.get(`W/webhooks/${hook.id}`).expect(200)).data).toEqual(shown);
    expect((await owner.get("W/webhooks").expect(200)).data).toEqual([shown]);
    expect(JSON.stringify(await row(here, hook.id))).not.toContain(secret.slice(11, 40));
  });

  test("one that is created disabled gets nothing until it is enabled", async () => {
    const { owner } = await world();
    const { data } = await owner.post("W/webhooks", { ...valid, enabled: false }).expect(201);
    expect(data).toMatchObject({ enabled: false, status: "disabled", disabled_reason: "user" });
  });

  test("every event can be subscribed to, and names of other services are understood", async () => {
    const { owner } = await world();
    for (let start = 0; start < SUBSCRIPTIONS.length; start += 100) {
      await owner.post("W/webhooks", { url: URL, event_types: SUBSCRIPTIONS.slice(start, start + 100) }).expect(201);
    }
    const { data } = await owner
      .post("W/webhooks", {
        url: URL,
        event_types: ["issue.deleted", "Comment.Added", "member.updated", "comment.created", "issue.link.*", "*"],
      })
      .expect(201);
    const read = ["issue.archived", "comment.created", "member.role_changed", "issue.link.*", "*"];
    expect(data.event_types).toEqual(read);
    const { data: alias } = await owner.post("W/webhooks", { url: URL, events: ["goal.created"] }).expect(201);
    expect(alias.event_types).toEqual(["goal.created"]);
  });

  test.each([
    ["issue.create", "issue.created"],
    ["issues.*", "issue.*"],
    ["coment.created", "comment.created"],
    ["issue.", undefined],
    ["**", undefined],
    ["issue.created.*", undefined],
    ["constructor", undefined],
    ["", undefined],
  ])("the event %j is unknown", async (name, meant) => {
    const { owner } = await world();
    const { body } = await owner
      .post("W/webhooks", { url: URL, event_types: ["*", name] })
      .expect(400, "validation_failed");
    const [error] = body.error.details.errors;
    expect(error).toMatchObject({ path: "/event_types/1", code: "not_allowed" });
    if (meant) expect(error.did_you_mean).toBe(meant);
  });

  test.each([
    "http://example.com/",
    "ftp://example.com/",
    "https://10.0.0.1/",
    "https://169.254.169.254/latest/meta-data",
    "https://[fd00::1]/",
    "https://user:secret@example.com/",
    "https://example.com/#part",
    "https://exa mple.com/",
    "//example.com",
    "javascript:alert(1)",
    "",
    `https://example.com/${"x".repeat(2048)}`,
  ])("the address %j is refused", async (url) => {
    const { owner } = await world();
    const { body } = await owner.post("W/webhooks", { ...valid, url }).expect(400, "invalid_url");
    expect(body.error.details.path).toBe("/url");
    const { data: hook } = await owner.post("W/webhooks", valid).expect(201);
    await owner.patch(`W/webhooks/${hook.id}`, { url }).expect(400, "invalid_url");
  });

  test.each([
    [{ url: undefined }, "/url", "required"],
    [{ url: 7 }, "/url", "type"],
    [{ event_types: undefined }, "/event_types", "required"],
    [{ event_types: [] }, "/event_types", "too_few_items"],
    [{ event_types: "*" }, "/event_types", "type"],
    [{ event_types: Array(101).fill("*") }, "/event_types", "too_many_items"],
    [{ event_types: [null] }, "/event_types/0", "type"],
    [{ description: "x".repeat(201) }, "/description", "too_long"],
    [{ enabled: "yes" }, "/enabled", "type"],
    [{ project_ids: [] }, "/project_ids", "too_few_items"],
    [{ headers: [] }, "/headers", "type"],
    [{ headers: { "X-A": 1 } }, "/headers/X-A", "type"],
    [{ headers: { "X A": "1" } }, "/headers/X A", "pattern"],
    [{ headers: { "": "1" } }, "/headers/", "pattern"],
    [{ headers: { "X-A": "1\r\nHost: evil" } }, "/headers/X-A", "pattern"],
    [{ headers: { "X-A": "ü" } }, "/headers/X-A", "pattern"],
    [{ headers: { "X-A": "x".repeat(1025) } }, "/headers/X-A", "too_long"],
    [{ headers: { "X-A": "1", "x-a": "2" } }, "/headers/X-A", "duplicate"],
    [{ headers: { Host: "evil" } }, "/headers/Host", "not_allowed"],
    [{ headers: { "Webhook-Id": "1" } }, "/headers/Webhook-Id", "not_allowed"],
    [{ headers: { "x-webhook-event": "1" } }, "/headers/x-webhook-event", "not_allowed"],
    [{ headers: { "transfer-encoding": "chunked" } }, "/headers/transfer-encoding", "not_allowed"],
    [
      { headers: Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`X-${n}`, "1"])) },
      "/headers",
      "too_many_items",
    ],
  ])("%j is refused", async (more, path, code) => {
    const { owner } = await world();
    const { body } = await owner.post("W/webhooks", { ...valid, ...more }).expect(400, "validation_failed");
    expect(body.error.details.errors).toContainEqual(expect.objectContaining({ path, code }));
  });

  test.each([[{ secret: "whsec_x" }], [{ id: "x" }], [{ disabled_at: null }]])("%j is not a field", async (more) => {
    const { owner } = await world();
    await owner.post("W/webhooks", { ...valid, ...more }).expect(400, "unknown_field");
  });

  test("a header named __proto__ changes nothing", async () => {
    const { owner } = await world();
    const raw = `{"url":"${URL}","event_types":["*"],"headers":{"__proto__":"x"}}`;
    const { status, data } = await owner.post("W/webhooks", undefined, { raw });
    if (status === 201) expect(data.headers).toEqual({});
    else expect(status).toBe(400);
  });

  test("projects of others are unknown", async () => {
    const here = await world();
    const elsewhere = await here.other();
    for (const ref of ["NOPE", elsewhere.project.id]) {
      const { body } = await here.owner
        .post("W/webhooks", { ...valid, project_ids: [ref] })
        .expect(400, "invalid_reference");
      expect(body.error.details).toMatchObject({ path: "/project_ids/0", value: ref });
    }
  });

  test("the last agent that the plan allows goes to one of several concurrent calls", async () => {
    const { owner } = await world({ plan: "free" });
    const replies = await Promise.all(Array.from({ length: 12 }, () => owner.post("W/webhooks", valid)));
    const made = replies.filter((reply) => reply.status === 201);
    expect(made).toHaveLength(3);
    const refused = replies.find((reply) => reply.status === 403);
    expect(refused?.body).toMatchObject({
      code: "plan_limit_reached",
      error: { details: { plan: "free", limit: 3, used: 3, required_plan: "pro" } },
    });
    await owner.delete(`W/webhooks/${made[0]?.data.id}`).expect(200);
    await owner.post("W/webhooks", valid).expect(201);
  });

  test("after a downgrade nothing is lost, but no more webhooks can be enabled", async () => {
    const { owner, sql, workspace } = await world();
    const hooks = await Promise.all(Array.from({ length: 4 }, () => owner.post("W/webhooks", valid).expect(201)));
    const [first, second] = hooks.map((reply) => reply.data.id);
    await owner.patch(`W/webhooks/${first}`, { enabled: false }).expect(200);
    await sql(`update workspace set plan = 'free' where id = $1`, [workspace.id]);
    await owner.patch(`W/webhooks/${first}`, { enabled: true }).expect(403, "plan_limit_reached");
    await owner.patch(`W/webhooks/${first}`, { description: "Still mine" }).expect(200);
    await owner.patch(`W/webhooks/${second}`, { enabled: false }).expect(200);
    await owner.patch(`W/webhooks/${first}`, { enabled: true }).expect(200);
  });
});

describe("who may", () => {
  test.each(["member", "viewer", "guest"] as const)("a %s may not", async (role) => {
    const here = await world();
    const someone = await here.as({ role });
    await someone.get("W/webhooks").expect(403, "insufficient_role");
    await someone.post("W/webhooks", valid).expect(403, "insufficient_role");
  });

  test("a key needs the scope", async () => {
    const here = await world();
    const { data: hook } = await here.owner.post("W/webhooks", valid).expect(201);
    const reader = await here.keyFor(here.owner, { scopes: ["webhooks:read"] });
    await reader.get(`W/webhooks/${hook.id}/deliveries`).expect(200);
    await reader.post(`W/webhooks/${hook.id}/test`).expect(403, "insufficient_scope");
    await reader.post(`W/webhooks/${hook.id}/rotate-secret`).expect(403, "insufficient_scope");
    const writer = await here.keyFor(here.owner, { scopes: ["write"] });
    await writer.get("W/webhooks").expect(403, "insufficient_scope");
  });

  test("a key limited to projects sees no other webhooks", async () => {
    const here = await world();
    const limited = await here.keyFor(here.owner, { projectIds: [here.project.id] });
    const { data: everywhere } = await here.owner.post("W/webhooks", valid).expect(201);
    await limited.post("W/webhooks", valid).expect(403, "key_project_limit");
    const { data: own } = await limited.post("W/webhooks", { ...valid, project_ids: ["WEB"] }).expect(201);
    expect((await limited.get("W/webhooks").expect(200)).data).toMatchObject([{ id: own.id }]);
    await limited.patch(`W/webhooks/${own.id}`, { project_ids: null }).expect(403, "key_project_limit");
    await limited.patch(`W/webhooks/${everywhere.id}`, { url: URL }).expect(404, "not_found");
    await limited.get(`W/webhooks/${everywhere.id}/deliveries`).expect(404, "not_found");
    await limited.post(`W/webhooks/${everywhere.id}/rotate-secret`).expect(404, "not_found");
  });

  test("another tenant's webhook is not found", async () => {
    const here = await world();
    const elsewhere = await here.other();
    const { data: theirs } = await elsewhere.owner.post("W/webhooks", valid).expect(201);
    for (const id of [theirs.id, "00000000-0000-0000-0000-000000000000", "x'--"]) {
      const path = `W/webhooks/${encodeURIComponent(id)}`;
      await here.owner.get(path).expect(404, "not_found");
      await here.owner.patch(path, { enabled: false }).expect(404, "not_found");
      await here.owner.delete(path).expect(404, "not_found");
      await here.owner.get(`${path}/deliveries`).expect(404, "not_found");
      await here.owner.post(`${path}/rotate-secret`).expect(404, "not_found");
      await here.owner.post(`${path}/test`).expect(404, "not_found");
    }
    expect((await here.owner.get("W/webhooks").expect(200)).data).toEqual([]);
  });
});

describe("changing webhooks", () => {
  test("only sent fields change; an empty body changes nothing", async () => {
    const { owner } = await world();
    const { data: made } = await owner.post("W/webhooks", { ...valid, headers: { "X-A": "1" } }).expect(201);
    const { secret: _, ...before } = made;
    expect((await owner.patch(`W/webhooks/${made.id}`, {}).expect(200)).data).toEqual(before);
    const same = { url: URL, event_types: ["issue.*"], enabled: true, project_ids: null, headers: { "X-A": "1" } };
    expect((await owner.patch(`W/webhooks/${made.id}`, same).expect(200)).data).toEqual(before);

    const news = {
      url: "https://b.example.com/",
      event_types: ["*"],
      project_ids: ["WEB"],
      description: "New",
      headers: null,
    };
    const { data: after } = await owner.patch(`W/webhooks/${made.id}`, news).expect(200);
    expect(after).toMatchObject({
      ...news,
      project_ids: [expect.any(String)],
      headers: {},
      created_at: before.created_at,
    });
    expect(after.updated_at > before.updated_at).toBe(true);
    const { data: cleared } = await owner
      .patch(`W/webhooks/${made.id}`, { project_ids: null, description: null })
      .expect(200);
    expect(cleared).toMatchObject({ project_ids: null, description: null });
  });

  test("stored values of headers are never sent to a new address", async () => {
    const here = await world();
    const [first, second] = [await receiving(), await receiving()];
    const made = { ...valid, url: first.url, headers: { Authorization: "Bearer correct-horse", "X-Team": "web" } };
    const { data: hook } = await here.owner.post("W/webhooks", made).expect(201);
    const writer = await here.keyFor(here.owner, { scopes: ["webhooks:write", "read"] });
    const path = `W/webhooks/${hook.id}`;
    for (const headers of [
      undefined,
      hook.headers,
      { authorization: "***" },
      { Authorization: "mine", "X-Team": "***" },
    ]) {
      const { body } = await writer.patch(path, { url: second.url, headers }).expect(400, "validation_failed");
      expect(body.error.details.errors).toMatchObject([{ path: "/headers", code: "required" }]);
    }
    // The address that it has is not a new one.
    await writer.patch(path, { url: first.url, headers: hook.headers }).expect(200);

    await writer.patch(path, { url: second.url, headers: { "X-Team": "other" } }).expect(200);
    await here.owner.post("P/issues", { title: "News" }).expect(201);
    await drain();
    expect(first.requests).toEqual([]);
    expect(second.requests[0]!.headers).toMatchObject({ "x-team": "other" });
    expect(second.requests[0]!.headers).not.toHaveProperty("authorization");

    await writer.patch(path, { url: first.url, headers: {} }).expect(200);
    await writer.patch(path, { url: second.url }).expect(200);
  });

  test("values of headers are never shown, and a mask that is sent back keeps its value", async () => {
    const here = await world();
    const { owner } = here;
    const receiver = await receiving();
    const secret = "Bearer correct-horse";
    const sent = { ...valid, url: receiver.url, headers: { Authorization: secret, "X-Team": "blue-team" } };
    const idempotent = { headers: { "idempotency-key": "hook" } };
    const replies = [await owner.post("W/webhooks", sent, idempotent).expect(201)];
    replies.push(await owner.post("W/webhooks", sent, idempotent).expect(201));
    const { id } = replies[0]!.data;
    const reader = await here.keyFor(owner, { scopes: ["webhooks:read"] });
    const deliver = async () => {
      await owner.post("P/issues", { title: "News" }).expect(201);
      await drain();
      return receiver.requests.at(-1)!.headers;
    };
    expect(await deliver()).toMatchObject({ authorization: secret, "x-team": "blue-team" });

    const { data: shown, ...read } = await reader.get(`W/webhooks/${id}`).expect(200);
    expect(shown.headers).toEqual({ Authorization: "***", "X-Team": "***" });
    const { url, event_types, enabled, project_ids, description, headers } = shown;
    const written = { url, event_types, enabled, project_ids, description, headers };
    replies.push({ ...read, data: shown }, await owner.patch(`W/webhooks/${id}`, written).expect(200));
    expect(replies.at(-1)!.data).toMatchObject(written);
    expect(await deliver()).toMatchObject({ authorization: secret, "x-team": "blue-team" });

    const other = { authorization: "***", "X-New": "one" };
    replies.push(await owner.patch(`W/webhooks/${id}`, { headers: other }).expect(200));
    expect(replies.at(-1)!.data.headers).toEqual({ authorization: "***", "X-New": "***" });
    const received = await deliver();
    expect(received).toMatchObject({ authorization: secret, "x-new": "one" });
    expect(received).not.toHaveProperty("x-team");

    // A mask of nothing would be sent as it is.
    const mask = { headers: { "X-Team~1": "***" } };
    for (const refused of [
      await owner.patch(`W/webhooks/${id}`, mask).expect(400, "validation_failed"),
      await owner.post("W/webhooks", { ...valid, ...mask }).expect(400, "validation_failed"),
    ]) {
      expect(refused.body.error.details.errors).toMatchObject([{ path: "/headers/X-Team~01", code: "not_allowed" }]);
    }
    expect(await deliver()).toMatchObject({ authorization: secret, "x-new": "one" });

    replies.push(
      await reader.get("W/webhooks").expect(200),
      await reader.get(`W/webhooks/${id}/deliveries`).expect(200),
    );
    replies.push(await owner.post(`W/webhooks/${id}/rotate-secret`).expect(200));
    for (const { text } of replies) expect(text).not.toMatch(/correct-horse|blue-team|"one"/);
  });

  test("enabling again clears the failures and tries one message first", async () => {
    const here = await world();
    const { data: hook } = await here.owner.post("W/webhooks", valid).expect(201);
    await here.sql(
      `update webhook set consecutive_failures = 12, failing_since = now() - interval '40 hours', failing_notified_at = now()
       where id = $1`,
      [hook.id],
    );
    expect((await here.owner.get(`W/webhooks/${hook.id}`)).data).toMatchObject({ status: "failing", enabled: true });
    await here.sql(`update webhook set disabled_at = now(), disabled_reason = 'failing' where id = $1`, [hook.id]);
    const { data: disabled } = await here.owner.patch(`W/webhooks/${hook.id}`, { enabled: false }).expect(200);
    expect(disabled).toMatchObject({ status: "disabled", disabled_reason: "failing", consecutive_failures: 12 });

    const { data } = await here.owner.patch(`W/webhooks/${hook.id}`, { enabled: true }).expect(200);
    expect(data).toMatchObject({ status: "active", disabled_at: null, disabled_reason: null, consecutive_failures: 0 });
    expect(await row(here, hook.id)).toMatchObject({ probing: true, failing_since: null, failing_notified_at: null });
  });

  test("enabling one that is failing clears its failures, too", async () => {
    const here = await world();
    const { data: hook } = await here.owner.post("W/webhooks", valid).expect(201);
    await here.sql(
      `update webhook set consecutive_failures = 12, failing_since = now() - interval '40 hours', failing_notified_at = now()
       where id = $1`,
      [hook.id],
    );
    const { data } = await here.owner.patch(`W/webhooks/${hook.id}`, { enabled: true }).expect(200);
    expect(data).toMatchObject({ status: "active", enabled: true, consecutive_failures: 0 });
    expect(await row(here, hook.id)).toMatchObject({ probing: true, failing_since: null, failing_notified_at: null });
    // One that is well has nothing to be cleared.
    await here.sql(`update webhook set probing = false where id = $1`, [hook.id]);
    await here.owner.patch(`W/webhooks/${hook.id}`, { enabled: true }).expect(200);
    expect(await row(here, hook.id)).toMatchObject({ probing: false });
  });

  test.each([
    [{ url: null }, "validation_failed"],
    [{ event_types: null }, "validation_failed"],
    [{ event_types: ["nothing"] }, "validation_failed"],
    [{ headers: { Connection: "close" } }, "validation_failed"],
    [{ secret: "whsec_x" }, "unknown_field"],
    [{ project_ids: ["NOPE"] }, "invalid_reference"],
  ])("%j is refused", async (body, code) => {
    const { owner } = await world();
    const { data: hook } = await owner.post("W/webhooks", valid).expect(201);
    await owner.patch(`W/webhooks/${hook.id}`, body).expect(400, code);
  });

  test("a deleted webhook is gone, with its waiting messages", async () => {
    const here = await world();
    const { data: hook } = await here.owner.post("W/webhooks", valid).expect(201);
    await here.sql(
      `insert into webhook_delivery (id, workspace_id, webhook_id, delivery_id, event_type, attempt, state, due_at, created_at)
       select gen_random_uuid(), $1, $2, gen_random_uuid(), 'issue.created', 1, s, now() + interval '1 hour', now()
       from unnest(array['pending', 'retrying', 'succeeded']) s`,
      [here.workspace.id, hook.id],
    );
    expect((await here.owner.delete(`W/webhooks/${hook.id}`).expect(200)).data).toEqual({ id: hook.id, deleted: true });
    await here.owner.delete(`W/webhooks/${hook.id}`).expect(404, "not_found");
    await here.owner.get(`W/webhooks/${hook.id}`).expect(404, "not_found");
    expect((await here.owner.get("W/webhooks").expect(200)).data).toEqual([]);
    const states = await here.sql(`select state, due_at from webhook_delivery where webhook_id = $1 order by state`, [
      hook.id,
    ]);
    expect(states).toMatchObject([{ state: "skipped", due_at: null }, { state: "skipped" }, { state: "succeeded" }]);
  });
});

describe("rotating the secret", () => {
  test("twice keeps the first grace period: three secrets sign, each until its own period ends", async () => {
    const here = await world();
    const receiver = await receiving();
    const { data: hook } = await here.owner.post("W/webhooks", { ...valid, url: receiver.url }).expect(201);
    const secrets: string[] = [hook.secret];
    const rotate = async (grace_seconds: number) => {
      const { data } = await here.owner.post(`W/webhooks/${hook.id}/rotate-secret`, { grace_seconds }).expect(200);
      secrets.push(data.secret);
    };
    const signedBy = async () => {
      await here.owner.post("P/issues", { title: "Signed" }).expect(201);
      await drain();
      const { headers, body } = receiver.requests.at(-1)!;
      return secrets.flatMap((secret, at) => {
        try {
          new Webhook(secret).verify(body, headers);
          return [at];
        } catch {
          return [];
        }
      });
    };
    await rotate(7_200);
    await rotate(3_600);
    expect(await signedBy()).toEqual([0, 1, 2]);
    // A third rotation within them drops the one that would have ended first.
    await rotate(60);
    expect(await signedBy()).toEqual([0, 2, 3]);
    await rotate(0);
    expect(await signedBy()).toEqual([0, 4]);
    await here.sql(`update webhook set older_secret_expires_at = now() where id = $1`, [hook.id]);
    expect(await signedBy()).toEqual([4]);
  });

  test("messages are signed with both until the grace period ends", async () => {
    const here = await world();
    const receiver = await receiving();
    const { data: first } = await here.owner.post("W/webhooks", { ...valid, url: receiver.url }).expect(201);
    const { data: second } = await here.owner.post(`W/webhooks/${first.id}/rotate-secret`).expect(200);
    expect(second.secret).not.toBe(first.secret);
    expect(second.secret_prefix).toBe(second.secret.slice(0, 11));
    const grace = Date.parse(second.previous_secret_expires_at) - Date.parse(second.secret_rotated_at);
    expect(grace).toBe(86_400_000);
    expect((await here.owner.get(`W/webhooks/${first.id}`)).data).not.toHaveProperty("secret");

    await here.owner.post("P/issues", { title: "Signed twice" }).expect(201);
    await drain();
    for (const { secret } of [first, second]) verify(secret, receiver.requests[0]!);

    const { data: third } = await here.owner
      .post(`W/webhooks/${first.id}/rotate-secret`, { grace_seconds: 0 })
      .expect(200);
    expect(third.previous_secret_expires_at).toBeNull();
    await here.owner.post("P/issues", { title: "Signed once" }).expect(201);
    await drain();
    verify(third.secret, receiver.requests[1]!);
    expect(() => verify(second.secret, receiver.requests[1]!)).toThrow();
  });

  test("an ended grace period is not shown", async () => {
    const here = await world();
    const { data: hook } = await here.owner.post("W/webhooks", valid).expect(201);
    await here.owner.post(`W/webhooks/${hook.id}/rotate-secret`, { grace_seconds: 1 }).expect(200);
    await here.sql(`update webhook set previous_secret_expires_at = now() - interval '1 s' where id = $1`, [hook.id]);
    expect((await here.owner.get(`W/webhooks/${hook.id}`)).data.previous_secret_expires_at).toBeNull();
  });

  test.each([[{ grace_seconds: -1 }], [{ grace_seconds: 604_801 }], [{ grace_seconds: "1" }], [{ grace: 1 }]])(
    "%j is refused",
    async (body) => {
      const { owner } = await world();
      const { data: hook } = await owner.post("W/webhooks", valid).expect(201);
      await owner.post(`W/webhooks/${hook.id}/rotate-secret`, body).expect(400);
    },
  );
});

describe("deliveries", () => {
  test("are listed newest first, with request and reply", async () => {
    const here = await world();
    const receiver = await receiving();
    const headers = { "X-Team": "web" };
    const { data: hook } = await here.owner.post("W/webhooks", { ...valid, url: receiver.url, headers }).expect(201);
    receiver.answers((_, response) => response.writeHead(202).end("thanks"));
    await here.owner.post("P/issues", { title: "First" }).expect(201);
    await drain();
    await here.owner.post("P/issues", { title: "Second" }).expect(201);
    await drain();

    // Its own headers may be credentials: sent as they are, kept sealed, and shown in its deliveries by name alone.
    expect(receiver.requests[1]!.headers["x-team"]).toBe("web");
    expect((await row(here, hook.id)).headers).toMatch(/^v1\./);
    const { data } = await here.owner.get(`W/webhooks/${hook.id}/deliveries`).expect(200);
    expect(data).toHaveLength(2);
    expect(data[0]).toEqual({
      id: expect.any(String),
      body_hidden: null,
      delivery_id: receiver.requests[1]!.headers["webhook-id"],
      event_type: "issue.created",
      attempt: 1,
      status: 202,
      latency_ms: expect.any(Number),
      error: "",
      final: 1,
      ts: expect.any(String),
      state: "succeeded",
      next_attempt_at: null,
      request_headers: expect.objectContaining({ "x-team": "***", "webhook-id": data[0].delivery_id }),
      request_body: receiver.requests[1]!.body,
      response_body: "thanks",
    });

    const first = await here.owner.get(`W/webhooks/${hook.id}/deliveries?limit=1`).expect(200);
    const { next_cursor } = first.body.pagination;
    const second = await here.owner.get(`W/webhooks/${hook.id}/deliveries?limit=1&cursor=${next_cursor}`).expect(200);
    expect([first.data[0].id, second.data[0].id]).toEqual(data.map((delivery: { id: string }) => delivery.id));
    expect(second.body.pagination.next_cursor).toBeNull();

    const { data: other } = await here.owner.post("W/webhooks", valid).expect(201);
    await here.owner.get(`W/webhooks/${other.id}/deliveries?cursor=${next_cursor}`).expect(400, "cursor_mismatch");
  });

  test("of a long message the first 16 KiB are shown, and only these are read", async () => {
    const here = await world();
    const receiver = await receiving();
    const event_types = ["comment.*"];
    const { data: hook } = await here.owner.post("W/webhooks", { url: receiver.url, event_types }).expect(201);
    await here.owner.post("P/issues", { title: "x" }).expect(201);
    const body_md = `é"\n${"word ".repeat(12_000)}`;
    const { data } = await here.owner.post("P/issues/WEB-1/comments", { body_md }).expect(201);
    await here.owner.patch(`P/issues/WEB-1/comments/${data.id}`, { body_md: `Now ${body_md}` }).expect(200);
    await drain();
    const { data: shown } = await here.owner.get(`W/webhooks/${hook.id}/deliveries`).expect(200);
    expect(receiver.requests).toHaveLength(2);
    for (const request of receiver.requests) {
      const delivery = shown.find((one: { delivery_id: string }) => one.delivery_id === request.headers["webhook-id"]);
      expect(request.body.length).toBeGreaterThan(100_000);
      expect(delivery.request_body).toBe(request.body.slice(0, 16 * 1024));
    }
    const deliveries = {
      workspaceId: here.workspace.id,
      webhookId: hook.id,
      readerId: here.owner.userId,
      readerProjects: null,
      readerScopes: null,
    };
    const rows = await listDeliveries((await app()).resources.database, deliveries, {
      states: null,
      after: null,
      limit: 10,
    });
    expect(rows).toHaveLength(2);
    for (const row of rows) expect(JSON.stringify(row.event).length).toBeLessThan(70_000);
  });

  test("a failed attempt shows its reason and when the next one is due", async () => {
    const here = await world();
    const receiver = await receiving();
    receiver.answers(500);
    const { data: hook } = await here.owner.post("W/webhooks", { ...valid, url: receiver.url }).expect(201);
    await here.owner.post("P/issues", { title: "x".repeat(200), description: "y".repeat(50_000) }).expect(201);
    await drain();
    const { data } = await here.owner.get(`W/webhooks/${hook.id}/deliveries`).expect(200);
    expect(data).toMatchObject([{ status: 500, final: 0, state: "retrying", error: expect.stringContaining("500") }]);
    expect(Date.parse(data[0].next_attempt_at)).toBeGreaterThan(Date.now());
    expect(data[0].request_body).toHaveLength(16_384);
    expect((await here.owner.get(`W/webhooks/${hook.id}`)).data).toMatchObject({ last_delivery_status: 500 });
  });
});

describe("testing a webhook", () => {
  test("sends one signed message at once and returns its outcome", async () => {
    const here = await world();
    const receiver = await receiving();
    const { data: hook } = await here.owner.post("W/webhooks", { ...valid, url: receiver.url }).expect(201);
    await withWorker();
    const { data } = await here.owner.post(`W/webhooks/${hook.id}/test`).expect(202);
    expect(data).toMatchObject({
      event_type: "webhook.test",
      attempt: 1,
      status: 204,
      final: 1,
      state: "succeeded",
      error: "",
    });
    const [request] = receiver.requests;
    expect(request?.headers["webhook-id"]).toBe(data.delivery_id);
    expect(request?.json).toMatchObject({ type: "webhook.test", data: { webhook_id: hook.id } });
    verify(hook.secret, request!);
    expect(receiver.requests).toHaveLength(1);
    const { data: list } = await here.owner.get(`W/webhooks/${hook.id}/deliveries`).expect(200);
    expect(list).toEqual([data]);
  });

  test("works while the webhook is disabled, is not retried and does not affect its health", async () => {
    const here = await world();
    const receiver = await receiving();
    receiver.answers(500);
    const { data: hook } = await here.owner
      .post("W/webhooks", { ...valid, url: receiver.url, enabled: false })
      .expect(201);
    await withWorker();
    const { data } = await here.owner.post(`W/webhooks/${hook.id}/test`).expect(202);
    expect(data).toMatchObject({ status: 500, final: 1, state: "failed", next_attempt_at: null });
    expect((await here.owner.get(`W/webhooks/${hook.id}`)).data).toMatchObject({
      consecutive_failures: 0,
      status: "disabled",
    });
    expect(receiver.requests).toHaveLength(1);
  });

  test("without a worker, or with a slow receiver, the reply says that it is pending after 3 s", async () => {
    const here = await world();
    const receiver = await receiving();
    const { data: hook } = await here.owner.post("W/webhooks", { ...valid, url: receiver.url }).expect(201);
    const began = performance.now();
    const { data: unsent } = await here.owner.post(`W/webhooks/${hook.id}/test`).expect(202);
    expect(performance.now() - began).toBeGreaterThan(2_900);
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(unsent).toMatchObject({
      status: 0,
      final: 0,
      state: "pending",
      error: "",
      latency_ms: 0,
      response_body: null,
    });

    receiver.delay(4_000);
    await withWorker();
    const { data: slow } = await here.owner.post(`W/webhooks/${hook.id}/test`).expect(202);
    expect(slow).toMatchObject({ status: 0, final: 0, state: "pending" });
    await expect
      .poll(async () => (await here.owner.get(`W/webhooks/${hook.id}/deliveries`)).data, { timeout: 10_000 })
      .toMatchObject([
        { id: slow.id, state: "succeeded" },
        { id: unsent.id, state: "succeeded" },
      ]);
  });

  test("is limited to six a minute for each webhook", async () => {
    const here = await world();
    const receiver = await receiving();
    await withWorker();
    const { data: hook } = await here.owner.post("W/webhooks", { ...valid, url: receiver.url }).expect(201);
    const { data: other } = await here.owner.post("W/webhooks", { ...valid, url: receiver.url }).expect(201);
    const replies = await Promise.all(Array.from({ length: 9 }, () => here.owner.post(`W/webhooks/${hook.id}/test`)));
    expect(replies.map((reply) => reply.status).sort()).toEqual([...Array(6).fill(202), ...Array(3).fill(429)]);
    const refused = replies.find((reply) => reply.status === 429)!;
    expect(refused.body.code).toBe("rate_limited");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    await here.owner.post(`W/webhooks/${other.id}/test`).expect(202);
    expect(receiver.requests).toHaveLength(7);
  });

  test("a repeated call with an Idempotency-Key sends nothing more", async () => {
    const here = await world();
    const receiver = await receiving();
    await withWorker();
    const { data: hook } = await here.owner.post("W/webhooks", { ...valid, url: receiver.url }).expect(201);
    const headers = { "Idempotency-Key": "one-test" };
    const first = await here.owner.post(`W/webhooks/${hook.id}/test`, undefined, { headers }).expect(202);
    const again = await here.owner.post(`W/webhooks/${hook.id}/test`, undefined, { headers }).expect(202);
    expect(again.data.id).toBe(first.data.id);
    expect(receiver.requests).toHaveLength(1);
  });
});

function verify(secret: string, { body, headers }: { body: string; headers: Record<string, string> }) {
  new Webhook(secret).verify(body, headers);
}
