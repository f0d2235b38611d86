import { expect, test } from "vitest";
import { drain } from "../support/jobs.ts";
import { world } from "../support/world.ts";

/** Webhooks and private channels, when rights change after the webhook was set up. */

const channels = "W/chat/channels";

test("messages of a private channel that wait for a webhook are not sent to a URL that somebody else sets", async () => {
  const here = await world({ webhook: ["chat.*"] });
  const { owner, receiver } = here;
  const admin = await here.as({ role: "admin" });
  const { id } = (await owner.post(channels, { name: "Plans", kind: "private" }).expect(201)).data;
  const open = (await owner.post(channels, { name: "General" }).expect(201)).data.id;
  const [hook] = (await owner.get("W/webhooks").expect(200)).data;
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
