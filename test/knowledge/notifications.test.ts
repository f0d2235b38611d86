import { describe, expect, test } from "vitest";
import { newId } from "../../src/domain/kernel/ids.ts";
import type { Client } from "../support/client.ts";
import { drain } from "../support/jobs.ts";
import { hold, waitersFor } from "../support/locks.ts";
import { type World, world } from "../support/world.ts";

/** Notifications of people and agents: who gets which, and how they are read and marked. */

const mention = ({ userId }: Client, name = "You") => `@[${name}](${userId})`;

/** The notifications of a client, newest first, as short lines. */
async function kindsOf(client: Client, query = ""): Promise<string[]> {
  const { data } = await client.get(`W/notifications${query}`).expect(200);
  return data.map(({ kind, issue_key }: { kind: string; issue_key: string | null }) => `${kind} ${issue_key}`);
}

async function issueOf({ owner }: World, body: Record<string, unknown> = {}): Promise<string> {
  return (await owner.post("P/issues", { title: "Sign the tag", ...body }).expect(201)).data.key;
}

describe("a notification", () => {
  test("tells a new assignee what happened, where, and who did it", async () => {
    const here = await world();
    const ada = await here.as({ role: "member" });
    const key = await issueOf(here, { assignee: ada.userId });
    await drain();
    const { data, body } = await ada.get("W/notifications").expect(200);
    expect(body.pagination).toEqual({ next_cursor: null });
    expect(data).toEqual([
      {
        id: expect.any(String),
        kind: "assigned",
        read_at: null,
        created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
        title: `Olive Owner assigned you to ${key}`,
        body: "Sign the tag",
        actor_id: here.owner.userId,
        actor_name: "Olive Owner",
        issue_key: key,
        doc_id: null,
        channel_id: null,
        message_id: null,
        session_id: null,
        url: `https://muster.test/w/${here.workspace.slug}/p/web/${key}`,
      },
    ]);
  });

  test("is never about the reader's own deeds, but is about those of their agent", async () => {
    const here = await world();
    const key = await issueOf(here, { assignee: "me" });
    // Somebody else watches, so that the events are worth a look.
    const ada = await here.as({ role: "member" });
    await ada.post(`P/issues/${key}/watchers`).expect(200);
    await here.owner.post(`P/issues/${key}/comments`, { body_md: `Me: ${mention(here.owner)}` }).expect(201);
    await here.owner.patch(`P/issues/${key}`, { status_id: here.columns.Done }).expect(200);
    await drain();
    expect(await kindsOf(here.owner)).toEqual([]);
    expect(await kindsOf(ada)).toEqual([`status_changed ${key}`, `commented ${key}`]);

    const { data } = await here.owner.post("W/api-keys", { name: "Bot", agent_name: "Bot", scopes: ["write"] });
    const [row] = await here.sql<{ user_id: string }>("select user_id from api_key where id = $1", [data.id]);
    expect(row?.user_id).not.toBe(here.owner.userId);
    const headers = { authorization: `Bearer ${data.plaintext}` };
    await here.nobody.post(`P/issues/${key}/comments`, { body_md: "Done by a bot" }, { headers }).expect(201);
    await drain();
    expect(await kindsOf(here.owner)).toEqual([`commented ${key}`]);
  });

  test("of one event is at most one for each person: the strongest kind", async () => {
    const here = await world();
    const [ada, bob, eve] = [
      await here.as({ role: "member" }),
      await here.as({ role: "viewer" }),
      await here.as({ role: "member" }),
    ];
    const key = await issueOf(here, { assignee: ada.userId });
    await eve.post(`P/issues/${key}/watchers`).expect(200);
    await here.owner.post(`P/issues/${key}/comments`, { body_md: `Look, ${mention(bob)} and ${mention(ada)}` });
    await here.owner.patch(`P/issues/${key}`, { assignee_ids: [ada.userId, bob.userId], status_id: here.columns.Done });
    await drain();
    expect(await kindsOf(ada)).toEqual([`status_changed ${key}`, `mentioned ${key}`, `assigned ${key}`]);
    expect(await kindsOf(bob)).toEqual([`assigned ${key}`, `mentioned ${key}`]);
    expect(await kindsOf(eve)).toEqual([`status_changed ${key}`, `commented ${key}`]);
  });

  test("of a changed comment goes only to people whom it did not mention before", async () => {
    const here = await world();
    const [ada, bob] = [await here.as({ role: "member" }), await here.as({ role: "member" })];
    const key = await issueOf(here);
    const comments = `P/issues/${key}/comments`;
    const { data } = await here.owner.post(comments, { body_md: `First ${mention(ada)}` }).expect(201);
    await here.owner.patch(`${comments}/${data.id}`, { body_md: `Second ${mention(ada)} ${mention(bob)}` }).expect(200);
    await here.owner.patch(`${comments}/${data.id}`, { body_md: `Third ${mention(bob)} ${mention(ada)}` }).expect(200);
    await drain();
    expect(await kindsOf(ada)).toEqual([`mentioned ${key}`]);
    const [only] = (await bob.get("W/notifications").expect(200)).data;
    expect(only).toMatchObject({ kind: "mentioned", body: expect.stringMatching(/^Third @member \d+ @member \d+$/) });
  });

  test("shows no comments and no tags of the text, even if the text is cut within a comment", async () => {
    const here = await world();
    const ada = await here.as({ role: "member" });
    const key = await issueOf(here);
    const template = `<!-- ${"Describe it. ".repeat(300)} -->`;
    for (const body_md of [
      `${mention(ada)} H<sub>2</sub>O<br>\`<b>\`<!-- ask\n\nBob --> now`,
      `${template}\n\n<details><summary>Log</summary>\n\nIt failed\n</details>`,
      `${mention(ada)} ${"word ".repeat(5)}${template}`,
    ]) {
      await here.owner.post(`P/issues/${key}/comments`, { body_md }).expect(201);
    }
    await drain();
    const { data } = await ada.get("W/notifications").expect(200);
    expect(data.map(({ body }: { body: string }) => body.replace(/@member \d+/, "@Ada"))).toEqual([
      "@Ada word word word word word",
      "Log It failed",
      "@Ada H2O <b> now",
    ]);
  });
});

describe("reading", () => {
  test("marks as read keep the first time, and unread ones can be listed alone", async () => {
    const here = await world();
    const ada = await here.as({ role: "member" });
    const keys = [];
    for (let n = 0; n < 3; n++) keys.push(await issueOf(here, { assignee: ada.userId }));
    await drain();
    const [newest] = (await ada.get("W/notifications").expect(200)).data;
    const path = `W/notifications/${newest.id}`;
    const first = (await ada.patch(path, { read: true }).expect(200)).data;
    expect(first).toEqual({ ...newest, read_at: expect.any(String) });
    expect((await ada.patch(path, { read: true }).expect(200)).data).toEqual(first);
    expect(await kindsOf(ada, "?unread=true")).toEqual([`assigned ${keys[1]}`, `assigned ${keys[0]}`]);
    expect((await ada.patch(path, { read: false }).expect(200)).data).toEqual(newest);
    expect(await kindsOf(ada, "?unread=true")).toHaveLength(3);
  });

  test("pages are newest first and whole, also when notifications arrive in between", async () => {
    const here = await world();
    const ada = await here.as({ role: "member" });
    for (let n = 0; n < 5; n++) await issueOf(here, { assignee: ada.userId });
    await drain();
    const one = await ada.get("W/notifications?limit=2").expect(200);
    await issueOf(here, { assignee: ada.userId });
    await drain();
    const two = await ada.get(`W/notifications?limit=2&cursor=${one.body.pagination.next_cursor}`).expect(200);
    const three = await ada.get(`W/notifications?limit=2&cursor=${two.body.pagination.next_cursor}`).expect(200);
    const keys = [one, two, three].flatMap(({ data }) => data.map((row: { issue_key: string }) => row.issue_key));
    expect(keys).toEqual(["WEB-5", "WEB-4", "WEB-3", "WEB-2", "WEB-1"]);
    expect(three.body.pagination.next_cursor).toBeNull();
  });

  test("another person's notification does not exist, for admins neither", async () => {
    const here = await world();
    const ada = await here.as({ role: "member" });
    await issueOf(here, { assignee: ada.userId });
    await drain();
    const [{ id }] = (await ada.get("W/notifications").expect(200)).data;
    await here.owner.patch(`W/notifications/${id}`, { read: true }).expect(404);
    await here.owner.patch(`W/notifications/${newId()}`, { read: true }).expect(404);
    expect((await here.owner.post("W/notifications/mark-all-read").expect(200)).data).toEqual({ count: 0 });
    expect(await kindsOf(ada, "?unread=true")).toHaveLength(1);
  });

  test("mark-all-read returns how many it marked, and leaves those that arrive meanwhile unread", async () => {
    const here = await world();
    const ada = await here.as({ role: "member" });
    await issueOf(here, { assignee: ada.userId });
    await drain();
    await insertUnread(here, ada, 2_500);
    const arriving = (async () => {
      for (let n = 0; n < 20; n++) await insertUnread(here, ada, 5);
    })();
    const marks = await Promise.all([1, 2, 3].map(() => ada.post("W/notifications/mark-all-read").expect(200)));
    await arriving;
    const counts = marks.map(({ data }) => data.count as number);
    const [row] = await here.sql<{ read: number; unread: number }>(
      `select count(*) filter (where read_at is not null)::int as read,
              count(*) filter (where read_at is null)::int as unread from notification where user_id = $1`,
      [ada.userId],
    );
    expect(row!.read + row!.unread).toBe(2_601);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(row!.read);
    expect(row!.read).toBeGreaterThanOrEqual(2_501);
  });
});

test("mark-all-read leaves a notification unread that arrives between two of its statements", async () => {
  const here = await world();
  const ada = await here.as({ role: "member" });
  await issueOf(here, { assignee: ada.userId });
  await drain();
  await insertUnread(here, ada, 1_500);
  const [first] = await here.sql<{ id: string }>("select id from notification where user_id = $1 order by id limit 1", [
    ada.userId,
  ]);
  const release = await hold(`select 1 from notification where id = '${first!.id}' for update`);
  const marking = ada.post("W/notifications/mark-all-read").expect(200);
  await waitersFor(here, 1);
  await insertUnread(here, ada, 1);
  await release();
  expect((await marking).data).toEqual({ count: 1_501 });
  expect(await kindsOf(ada, "?unread=true")).toHaveLength(1);
});

/** Copies of the newest notification of a client, unread. */
const insertUnread = ({ sql }: World, { userId }: Client, count: number) =>
  sql(
    `insert into notification (id, workspace_id, user_id, cause_id, kind, title, body, issue_id, created_at)
     select uuidv7(), workspace_id, user_id, gen_random_uuid(), kind, title, body, issue_id, now()
     from (select * from notification where user_id = $1 order by id desc limit 1) n, generate_series(1, $2)`,
    [userId, count],
  );

describe("visibility", () => {
  test("nobody is notified of what they do not see, and a lost right hides earlier notifications", async () => {
    const here = await world();
    const [ada, bob] = [await here.as({ role: "member", projectRole: "member" }), await here.as({ role: "member" })];
    const guest = await here.as({ role: "guest", projectRole: "member" });
    const key = await issueOf(here, { assignee_ids: [ada.userId, bob.userId, guest.userId] });
    await drain();
    for (const client of [ada, bob, guest]) expect(await kindsOf(client)).toEqual([`assigned ${key}`]);

    await here.owner.patch("P", { scoped: true }).expect(200);
    await here.owner.delete(`P/members/${guest.userId}`).expect(200);
    await here.owner.post(`P/issues/${key}/comments`, { body_md: "Only for members" }).expect(201);
    await drain();
    expect(await kindsOf(ada)).toEqual([`commented ${key}`, `assigned ${key}`]);
    for (const client of [bob, guest]) {
      expect(await kindsOf(client)).toEqual([]);
      expect((await client.post("W/notifications/mark-all-read").expect(200)).data).toEqual({ count: 0 });
      const rows = await here.sql<{ id: string; kind: string }>(
        "select id, kind from notification where user_id = $1",
        [client.userId],
      );
      expect(rows.map(({ kind }) => kind)).toEqual(["assigned"]);
      await client.patch(`W/notifications/${rows[0]!.id}`, { read: true }).expect(404);
    }
  });

  test("the notification of a deleted comment goes with it", async () => {
    const here = await world();
    const ada = await here.as({ role: "member" });
    const key = await issueOf(here);
    const comments = `P/issues/${key}/comments`;
    const { data } = await here.owner.post(comments, { body_md: `Secret ${mention(ada)}` }).expect(201);
    await drain();
    expect(await kindsOf(ada)).toEqual([`mentioned ${key}`]);
    await here.owner.delete(`${comments}/${data.id}`).expect(200);
    expect(await kindsOf(ada)).toEqual([]);
  });

  test("a key limited to projects lists and marks only notifications of these", async () => {
    const here = await world();
    const other = await here.hidden("OPS");
    await other.owner.patch("P", { scoped: false }).expect(200);
    const ada = await here.as({ role: "member" });
    await issueOf(here, { assignee: ada.userId });
    await issueOf(other, { assignee: ada.userId });
    await drain();
    const limited = await here.keyFor(ada, { projectIds: [other.project.id] });
    expect(await kindsOf(limited)).toEqual(["assigned OPS-1"]);
    expect((await limited.post("W/notifications/mark-all-read").expect(200)).data).toEqual({ count: 1 });
    expect(await kindsOf(ada, "?unread=true")).toEqual(["assigned WEB-1"]);
  });
});
