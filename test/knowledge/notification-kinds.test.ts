import { expect, test } from "vitest";
import { newId } from "../../src/domain/kernel/ids.ts";
import { openTaking } from "../../src/workers/events/relay.sql.ts";
import { closeStreams } from "../../src/workers/knowledge/close-streams.ts";
import { notify } from "../../src/workers/knowledge/notify.ts";
import type { Client } from "../support/client.ts";
import { drain } from "../support/jobs.ts";
import { emit } from "../support/webhooks.ts";
import { world } from "../support/world.ts";

/** What notifies of what, besides issues' assignees, comments and moves (notifications.test.ts). */

const mention = ({ userId }: Client) => `@[You](${userId})`;
const listed = async (client: Client) => (await client.get("W/notifications").expect(200)).data;
const kindsOf = async (client: Client): Promise<string[]> =>
  (await listed(client)).map(({ kind }: { kind: string }) => kind);

test("an issue's description mentions people, and an edit only those whom it did not mention before", async () => {
  const here = await world();
  const [ada, bob] = [await here.as({ role: "member" }), await here.as({ role: "viewer" })];
  const { data } = await here.owner
    .post("P/issues", { title: "Tag", description_md: `For ${mention(ada)}`, assignee: ada.userId })
    .expect(201);
  await here.owner.patch(`P/issues/${data.key}`, { description_md: `${mention(ada)} and ${mention(bob)}` }).expect(200);
  await here.owner.patch(`P/issues/${data.key}`, { description_md: `${mention(bob)} and ${mention(ada)}` }).expect(200);
  await drain();
  expect(await kindsOf(ada)).toEqual(["mentioned"]);
  expect(await listed(bob)).toMatchObject([
    { kind: "mentioned", title: `Olive Owner mentioned you in ${data.key}`, body: "Tag", issue_key: data.key },
  ]);
});

test("docs and their comments mention people who see them, and a comment notifies the doc's author", async () => {
  const here = await world();
  const [ada, guest] = [await here.as({ role: "member" }), await here.as({ role: "guest", projectRole: "member" })];
  const { data: doc } = await here.owner
    .post("W/docs", { title: "Plan", body_md: `${mention(ada)} ${mention(guest)}`, visibility: "private" })
    .expect(201);
  await drain();
  expect([await kindsOf(ada), await kindsOf(guest)]).toEqual([[], []]);

  await here.owner.patch(`W/docs/${doc.id}`, { visibility: "workspace" }).expect(200);
  const { data: talk } = await ada
    .post(`W/docs/${doc.id}/comments`, { body_md: `Fine, ${mention(guest)}` })
    .expect(201);
  await drain();
  const url = `https://muster.test/w/${here.workspace.slug}/docs/${doc.id}`;
  expect(await listed(ada)).toMatchObject([{ kind: "mentioned", doc_id: doc.id, body: "Plan", url }]);
  expect(await listed(here.owner)).toMatchObject([
    {
      kind: "commented",
      doc_id: doc.id,
      body: expect.stringMatching(/^Fine, @guest \d+$/),
      url: `${url}?at=${talk.id}#comment-${talk.id}`,
    },
  ]);
  expect(await kindsOf(guest)).toEqual([]);

  await here.owner.patch(`W/docs/${doc.id}`, { project: "WEB" }).expect(200);
  await drain();
  expect(await listed(guest)).toMatchObject([{ kind: "mentioned", body: "Plan" }]);
  await here.owner.patch(`W/docs/${doc.id}`, { visibility: "private" }).expect(200);
  expect([await kindsOf(ada), await kindsOf(guest)]).toEqual([[], []]);
});

test("a direct message notifies everybody in it, and a mention in a channel those who read it", async () => {
  const here = await world();
  const [ada, bob, eve] = [
    await here.as({ role: "member" }),
    await here.as({ role: "member" }),
    await here.as({ role: "member" }),
  ];
  const { data: dm } = await here.owner.post("W/chat/dms", { user_ids: [ada.userId, bob.userId] }).expect(201);
  const sent = await here.owner.post(`W/chat/channels/${dm.id}/messages`, { body_md: "Lunch?" }).expect(201);
  const { data: room } = await here.owner.post("W/chat/channels", { name: "Quiet", kind: "private" }).expect(201);
  await here.owner.post(`W/chat/channels/${room.id}/members`, { user_id: ada.userId }).expect(201);
  const messages = `W/chat/channels/${room.id}/messages`;
  await here.owner.post(messages, { body_md: "Nobody in particular" }).expect(201);
  const { data: said } = await here.owner.post(messages, { body_md: `${mention(ada)} ${mention(eve)}` }).expect(201);
  await drain();
  expect(await listed(bob)).toMatchObject([
    {
      ...{ kind: "chat_dm", title: "Olive Owner sent you a message", body: "Lunch?", channel_id: dm.id },
      ...{
        message_id: sent.data.id,
        url: `https://muster.test/w/${here.workspace.slug}/chat/${dm.id}?at=${sent.data.id}#message-${sent.data.id}`,
      },
    },
  ]);
  expect(await kindsOf(ada)).toEqual(["chat_mention", "chat_dm"]);
  expect([await kindsOf(eve), await kindsOf(here.owner)]).toEqual([[], []]);

  await here.owner.delete(`${messages}/${said.id}`).expect(200);
  expect(await kindsOf(ada)).toEqual(["chat_dm"]);
  await ada.delete(`W/chat/channels/${room.id}/members/me`).expect(200);
  await here.owner.post(messages, { body_md: `Still here, ${mention(ada)}?` }).expect(201);
  await drain();
  expect(await kindsOf(ada)).toEqual(["chat_dm"]);
});

test("a streamed message notifies once it is complete, also if its author falls silent", async () => {
  const here = await world();
  const ada = await here.as({ role: "member" });
  const { data: dm } = await here.owner.post("W/chat/dms", { user_ids: [ada.userId] }).expect(201);
  const stream = `W/chat/channels/${dm.id}/messages/stream`;
  const { data } = await here.owner.post(stream, { delta: "Hel" }).expect(201);
  const silent = await here.owner.post(stream, { delta: "Wait" }).expect(201);
  await drain();
  expect(await listed(ada)).toEqual([]);
  await here.owner.post(stream, { message_id: data.message_id, delta: "lo", seq: 1, done: true }).expect(201);
  await here.sql("update chat_message set stream_due_at = now() where id = $1", [silent.data.message_id]);
  await drain({ also: [closeStreams] });
  await drain();
  const bodies = (await listed(ada)).map(({ kind, body, actor_id }: Record<string, string>) => [kind, body, actor_id]);
  expect(bodies.sort()).toEqual([
    ["chat_dm", "Hello", here.owner.userId],
    ["chat_dm", "Wait", here.owner.userId],
  ]);
  expect(await listed(here.owner)).toEqual([]);
});

test("an edited comment or message shows its present text in notifications", async () => {
  const here = await world();
  const ada = await here.as({ role: "member" });
  const { data: issue } = await here.owner.post("P/issues", { title: "x" }).expect(201);
  const { data: doc } = await here.owner.post("W/docs", { title: "Plan" }).expect(201);
  const { data: room } = await here.owner.post("W/chat/channels", { name: "Room" }).expect(201);
  const paths = [`P/issues/${issue.key}/comments`, `W/docs/${doc.id}/comments`, `W/chat/channels/${room.id}/messages`];
  for (const early of [true, false]) {
    for (const path of paths) {
      const { data } = await here.owner.post(path, { body_md: `hunter2 ${mention(ada)}` }).expect(201);
      if (!early) await drain();
      await here.owner.patch(`${path}/${data.id}`, { body_md: `Taken *back*, ${mention(ada)}` }).expect(200);
    }
  }
  await drain();
  const bodies = (await listed(ada)).map(({ body }: { body: string }) => body);
  expect(bodies).toEqual(Array.from({ length: 6 }, () => expect.stringMatching(/^Taken back, @member \d+$/)));
});

test("a goal's status notifies its watchers, and nobody once the goal is deleted", async () => {
  const here = await world();
  const ada = await here.as({ role: "member" });
  const { data } = await here.owner.post("W/goals", { title: "Ship", owner_user_id: ada.userId }).expect(201);
  await here.owner.patch(`W/goals/${data.id}`, { status_override: "off_track" }).expect(200);
  await drain();
  const url = `https://muster.test/w/${here.workspace.slug}/goals/${data.id}`;
  expect(await listed(ada)).toMatchObject([
    { kind: "status_changed", title: "The status of a goal is now: off track", body: "Ship", url },
  ]);
  await here.owner.delete(`W/goals/${data.id}`).expect(200);
  expect(await listed(ada)).toEqual([]);
});

test("a form notifies its creator of answers if they asked for it", async () => {
  const here = await world();
  const ada = await here.as({ role: "member" });
  const field = { kind: "short_text", label: "Summary", mapping: "title" };
  for (const notify_submission of [true, false]) {
    const form = { title: `Ask ${notify_submission}`, status: "published", fields: [field], notify_submission };
    const { data } = await here.owner.post("P/forms", form).expect(201);
    const fields = (await here.owner.get(`P/forms/${data.id}`).expect(200)).data.fields;
    await ada.post(`P/forms/${data.id}/submissions`, { answers: { [fields[0].id]: "Help" } }).expect(201);
  }
  await drain();
  const sent = (await listed(here.owner)).filter(({ kind }: { kind: string }) => kind === "form_submitted");
  expect(sent).toMatchObject([{ title: "New answer: WEB-1", body: "Ask true", issue_key: "WEB-1" }]);
});

test("an accepted invite notifies whoever sent it", async () => {
  const here = await world();
  const admin = await here.as({ role: "admin" });
  const data = { id: newId(), email: "zoe@example.com", invited_by_user_id: here.owner.userId };
  await emit(here, "invite.accepted", { data: JSON.stringify(data) });
  await drain();
  const url = `https://muster.test/w/${here.workspace.slug}/members`;
  expect(await listed(here.owner)).toMatchObject([
    { kind: "invite_accepted", title: "zoe@example.com accepted your invite", url },
  ]);
  expect(await listed(admin)).toEqual([]);
});

test("low credits and disabled webhooks notify owners and admins, as long as they are admins", async () => {
  const here = await world();
  const [admin, member] = [await here.as({ role: "admin" }), await here.as({ role: "member" })];
  await emit(here, "credits.low", { data: JSON.stringify({ balance: 25, threshold: 50 }) });
  await emit(here, "webhook.disabled", { data: JSON.stringify({ id: newId(), description: "CI" }) });
  await drain();
  for (const client of [here.owner, admin]) {
    const rows = (await listed(client)).map(({ kind, body }: Record<string, string>) => [kind, body]).sort();
    expect(rows).toEqual([
      ["credits_low", "Credits left: 25."],
      ["webhook_disabled", "CI"],
    ]);
  }
  expect(await listed(member)).toEqual([]);
  await here.owner.patch(`W/members/${admin.userId}`, { role: "member" }).expect(200);
  expect(await listed(admin)).toEqual([]);
});

test("low credits notify also the owner whose call spent the last ones", async () => {
  const here = await world();
  const [id] = await emit(here, "credits.low", { data: JSON.stringify({ balance: 25, threshold: 50 }) });
  await here.sql("update event set actor_id = $2 where id = $1", [id, here.owner.userId]);
  await drain();
  expect(await listed(here.owner)).toMatchObject([{ kind: "credits_low", actor_id: null, actor_name: null }]);
});

test("somebody who is alone in a workspace is notified of what others cause, and their own work adds no jobs", async () => {
  const here = await world();
  const { data } = await here.owner.post("P/issues", { title: "x", assignee: "me" }).expect(201);
  await here.owner.patch(`P/issues/${data.key}`, { status_id: here.columns.Done }).expect(200);
  await here.owner.post(`P/issues/${data.key}/comments`, { body_md: `Note to ${mention(here.owner)}` }).expect(201);
  const taking = openTaking([notify], { limit: 100, patienceMs: 60_000 });
  const taken = await taking.take(here.app.resources.database, here.workspace.id);
  expect([taken.events > 3, taken.owed]).toEqual([true, []]);
  await emit(here, "credits.low", { data: JSON.stringify({ balance: 25, threshold: 50 }) });
  await drain();
  expect(await kindsOf(here.owner)).toEqual(["credits_low"]);
});
