import { expect, test } from "vitest";
import { drain } from "../support/jobs.ts";
import { listen } from "../support/listen.ts";
import { world } from "../support/world.ts";

/** Chat, when people leave, and what people who are not in a channel may not find out. */

const channels = "W/chat/channels";

test("a person who leaves the workspace leaves its channels, and stops hearing them at once", async () => {
  const here = await world();
  const leaver = await here.as({ role: "member" });
  const stays = await here.as({ role: "member" });
  const { id } = (await leaver.post(channels, { name: "Plans", kind: "private", member_ids: [stays.userId] })).data;
  const open = (await here.owner.post(channels, { name: "General" }).expect(201)).data.id;
  const dm = (await leaver.post("W/chat/dms", { user_ids: [stays.userId] }).expect(201)).data.id;
  const heard = await listen(here, leaver, open);
  await here.owner.delete(`W/members/${leaver.userId}`).expect(200);
  await heard.ended;
  expect(heard.frames.at(-1)).toEqual({ event: "stream.closed", data: { reason: "no_access" } });
  const { data } = await stays.get(`${channels}/${id}`).expect(200);
  expect(data).toMatchObject({ member_count: 1, my_role: "owner" });
  expect((await stays.get(`${channels}/${dm}`).expect(200)).data.member_count).toBe(1);
  // They come back, and so does the direct message.
  await here.sql("insert into member (workspace_id, user_id, role, status, joined_at) values ($1, $2, $3, $4, now())", [
    here.workspace.id,
    leaver.userId,
    "member",
    "active",
  ]);
  const again = (await stays.post("W/chat/dms", { user_ids: [leaver.userId] }).expect(201)).data;
  expect(again).toMatchObject({ id: dm, member_count: 2 });
});

test("the name of a private channel is free for people who do not see it", async () => {
  const here = await world();
  const [one, two] = [await here.as({ role: "member" }), await here.as({ role: "admin" })];
  const first = (await one.post(channels, { name: "Layoffs", kind: "private" }).expect(201)).data;
  const second = (await two.post(channels, { name: "Layoffs" }).expect(201)).data;
  expect([first.slug, second.slug]).toEqual(["layoffs", "layoffs"]);
  const { body } = await one.post(channels, { name: "layoffs!", kind: "private" }).expect(409, "already_exists");
  expect([first.id, second.id]).toContain(body.error.details.existing_id);
  await two.post(channels, { name: "Layoffs", kind: "private" }).expect(409, "already_exists");
});

test("a webhook tells what happens in a private channel only to the person who set its URL, if they are a member", async () => {
  const here = await world({ webhook: ["chat.*"] });
  const { owner, receiver } = here;
  const inBrowser = () =>
    here.sql("update webhook set key_id = null, key_scopes = null where workspace_id = $1", [here.workspace.id]);
  await inBrowser();
  const admin = await here.as({ role: "admin" });
  const { id } = (await owner.post(channels, { name: "Plans", kind: "private" }).expect(201)).data;
  const say = (body_md: string) => owner.post(`${channels}/${id}/messages`, { body_md }).expect(201);
  await say("one");
  await drain();
  const texts = () => receiver.requests.map(({ json }) => json.data.body_md);
  expect(texts()).toEqual(["one"]);
  const [hook] = (await owner.get("W/webhooks").expect(200)).data;
  const shown = async (client: typeof owner) => (await client.get(`W/webhooks/${hook.id}/deliveries`)).data[0];
  expect((await shown(owner)).request_body).toContain('"one"');
  expect(await shown(admin)).toMatchObject({
    request_body: null,
    response_body: null,
    event_type: "chat.message.created",
  });

  await admin.patch(`W/webhooks/${hook.id}`, { url: `${receiver.url}?other` }).expect(200);
  await inBrowser();
  await say("two");
  await drain();
  expect(texts()).toEqual(["one"]);
  await owner.post(`${channels}/${id}/members`, { user_id: admin.userId }).expect(201);
  await say("three");
  await drain();
  expect(texts()).toEqual(["one", "three"]);
  expect((await shown(admin)).request_body).toContain('"three"');
});
