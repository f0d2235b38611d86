import { describe, expect, test } from "vitest";
import { replayMessages } from "../../src/workers/delivery/replay-messages.ts";
import { addRule } from "../automation/rules-by-sql.ts";
import { configure } from "../support/app.ts";
import { browser } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { drain } from "../support/jobs.ts";
import { addWebhook } from "../support/webhooks.ts";
import { type World, world } from "../support/world.ts";

/** Webhooks of others: who reads their deliveries, and who sends, moves or widens them. */

configure({ WEBHOOK_RETRY_SECONDS: "3600" });

type Shown = {
  id: string;
  delivery_id: string;
  event_type: string;
  request_body: string | null;
  response_body: string | null;
  body_hidden: string | null;
};

/** A webhook that a person set up in a browser, and whose receiver answers with what it gets. */
async function echoing(here: World) {
  const url = here.receiver.url;
  here.receiver.answers((_, response) => response.writeHead(200).end("echo"));
  return addWebhook(here, { url });
}

const listOf = async (client: Client, hook: { id: string }): Promise<Shown[]> =>
  (await client.get(`W/webhooks/${hook.id}/deliveries?limit=100`).expect(200)).data;

const HIDDEN = { request_body: null, response_body: null };
const wordsOf = (shown: readonly Shown[]) =>
  Object.fromEntries(shown.map(({ event_type, body_hidden }) => [event_type, body_hidden]));

describe("bodies of deliveries are shown", () => {
  test("to a key that has the scope of the event, in the list, alone and in replies to calls", async () => {
    const here = await world({ webhook: ["webhook.test"] });
    const hook = await echoing(here);
    await here.owner.post("P/issues", { title: "Seen" }).expect(201);
    await here.owner.post("P/issues/WEB-1/comments", { body_md: "secret" }).expect(201);
    await here.owner.post("W/docs", { title: "secret" }).expect(201);
    await drain();
    const weak = await here.keyFor(here.owner, { scopes: ["webhooks:read", "issues:read"] });
    const shown = await listOf(weak, hook);
    expect(wordsOf(shown)).toMatchObject({ "issue.created": null, "comment.created": "scope", "doc.created": "scope" });
    expect(JSON.stringify(shown)).not.toContain("secret");
    for (const one of shown) {
      if (one.body_hidden === null) expect(one).toMatchObject({ response_body: "echo" });
      else expect(one).toMatchObject(HIDDEN);
      for (const id of [one.id, one.delivery_id]) {
        const { data } = await weak.get(`W/webhooks/${hook.id}/deliveries/${id}`).expect(200);
        expect(data).toEqual(one);
      }
    }
    for (const one of await listOf(here.owner, hook)) {
      expect(one).toMatchObject({ body_hidden: null, response_body: "echo", request_body: expect.any(String) });
    }
  });

  test("to a limited key only for its projects", async () => {
    const here = await world({ webhook: ["webhook.test"] });
    const hidden = await here.hidden();
    const hook = await echoing(here);
    await here.owner.post("P/issues", { title: "Seen" }).expect(201);
    await hidden.owner.post("P/issues", { title: "secret" }).expect(201);
    await drain();
    await here.owner.patch(`W/webhooks/${hook.id}`, { project_ids: ["WEB"] }).expect(200);
    const limited = await here.keyFor(here.owner, { projectIds: [here.project.id] });
    const shown = (await listOf(limited, hook)).filter(({ event_type }) => event_type === "issue.created");
    expect(shown.map(({ body_hidden }) => body_hidden)).toEqual(["project", null]);
    expect(shown[0]).toMatchObject(HIDDEN);
    expect(JSON.stringify(shown)).not.toContain("secret");
  });

  test("of direct messages, private channels and private docs only to the people who see these, on pages too", async () => {
    const here = await world({ webhook: ["webhook.test"] });
    const hook = await echoing(here);
    const { owner } = here;
    const [friend, other] = [await here.as({ role: "admin" }), await here.as({ role: "admin" })];
    const say = async (channel: object) => {
      const { data } = await owner.post("W/chat/channels", channel);
      await owner.post(`W/chat/channels/${data.id}/messages`, { body_md: "secret" }).expect(201);
    };
    await say({ name: "Plans", kind: "private", member_ids: [friend.userId] });
    const { data: dm } = await owner.post("W/chat/dms", { user_ids: [friend.userId] });
    await owner.post(`W/chat/channels/${dm.id}/messages`, { body_md: "secret" }).expect(201);
    const { data: doc } = await owner.post("W/docs", { title: "secret", visibility: "workspace" }).expect(201);
    await drain();
    await owner.patch(`W/docs/${doc.id}`, { visibility: "private" }).expect(200);
    const sees = async (client: Client) =>
      (await listOf(client, hook)).map((one) => [
        one.event_type,
        one.body_hidden,
        (one.request_body ?? "").includes("secret"),
      ]);
    const message = (hidden: string | null) => ["chat.message.created", hidden, hidden === null];
    const docs = (hidden: string | null) => ["doc.created", hidden, hidden === null];
    expect(await sees(owner)).toEqual([docs(null), message(null), message(null)]);
    expect(await sees(friend)).toEqual([docs("private"), message(null), message(null)]);
    expect(await sees(other)).toEqual([docs("private"), message("private"), message("private")]);
    const page = async ({ userId }: Client, { id }: Shown) =>
      (await (await browser(here.app, userId)).get(`/w/${here.workspace.slug}/webhooks/${hook.id}/${id}`)).text;
    const [, one] = await listOf(other, hook);
    expect(await page(owner, one!)).toContain("secret");
    expect(await page(other, one!)).not.toContain("secret");
    expect(await page(other, one!)).toContain("private to others");
  });
});

describe("a key with fewer scopes than the events of a webhook need", () => {
  test("neither sends its messages, replaces its secret nor changes it, but narrows and ends it", async () => {
    const here = await world({ webhook: ["issue.created", "comment.created"] });
    const [hook] = (await here.owner.get("W/webhooks").expect(200)).data;
    await here.sql("update webhook set key_id = null, key_scopes = null where id = $1", [hook.id]);
    await here.owner.post("P/issues", { title: "Seen" }).expect(201);
    await drain();
    const [sent] = await listOf(here.owner, hook);
    const weak = await here.keyFor(here.owner, { scopes: ["webhooks:write", "issues:read"] });
    const at = `W/webhooks/${hook.id}`;
    const url = `${here.receiver.url}?mine`;
    const changes = [{ url }, { event_types: ["*"] }, { project_ids: ["WEB"] }, { headers: {} }, { enabled: true }];
    const before = await here.sql("select * from webhook where id = $1", [hook.id]);
    for (const call of [
      () => weak.post(`${at}/deliveries/${sent!.id}/retry`),
      () => weak.post(`${at}/replay`, { since: "2026-01-01", states: ["succeeded"], event_types: ["issue.*"] }),
      () => weak.post(`${at}/test`),
      () => weak.post(`${at}/rotate-secret`, {}),
      ...changes.map((body) => () => weak.patch(at, body)),
    ]) {
      const { body } = await call().expect(403, "insufficient_scope");
      expect(body.error.details.required_scope).toMatch(/:read$/);
      expect(body.detail).toContain("which the key lacks");
    }
    const { body } = await weak.post(`${at}/test`).expect(403);
    expect(body.error.details.required_scope).toBe("comments:read");
    expect(await here.sql("select * from webhook where id = $1", [hook.id])).toEqual(before);
    expect(here.receiver.requests).toHaveLength(1);
    await weak.patch(at, { description: "Mine" }).expect(200);
    await weak.patch(at, { enabled: false }).expect(200);
    await weak.patch(at, { enabled: true, event_types: ["issue.created"] }).expect(200);
    await weak.post(`${at}/rotate-secret`, {}).expect(200);
    await weak.delete(at).expect(200);
  });

  test("gets nothing of what is sent to an automation's address", async () => {
    const here = await world();
    const hook = await addWebhook(here, {
      url: "https://receiver.example/",
      event_types: [],
      owner_id: await addRule(here, { trigger: "issue.created", actions: [] }),
    });
    const weak = await here.keyFor(here.owner, { scopes: ["webhooks:write", "labels:read"] });
    await weak.patch(`W/webhooks/${hook.id}`, { url: "https://other.example/" }).expect(403, "insufficient_scope");
    await weak.post(`W/webhooks/${hook.id}/rotate-secret`, {}).expect(403, "insufficient_scope");
  });

  test("gets nothing of what an action sends to a webhook that it defined", async () => {
    const here = await world({ webhook: ["webhook.test"] });
    const weak = await here.keyFor(here.owner, { scopes: ["webhooks:write", "labels:read"] });
    const given = { url: here.receiver.url, event_types: ["label.created"] };
    const hook = (await weak.post("W/webhooks", given).expect(201)).data;
    await addRule(here, { trigger: "issue.created", actions: [{ type: "send_webhook", webhook_id: hook.id }] });
    await here.owner.post("P/issues", { title: "Unseen" }).expect(201);
    await drain();
    expect(here.receiver.requests).toEqual([]);
  });
});

test("a key limited to projects does nothing with a webhook of others", async () => {
  const here = await world({ webhook: ["issue.created"] });
  const [hook] = (await here.owner.get("W/webhooks").expect(200)).data;
  const limited = await here.keyFor(here.owner, { projectIds: [here.project.id] });
  const at = `W/webhooks/${hook.id}`;
  for (const call of [
    () => limited.post(`${at}/replay`, { since: "2026-01-01" }),
    () => limited.post(`${at}/test`),
    () => limited.post(`${at}/rotate-secret`, {}),
    () => limited.patch(at, { url: `${here.receiver.url}?mine` }),
    () => limited.get(`${at}/deliveries`),
  ]) {
    const { status } = await call();
    expect([403, 404]).toContain(status);
  }
});

describe("a moved URL", () => {
  test("gets waiting, retried and replayed messages only as far as the key that moved it may read them", async () => {
    const here = await world({ webhook: ["*"] });
    const [hook] = (await here.owner.get("W/webhooks").expect(200)).data;
    here.receiver.answers(500);
    await here.owner.post("P/issues", { title: "Seen" }).expect(201);
    await here.owner.post("P/issues/WEB-1/comments", { body_md: "secret" }).expect(201);
    await drain();
    const messages = await listOf(here.owner, hook);
    const before = here.receiver.requests.length;
    here.receiver.answers(204);
    const weak = await here.keyFor(here.owner, { scopes: ["webhooks:write", "issues:read"] });
    const moved = { url: `${here.receiver.url}?mine`, event_types: ["issue.created"] };
    await weak.patch(`W/webhooks/${hook.id}`, moved).expect(200);
    await drain({ throughRetries: true });
    const comment = messages.find(({ event_type }) => event_type === "comment.created")!;
    await weak.post(`W/webhooks/${hook.id}/deliveries/${comment.id}/retry`).expect(403, "insufficient_scope");
    const all = { since: new Date(Date.now() - 3_600_000).toISOString(), states: ["failed", "skipped", "succeeded"] };
    await weak.post(`W/webhooks/${hook.id}/replay`, all).expect(202);
    await here.owner.post(`W/webhooks/${hook.id}/replay`, all).expect(202);
    await drain({ also: [replayMessages] });
    const later = here.receiver.requests.slice(before);
    expect(later.length).toBeGreaterThan(1);
    expect([...new Set(later.map(({ json }) => json.type.split(".")[0]))]).toEqual(["issue"]);
  });

  test("gets nothing of a doc that is private now, whoever moved it", async () => {
    const here = await world({ webhook: ["doc.*"] });
    const [hook] = (await here.owner.get("W/webhooks").expect(200)).data;
    const admin = await here.as({ role: "admin" });
    here.receiver.answers(500);
    const docs = ["secret", "Seen"].map((title) => here.owner.post("W/docs", { title }).expect(201));
    const [secret] = await Promise.all(docs);
    await drain();
    await here.owner.patch(`W/docs/${secret!.data.id}`, { visibility: "private" }).expect(200);
    const before = here.receiver.requests.length;
    here.receiver.answers(204);
    await admin.patch(`W/webhooks/${hook.id}`, { url: `${here.receiver.url}?other` }).expect(200);
    await drain({ throughRetries: true });
    const titles = here.receiver.requests.slice(before).map(({ json }) => json.data.title);
    expect(titles).toEqual(["Seen"]);
  });
});

test("a webhook that a key set up gets nothing once the person of the key is no admin any more", async () => {
  const here = await world({ webhook: ["webhook.test"] });
  const hidden = await here.hidden();
  const admin = await here.as({ role: "admin" });
  const given = { url: `${here.receiver.url}?mine`, event_types: ["*"] };
  const hook = (await admin.post("W/webhooks", given).expect(201)).data;
  await hidden.owner.post("P/issues", { title: "Before" }).expect(201);
  await drain();
  expect(here.receiver.requests).toHaveLength(1);
  here.receiver.answers(500);
  await hidden.owner.post("P/issues", { title: "Waiting" }).expect(201);
  await drain();
  here.receiver.answers(204);
  const before = here.receiver.requests.length;
  await here.owner.patch(`W/members/${admin.userId}`, { role: "member" }).expect(200);
  await hidden.owner.post("P/issues", { title: "After" }).expect(201);
  await drain({ throughRetries: true });
  expect(here.receiver.requests).toHaveLength(before);
  const at = `W/webhooks/${hook.id}`;
  const ended = { enabled: false, disabled_reason: "credential_ended", disabled_at: expect.any(String) };
  expect((await here.owner.get(at).expect(200)).data).toMatchObject(ended);
  // Who enables it takes it over.
  expect((await here.owner.patch(at, { enabled: true }).expect(200)).data).toMatchObject({ disabled_reason: null });
});
