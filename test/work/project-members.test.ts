import { describe, expect, test } from "vitest";
import { startWeb } from "../../src/start-web.ts";
import { app } from "../support/app.ts";
import { Client } from "../support/client.ts";
import { eventsOf } from "../support/events.ts";
import { world } from "../support/world.ts";

const add = (client: Client, user_id: string, role: string) => client.post("P/members", { user_id, role });

describe("the list", () => {
  test("a member is added, given another role and removed, each with its event", async () => {
    const here = await world();
    const { owner, as } = here;
    const anna = await as({ role: "member", name: "Anna" });
    const { data } = await add(owner, anna.email.toUpperCase(), "Member").expect(201);
    expect(data).toEqual({
      user_id: anna.userId,
      email: anna.email,
      name: "Anna",
      role: "member",
      added_at: expect.stringMatching(/Z$/),
      avatar_url: null,
      added_by: owner.userId,
    });
    expect((await add(owner, anna.userId, "member").expect(201)).data).toEqual(data);
    const changed = (await add(owner, anna.userId, "viewer").expect(201)).data;
    expect(changed).toEqual({ ...data, role: "viewer" });
    expect((await anna.get("P").expect(200)).data.my_role).toBe("viewer");
    for (const named of [anna.email.toUpperCase(), anna.userId]) {
      const removed = await owner.delete(`P/members/${named}`).expect(200);
      expect(removed.data).toEqual({ user_id: anna.userId, removed: true });
    }
    expect(await eventsOf(here, "project.member.%")).toMatchObject([
      { type: "project.member.added", data, previous: null, changed: null },
      { type: "project.member.role_changed", data: changed, previous: { role: "member" }, changed: ["role"] },
      { type: "project.member.removed", data: changed, previous: null, changed: null },
    ]);
  });

  test("is paged, latest joined first, and shows agents with an empty address", async () => {
    const { owner, as } = await world();
    const people = [await as({ role: "member" }), await as({ role: "guest" }), await as({ role: "viewer" })];
    for (const { userId } of people) await add(owner, userId, "member").expect(201);
    const body = { name: "Bot", agent_name: "Bot", scopes: ["read"] };
    const { data: bot } = await owner.post("W/api-keys", body).expect(201);
    const named = await add(owner, bot.agent_id, "viewer").expect(201);
    expect(named.data).toMatchObject({ email: "", name: "Bot" });
    const first = (await owner.get("P/members?limit=3").expect(200)).body;
    const rest = (await owner.get(`P/members?limit=3&cursor=${first.pagination.next_cursor}`).expect(200)).body;
    expect([...first.data, ...rest.data].map((row: { user_id: string }) => row.user_id)).toEqual([
      bot.agent_id,
      ...people.map(({ userId }) => userId).reverse(),
    ]);
    expect(rest.pagination.next_cursor).toBeNull();
  });

  test("only members of the workspace can be added", async () => {
    const { owner, as, other, sql } = await world();
    const stranger = (await other()).owner;
    const suspended = await as({ role: "member" });
    await sql(`update member set status = 'suspended' where user_id = $1`, [suspended.userId]);
    for (const ref of [stranger.userId, stranger.email, suspended.userId, "nobody", "0"]) {
      const reply = await add(owner, ref, "member").expect(400, "not_a_member");
      expect(reply.body.error.details).toEqual({ path: "/user_id", value: ref });
    }
    await owner.post("P/members", { user_id: owner.userId }).expect(400, "validation_failed");
    await add(owner, owner.userId, "owner").expect(400, "validation_failed");
    await owner.delete(`P/members/${stranger.userId}`).expect(404);
    await owner.delete("P/members/x").expect(404);
    await owner.delete(`P/members/${suspended.userId}`).expect(200);
  });

  test("members and visibility of an archived project can be changed", async () => {
    const here = await world();
    const { owner, as } = here;
    const [anna, lead] = [await as({ role: "member" }), await as({ role: "member", projectRole: "admin" })];
    await owner.delete("P").expect(200);
    expect((await lead.patch("P", { scoped: true }).expect(200)).data).toMatchObject({ scoped: true });
    await anna.get("P").expect(404);
    await add(lead, anna.userId, "viewer").expect(201);
    await anna.get("P").expect(200);
    await lead.delete(`P/members/${anna.userId}`).expect(200);
    await anna.get("P").expect(404);
    expect((await eventsOf(here, "project.%")).map(({ type }) => type)).toEqual([
      "project.archived",
      "project.updated",
      "project.member.added",
      "project.member.removed",
    ]);

    await anna.delete(`P/members/${lead.userId}`).expect(404);
    for (const body of [{}, { name: "x" }, { scoped: false, name: "x" }]) {
      await owner.patch("P", body).expect(409, "archived");
    }
  });

  test("only admins of the workspace or the project change it, with the scope for it", async () => {
    const { owner, as } = await world();
    const [admin, lead] = [await as({ role: "admin" }), await as({ role: "member", projectRole: "admin" })];
    const [member, other] = [await as({ role: "member", projectRole: "member" }), await as({ role: "member" })];
    await add(admin, other.userId, "viewer").expect(201);
    await add(lead, other.userId, "member").expect(201);
    for (const client of [member, other]) {
      await add(client, client.userId, "admin").expect(403, "insufficient_role");
      await client.delete(`P/members/${lead.userId}`).expect(403, "insufficient_role");
      await client.get("P/members").expect(200);
    }
    const weak = await as({ role: "admin", scopes: ["write"] });
    const refused = await add(weak, other.userId, "admin").expect(403, "insufficient_scope");
    expect(refused.body.error.details.required_scope).toBe("projects:admin");
    await owner.delete(`P/members/${lead.userId}`).expect(200);
    await add(lead, lead.userId, "admin").expect(403, "insufficient_role");
  });
});

describe("at once", () => {
  test("a process with a cached caller applies the list from the next call", async () => {
    const here = await world();
    const { owner, as, workspace } = here;
    // A process of its own has a memory of its own.
    const other = await startWeb((await app()).config);
    try {
      await owner.patch("P", { scoped: true }).expect(200);
      const [anna, guest] = [await as({ role: "member" }), await as({ role: "guest" })];
      await owner.post("P/issues", { title: "x" }).expect(201);
      const there = ({ key, userId, email }: Client) =>
        new Client(
          `http://127.0.0.1:${other.port}`,
          { W: `/v1/workspaces/${workspace.slug}`, P: `/v1/workspaces/${workspace.slug}/projects/WEB` },
          { key, userId, email },
        );
      for (const client of [anna, guest]) {
        const far = there(client);
        const statuses = async () => [
          (await far.get("P/issues/WEB-1")).status,
          (await far.patch("P/issues/WEB-1", { story_points: 1 })).status,
          (await far.get("W/projects")).data.length,
        ];
        for (let round = 0; round < 3; round++) {
          expect(await statuses()).toEqual([404, 404, 0]);
          await add(owner, client.userId, "member").expect(201);
          expect(await statuses()).toEqual([200, client === guest ? 403 : 200, 1]);
          await add(owner, client.userId, "viewer").expect(201);
          expect(await statuses()).toEqual([200, 403, 1]);
          await owner.delete(`P/members/${client.userId}`).expect(200);
        }
        expect(await statuses()).toEqual([404, 404, 0]);
      }
    } finally {
      await other.stop();
    }
  });

  test("of two who remove each other at once, one stays", async () => {
    const { as, project, sql } = await world();
    for (let round = 0; round < 5; round++) {
      const [a, b] = [
        await as({ role: "member", projectRole: "admin" }),
        await as({ role: "member", projectRole: "admin" }),
      ];
      const replies = await Promise.all([a.delete(`P/members/${b.userId}`), b.delete(`P/members/${a.userId}`)]);
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 403]);
      const left = await sql(`select 1 from project_member where project_id = $1 and user_id = any($2)`, [
        project.id,
        [a.userId, b.userId],
      ]);
      expect(left).toHaveLength(1);
    }
  });

  test("a person who is added while they are removed from the workspace remains in no list", async () => {
    const { owner, as, sql } = await world();
    for (let round = 0; round < 5; round++) {
      const { userId } = await as({ role: "member" });
      const [added, removed] = await Promise.all([add(owner, userId, "admin"), owner.delete(`W/members/${userId}`)]);
      expect([201, 400], added.text).toContain(added.status);
      expect(removed.status, removed.text).toBe(200);
      expect(await sql(`select 1 from project_member where user_id = $1`, [userId])).toEqual([]);
    }
  });

  test("the same person added many times at once is added once", async () => {
    const here = await world();
    const { userId } = await here.as({ role: "member" });
    const replies = await Promise.all(Array.from({ length: 10 }, () => add(here.owner, userId, "member")));
    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(201));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(await eventsOf(here, "project.member.%")).toHaveLength(1);
  });
});
