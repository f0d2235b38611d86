import { expect, test } from "vitest";
import { drain } from "../support/jobs.ts";
import { type World, world } from "../support/world.ts";

/** Webhooks and private channels, when rights change after the webhook was set up. */

const channels = "W/chat/channels";

/** Makes all webhooks those that a person set up in a browser. */
const setUpInBrowser = ({ sql, workspace }: World) =>
  sql("update webhook set key_id = null, key_scopes = null where workspace_id = $1", [workspace.id]);

test("a webhook that a key set up gets nothing of private channels, also if its person is a member", async () => {
  const here = await world({ webhook: ["*"] });
  const { id } = (await here.owner.post(channels, { name: "Plans", kind: "private" }).expect(201)).data;
  const open = (await here.owner.post(channels, { name: "General" }).expect(201)).data.id;
  await here.owner.post(`${channels}/${id}/messages`, { body_md: "secret" }).expect(201);
  await here.owner.post(`${channels}/${open}/messages`, { body_md: "open" }).expect(201);
  await drain();
  const texts = here.receiver.requests.map(({ json }) => json.data.body_md).filter(Boolean);
  expect(texts).toEqual(["open"]);
});

test("a webhook of a key needs the scope of each event, when it is set up and later, and stops with its key", async () => {
  const here = await world({ webhook: ["issue.created"] });
  const { sql, workspace, owner, receiver } = here;
  const key = await here.keyFor(owner, { scopes: ["webhooks:write", "issues:read"] });
  const given = { url: receiver.url, event_types: ["issue.created"] };
  for (const [event, scope] of [
    ["comment.*", "comments:read"],
    ["chat.message.created", "chat:read"],
    ["*", ""],
  ]) {
    const refused = await key.post("W/webhooks", { ...given, event_types: [event] }).expect(403, "insufficient_scope");
    if (scope) expect(refused.body.error.details.required_scope).toBe(scope);
  }
  const [old] = (await owner.get("W/webhooks").expect(200)).data;
  await key.patch(`W/webhooks/${old.id}`, { event_types: ["*"] }).expect(403, "insufficient_scope");
  await key.patch(`W/webhooks/${old.id}`, { url: `${receiver.url}?key` }).expect(200);
  await sql("update webhook set event_types = '{*}' where workspace_id = $1", [workspace.id]);
  const { data: issue } = await owner.post("P/issues", { title: "Seen" }).expect(201);
  await owner.post(`P/issues/${issue.key}/comments`, { body_md: "Hidden" }).expect(201);
  await drain();
  const types = receiver.requests.map(({ json }) => json.type);
  expect(types).toContain("issue.created");
  expect(types.filter((type) => !type.startsWith("issue."))).toEqual([]);

  await sql("update api_key set revoked_at = now() where id = (select key_id from webhook where id = $1)", [old.id]);
  expect((await owner.get(`W/webhooks/${old.id}`).expect(200)).data).toMatchObject({
    ...{ enabled: false, status: "disabled", disabled_reason: "credential_ended" },
  });
  const count = receiver.requests.length;
  await owner.post("P/issues", { title: "Unseen" }).expect(201);
  await drain();
  expect(receiver.requests).toHaveLength(count);
  await owner.patch(`W/webhooks/${old.id}`, { enabled: true }).expect(200);
  expect((await owner.get(`W/webhooks/${old.id}`).expect(200)).data).toMatchObject({ enabled: true });
});

test("messages of a private channel that wait for a webhook are not sent to a URL that somebody else sets", async () => {
  const here = await world({ webhook: ["chat.*"] });
  const { owner, receiver } = here;
  const admin = await here.as({ role: "admin" });
  const { id } = (await owner.post(channels, { name: "Plans", kind: "private" }).expect(201)).data;
  const open = (await owner.post(channels, { name: "General" }).expect(201)).data.id;
  const [hook] = (await owner.get("W/webhooks").expect(200)).data;
  await setUpInBrowser(here);
  receiver.answers(500);
  await owner.post(`${channels}/${id}/messages`, { body_md: "secret" }).expect(201);
  await owner.post(`${channels}/${open}/messages`, { body_md: "open" }).expect(201);
  await drain();
  const before = receiver.requests.length;
  receiver.answers(204);
  await admin.patch(`W/webhooks/${hook.id}`, { url: `${receiver.url}?other` }).expect(200);
  await drain({ throughRetries: true });
  const later = receiver.requests.slice(before);
  expect(later.map(({ path, json }) => [path, json.data.body_md])).toEqual([["/?other", "open"]]);
});

test("a webhook gets nothing of a private channel whose project its creator no longer sees", async () => {
  const here = await world();
  const { owner } = here;
  const admin = await here.as({ role: "admin" });
  const url = (await world({ webhook: ["webhook.test"] })).receiver.url;
  const hook = (await admin.post("W/webhooks", { url, event_types: ["chat.*"] }).expect(201)).data.id;
  await setUpInBrowser(here);
  const body = { name: "Plans", kind: "private", project: "WEB", member_ids: [admin.userId] };
  const { id } = (await owner.post(channels, body).expect(201)).data;
  const say = (body_md: string) => owner.post(`${channels}/${id}/messages`, { body_md }).expect(201);
  await say("one");
  await drain();
  await owner.patch(`W/members/${admin.userId}`, { role: "member" }).expect(200);
  await owner.patch("P", { scoped: true }).expect(200);
  await admin.get(`${channels}/${id}`).expect(404);
  await say("two");
  await drain();
  const { data } = await owner.get(`W/webhooks/${hook}/deliveries`).expect(200);
  expect(data.map((one: { request_body: string }) => JSON.parse(one.request_body).data.body_md)).toEqual(["one"]);
});
