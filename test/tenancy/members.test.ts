import { describe, expect, test } from "vitest";
import { newId } from "../../src/domain/kernel/ids.ts";
import { startWeb } from "../../src/start-web.ts";
import { app } from "../support/app.ts";
import { browser } from "../support/browser.ts";
import { Client } from "../support/client.ts";
import { type World, world } from "../support/world.ts";

type Event = {
  type: string;
  issue_id: string;
  data: Record<string, unknown>;
  previous: Record<string, unknown> | null;
  changed: string[] | null;
};

const eventsOf = ({ sql, workspace }: World, ...types: string[]) =>
  sql<Event>(
    `select type, issue_id, data, previous, changed from event where workspace_id = $1 and type = any($2) order by id`,
    [workspace.id, types],
  );

const using = ({ app, workspace, project }: World, key: string, baseUrl = app.baseUrl) =>
  new Client(
    baseUrl,
    { W: `/v1/workspaces/${workspace.slug}`, P: `/v1/workspaces/${workspace.slug}/projects/${project.key}` },
    { key, userId: "", email: "" },
  );

const rolesOf = async ({ owner }: World): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await owner.get("W/members?limit=100").expect(200)).data.map((m: { user_id: string; role: string }) => [
      m.user_id,
      m.role,
    ]),
  );

describe("listing", () => {
  test("shows people, latest joined first, and no agents", async () => {
    const here = await world();
    const { owner, as, sql, project } = here;
    const guest = await as({ role: "guest", projectRole: "member", name: "Gus" });
    await owner.post("W/api-keys", { name: "Bot", agent_name: "Bot" }).expect(201);
    const suspended = await as({ role: "viewer" });
    await sql(`update member set status = 'suspended' where user_id = $1`, [suspended.userId]);

    const { data } = await (await as({ role: "viewer", scopes: ["members:read"] })).get("W/members").expect(200);
    expect(data).toHaveLength(4);
    expect(data.at(-1)).toMatchObject({ user_id: owner.userId, role: "owner", is_guest: false, project_ids: [] });
    expect(data[2]).toEqual({
      user_id: guest.userId,
      email: guest.email,
      name: "Gus",
      role: "viewer",
      is_guest: true,
      project_ids: [project.id],
      avatar_url: null,
      status: "active",
      joined_at: expect.stringMatching(/Z$/),
      last_active_at: null,
    });
    expect(data[1]).toMatchObject({ user_id: suspended.userId, status: "suspended" });
  });

  test("pages show everybody once, even if several joined at the same moment", async () => {
    const here = await world();
    for (let n = 0; n < 6; n++) await here.as({ role: "member" });
    await here.sql(`update member set joined_at = '2026-01-01' where workspace_id = $1 and role = 'member'`, [
      here.workspace.id,
    ]);
    const seen: string[] = [];
    for (let cursor = ""; cursor !== null; ) {
      const { body } = await here.owner.get(`W/members?limit=2&cursor=${cursor}`).expect(200);
      seen.push(...body.data.map((member: { user_id: string }) => member.user_id));
      cursor = body.pagination.next_cursor;
    }
    expect(seen).toHaveLength(7);
    expect(new Set(seen).size).toBe(7);
    await here.owner.get("W/members?cursor=broken").expect(400, "invalid_cursor");
  });
});

describe("roles", () => {
  test("a change is returned, recorded once and applies from the next call", async () => {
    const here = await world();
    const member = await here.as({ role: "admin" });
    await member.patch("W", { name: "Before" }).expect(200);
    const path = `W/members/${member.userId}`;
    const { data } = await here.owner.patch(path, { role: "Viewer" }).expect(200);
    expect(data).toMatchObject({ user_id: member.userId, role: "viewer", is_guest: false });
    await member.patch("W", { name: "After" }).expect(403, "insufficient_role");
    await member.post("P/issues", { title: "No more" }).expect(403, "insufficient_role");

    expect((await here.owner.patch(path, { role: "viewer" }).expect(200)).data).toEqual(data);
    expect(await eventsOf(here, "member.role_changed")).toMatchObject([
      { data, previous: { role: "admin" }, changed: ["role"] },
    ]);
  });

  test("a member is named by id, by e-mail in any case, or as me", async () => {
    const here = await world();
    const member = await here.as({ role: "member" });
    const elsewhere = await here.other();
    const path = `W/members/${encodeURIComponent(member.email.toUpperCase())}`;
    expect((await here.owner.patch(path, { role: "viewer" }).expect(200)).data.user_id).toBe(member.userId);
    await elsewhere.owner.patch(path, { role: "member" }).expect(404, "not_found");
    await elsewhere.owner.delete(path).expect(404, "not_found");
    await here.owner.delete(`W/members/${here.owner.email}`).expect(409, "last_owner");
    expect((await here.owner.delete(path).expect(200)).data).toEqual({ user_id: member.userId, removed: true });
    await here.owner.delete(path).expect(404, "not_found");
  });

  test("any role makes a guest a full member", async () => {
    const here = await world();
    const guest = await here.as({ role: "guest", projectRole: "member" });
    const { data } = await here.owner.patch(`W/members/${guest.userId}`, { role: "viewer" }).expect(200);
    expect(data).toMatchObject({ role: "viewer", is_guest: false, project_ids: [] });
    expect(await eventsOf(here, "member.role_changed")).toMatchObject([
      { previous: { is_guest: true, project_ids: [here.project.id] }, changed: ["is_guest", "project_ids"] },
    ]);
  });

  test("it cannot make owners, guests or unknown roles, and agents are not members", async () => {
    const here = await world();
    const { owner, as } = here;
    const admin = await as({ role: "admin" });
    for (const role of ["owner", "guest", "god", "", null, 7]) {
      const { body } = await admin.patch(`W/members/${admin.userId}`, { role }).expect(400, "validation_failed");
      expect(body.error.details.errors).toMatchObject([{ path: "/role" }]);
    }
    await owner.patch(`W/members/${admin.userId}`, {}).expect(400, "validation_failed");
    const { agent_id } = (await owner.post("W/api-keys", { name: "Bot", agent_name: "Bot" }).expect(201)).data;
    for (const id of [agent_id, "nobody", "0199c0de-0000-7000-8000-000000000000", `x${admin.email}`]) {
      await owner.patch(`W/members/${id}`, { role: "viewer" }).expect(404, "not_found");
      await owner.delete(`W/members/${id}`).expect(404, "not_found");
    }
  });

  test("only owners change owners, and the last one stays", async () => {
    const here = await world();
    const { owner, as } = here;
    const admin = await as({ role: "admin" });
    await admin.patch(`W/members/${owner.userId}`, { role: "member" }).expect(403, "insufficient_role");
    await admin.delete(`W/members/${owner.userId}`).expect(403, "insufficient_role");
    await owner.patch("W/members/me", { role: "admin" }).expect(409, "last_owner");
    await owner.delete("W/members/me").expect(409, "last_owner");

    const second = await as({ role: "owner" });
    await here.sql(`update member set status = 'suspended' where user_id = $1`, [second.userId]);
    await owner.patch("W/members/me", { role: "admin" }).expect(409, "last_owner");
    await here.sql(`update member set status = 'active' where user_id = $1`, [second.userId]);
    await second.patch(`W/members/${owner.userId}`, { role: "member" }).expect(200);
    await second.patch("W/members/me", { role: "member" }).expect(409, "last_owner");
  });

  test("of the last two owners who demote each other at once, one stays", async () => {
    for (let round = 0; round < 5; round++) {
      const here = await world();
      const second = await here.as({ role: "owner" });
      const replies = await Promise.all([
        here.owner.patch(`W/members/${second.userId}`, { role: "admin" }),
        second.patch(`W/members/${here.owner.userId}`, { role: "admin" }),
      ]);
      expect(replies.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
      const left = await here.sql(`select 1 from member where workspace_id = $1 and role = 'owner'`, [
        here.workspace.id,
      ]);
      expect(left).toHaveLength(1);
    }
  });

  test("the last two owners who leave at once do not both go", async () => {
    const here = await world();
    const second = await here.as({ role: "owner" });
    const replies = await Promise.all([here.owner.delete("W/members/me"), second.delete("W/members/me")]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test("of two admins who remove each other at once, one stays", async () => {
    const here = await world();
    const [a, b] = [await here.as({ role: "admin" }), await here.as({ role: "admin" })];
    const replies = await Promise.all([a.delete(`W/members/${b.userId}`), b.delete(`W/members/${a.userId}`)]);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(Object.values(await rolesOf(here)).sort()).toEqual(["admin", "owner"]);
  });

  test("an owner transfers ownership and stays as an admin", async () => {
    const here = await world();
    const { owner, as } = here;
    const heir = await as({ role: "viewer" });
    await (await as({ role: "admin" }))
      .post("W/transfer-ownership", { user_id: heir.userId })
      .expect(403, "insufficient_role");
    const elsewhere = await here.other();
    for (const user_id of [elsewhere.owner.userId, "nobody", "nobody@example.org"]) {
      await owner.post("W/transfer-ownership", { user_id }).expect(400, "invalid_reference");
    }
    const { data } = await owner.post("W/transfer-ownership", { user_id: heir.email }).expect(200);
    expect(data).toMatchObject({ user_id: heir.userId, role: "owner" });
    expect(await rolesOf(here)).toMatchObject({ [heir.userId]: "owner", [owner.userId]: "admin" });
    await owner.post("W/transfer-ownership", { user_id: "me" }).expect(403, "insufficient_role");
    expect(await eventsOf(here, "member.role_changed")).toHaveLength(2);
  });

  test("a key limited to projects cannot change or invite people", async () => {
    const here = await world();
    const member = await here.as({ role: "member" });
    const limited = await here.keyFor(here.owner, { projectIds: [here.project.id] });
    await limited.patch(`W/members/${member.userId}`, { role: "admin" }).expect(403, "key_project_limit");
    await limited.delete(`W/members/${member.userId}`).expect(403, "key_project_limit");
    await limited.post("W/transfer-ownership", { user_id: member.userId }).expect(403, "key_project_limit");
    await limited.post("W/invites", { email: "a@example.org" }).expect(403, "key_project_limit");
  });

  test("a key that is limited to projects lists the people who see one of them", async () => {
    const here = await world();
    const { owner, project, as } = here;
    const shop = (await owner.post("W/projects", { name: "Shop", scoped: true }).expect(201)).data;
    const [member, viewer] = [await as({ role: "member" }), await as({ role: "viewer" })];
    const [guest, hers] = [await as({ role: "guest" }), await as({ role: "guest", projectRole: "member" })];
    for (const user_id of [member.userId, hers.userId]) {
      await owner.post(`W/projects/${shop.id}/members`, { user_id, role: "member" }).expect(201);
    }
    const seen = async (...projectIds: string[]) => {
      const { data } = await (await here.keyFor(owner, { projectIds })).get("W/members").expect(200);
      return new Map<string, string[]>(
        data.map((one: { user_id: string; project_ids: string[] }) => [one.user_id, one.project_ids]),
      );
    };
    const ids = (...people: { userId: string }[]) => people.map(({ userId }) => userId).sort();
    const [web, both, none] = [await seen(project.id), await seen(project.id, shop.id), await seen(newId())];
    const inShop = await seen(shop.id);
    expect([...web.keys()].sort()).toEqual(ids(owner, member, viewer, hers));
    expect([...inShop.keys()].sort()).toEqual(ids(owner, member, hers));
    expect([...both.keys()].sort()).toEqual(ids(owner, member, viewer, hers));
    expect(none.size).toBe(0);
    expect(web.get(hers.userId)).toEqual([project.id]);
    expect(inShop.get(hers.userId)).toEqual([shop.id]);
    expect(
      (await owner.get("W/members").expect(200)).data.map(({ user_id }: { user_id: string }) => user_id),
    ).toContain(guest.userId);
  });
});

describe("removal", () => {
  test("unassigns people from open issues and projects, revokes their keys and keeps their work", async () => {
    const here = await world();
    const { owner, as, project } = here;
    const leaver = await as({ role: "admin", projectRole: "member", name: "Lea" });
    const make = async (body: object) => (await owner.post("P/issues", body).expect(201)).data;
    const shared = await make({ title: "Shared", assignee_ids: [owner.userId, leaver.userId] });
    const theirs = await make({ title: "Theirs", assignee: leaver.userId });
    const done = await make({ title: "Done", assignee: leaver.userId, status: "done" });
    const written = (await leaver.post("P/issues", { title: "By Lea" }).expect(201)).data;
    await owner.patch("P", { lead_user_id: leaver.userId, default_assignee_id: leaver.userId }).expect(200);
    await leaver.post("W/invites", { email: `friend@${here.workspace.slug}.test` }).expect(201);

    const reply = await owner.delete(`W/members/${leaver.userId}`).expect(200);
    expect(reply.data).toEqual({ user_id: leaver.userId, removed: true });
    await owner.delete(`W/members/${leaver.userId}`).expect(404, "not_found");
    expect(Object.keys(await rolesOf(here))).toEqual([owner.userId]);
    expect(await here.sql(`select 1 from project_member where user_id = $1`, [leaver.userId])).toEqual([]);

    const read = async ({ id }: { id: string }) => (await owner.get(`P/issues/${id}`).expect(200)).data;
    expect(await read(shared)).toMatchObject({ assignees: [owner.userId], version: 2 });
    expect(await read(theirs)).toMatchObject({ assignees: [], assignee_id: null, assignee_name: null });
    expect(await read(done)).toMatchObject({ assignees: [leaver.userId], version: 1 });
    expect(await read(written)).toMatchObject({ reporter_id: leaver.userId, created_by: leaver.userId, version: 1 });

    const told = await eventsOf(here, "issue.unassigned", "member.removed", "api_key.revoked", "invite.revoked");
    expect(told.map(({ type }) => type).sort()).toEqual([
      "api_key.revoked",
      "invite.revoked",
      "issue.unassigned",
      "issue.unassigned",
      "member.removed",
    ]);
    const unassigned = told.find(({ type, issue_id }) => type === "issue.unassigned" && issue_id === theirs.id);
    expect(unassigned).toMatchObject({
      data: await read(theirs),
      previous: { assignee_id: leaver.userId, assignees: [leaver.userId] },
      changed: ["assignee_id", "assignees"],
    });
    expect(told.find(({ type }) => type === "member.removed")?.data).toMatchObject({
      user_id: leaver.userId,
      role: "admin",
    });
    const updated = (await eventsOf(here, "issue.updated")).filter(({ issue_id }) => issue_id === theirs.id);
    expect(updated).toHaveLength(1);
    const activity = (await owner.get(`P/issues/${theirs.id}/activity`).expect(200)).data;
    expect(activity[0]).toMatchObject({
      kind: "unassigned",
      actor_id: owner.userId,
      payload: { field: "assignees", from: [leaver.userId], from_name: "Lea" },
    });

    expect((await owner.get("P").expect(200)).data).toMatchObject({ lead_user_id: null, default_assignee_id: null });
    expect((await eventsOf(here, "project.updated")).at(-1)).toMatchObject({
      data: { id: project.id },
      previous: { lead_user_id: leaver.userId, default_assignee_id: leaver.userId },
      changed: ["lead_user_id", "default_assignee_id"],
    });
  });

  test("unassigns from as many issues as fit a call, in several projects", async () => {
    const here = await world();
    const { owner, as, sql } = here;
    const leaver = await as({ role: "member" });
    await owner.post("W/projects", { name: "Shop", key: "SHOP" }).expect(201);
    const items = Array.from({ length: 50 }, (_, n) => ({ title: `Issue ${n}`, assignee: leaver.userId }));
    for (const key of ["WEB", "WEB", "WEB", "SHOP"]) {
      await owner.post(`W/projects/${key}/issues/bulk`, { items }).expect(201);
    }
    await owner.delete(`W/members/${leaver.userId}`).expect(200);
    expect(await sql(`select 1 from issue where $1 = any(assignee_ids)`, [leaver.userId])).toEqual([]);
    const told = await eventsOf(here, "issue.unassigned");
    expect(new Set(told.map(({ issue_id }) => issue_id)).size).toBe(200);
    expect(told).toHaveLength(200);
    expect(told.map(({ data }) => data.project_key).filter((key) => key === "SHOP")).toHaveLength(50);
    const urls = told.map(({ data }) => String(data.url)).filter((url) => url.includes("/p/shop/SHOP-"));
    expect(urls).toHaveLength(50);
  });

  test("works during moves and new issues on the same boards", async () => {
    const here = await world();
    const { owner, as, sql } = here;
    const leaver = await as({ role: "member" });
    const parent = (
      await owner.post("P/issues", { title: "Parent", type: "story", assignee: leaver.userId }).expect(201)
    ).data;
    const ids: string[] = [];
    for (let n = 0; n < 12; n++) {
      const body = { title: `Child ${n}`, type: "subtask", parent: parent.key, assignee: leaver.userId };
      ids.push((await owner.post("P/issues", body).expect(201)).data.id);
    }
    const moves = ids.flatMap((id) => [
      owner.post(`P/issues/${id}/transition`, { status: "in_progress" }),
      owner.patch(`P/issues/${id}`, { story_points: 3 }),
      owner.post("P/issues", { title: "Meanwhile" }),
    ]);
    const [removed, ...others] = await Promise.all([owner.delete(`W/members/${leaver.userId}`), ...moves]);
    expect(removed?.status, removed?.text).toBe(200);
    expect(others.map(({ status }) => status).filter((status) => status >= 400)).toEqual([]);
    expect(await sql(`select 1 from issue where $1 = any(assignee_ids)`, [leaver.userId])).toEqual([]);
  });

  test("anyone may leave, and returns without previous rights", async () => {
    const here = await world();
    const viewer = await here.as({ role: "viewer" });
    const visitor = await browser(here.app, viewer.userId);
    const gone = await visitor.post(`/w/${here.workspace.slug}/leave`);
    expect(gone.headers.get("location")).toBe("/w");
    await viewer.get("W").expect(401);
    await here.sql(`insert into member (workspace_id, user_id, role, joined_at) values ($1, $2, 'member', now())`, [
      here.workspace.id,
      viewer.userId,
    ]);
    await viewer.get("W").expect(401);

    const owner = await browser(here.app, here.owner.userId);
    const page = await owner.post(`/w/${here.workspace.slug}/leave`);
    expect(page.status).toBe(409);
    expect(page.text).toContain("must have at least one owner");
  });
});

describe("a removed member loses access everywhere at once", () => {
  test.each(["removed", "suspended"])("one who is %s", async (how) => {
    const here = await world();
    const { owner, sql, workspace } = here;
    // A process of its own has a memory of its own.
    const other = await startWeb((await app()).config);
    try {
      const leaver = await here.as({ role: "admin" });
      const own = (await leaver.post("W/api-keys", { name: "CI", scopes: ["admin"] }).expect(201)).data;
      const agent = (await leaver.post("W/api-keys", { name: "Bot", agent_name: "Bot", scopes: ["write"] }).expect(201))
        .data;
      const [grant] = await sql<{ id: string }>(
        `insert into api_key (id, workspace_id, user_id, kind, name, prefix, last_four, scopes, created_by, created_at, updated_at)
         values (gen_random_uuid(), $1, $2, 'oauth', 'App', 'oat_', '', '{read}', $3, now(), now()) returning id`,
        [workspace.id, agent.agent_id, leaver.userId],
      );
      const visitor = await browser(here.app, leaver.userId);
      const keys = [leaver.key!, own.plaintext, agent.plaintext];
      const everywhere = [here.app.baseUrl, `http://127.0.0.1:${other.port}`];
      const calls = () =>
        Promise.all(
          everywhere.flatMap((url) => keys.map(async (key) => (await using(here, key, url).get("P/issues")).status)),
        );
      expect(await calls()).toEqual(Array(6).fill(200));
      expect((await visitor.get(`/w/${workspace.slug}`)).status).toBe(200);

      if (how === "removed") await owner.delete(`W/members/${leaver.userId}`).expect(200);
      else await sql(`update member set status = 'suspended' where user_id = $1`, [leaver.userId]);
      expect(await calls()).toEqual(Array(6).fill(401));
      expect((await visitor.get(`/w/${workspace.slug}`)).status).toBe(404);
      expect((await visitor.post(`/w/${workspace.slug}/invites`, { email: "x@example.org" })).status).toBe(404);

      const shown = await Promise.all(
        [own, agent, grant!].map(async ({ id }) => (await owner.get(`W/api-keys/${id}`).expect(200)).data),
      );
      const ended = { state: "revoked", revoke_reason: "member_removed" };
      expect(shown).toMatchObject(Array(3).fill(how === "removed" ? ended : { state: "active" }));
      // The agent is still there, for another key.
      await owner.post("W/api-keys", { name: "Bot again", agent_id: agent.agent_id }).expect(201);
    } finally {
      await other.stop();
    }
  });

  test("one who is demoted, with their keys and their agents", async () => {
    const here = await world();
    const { owner, workspace } = here;
    const admin = await here.as({ role: "admin" });
    const agent = (await admin.post("W/api-keys", { name: "Bot", agent_name: "Bot", scopes: ["write"] }).expect(201))
      .data;
    const visitor = await browser(here.app, admin.userId);
    const bot = using(here, agent.plaintext);
    await bot.post("P/issues", { title: "By bot" }).expect(201);
    await admin.get("W/api-keys").expect(200);
    const email = `friend@${workspace.slug}.test`;
    await admin.post("W/invites", { email }).expect(201);

    await owner.patch(`W/members/${admin.userId}`, { role: "viewer" }).expect(200);
    await admin.get("W/api-keys").expect(403, "insufficient_role");
    await admin.post("P/issues", { title: "No" }).expect(403, "insufficient_role");
    await bot.post("P/issues", { title: "No" }).expect(403, "insufficient_scope");
    await bot.get("P/issues").expect(200);
    const page = await visitor.post(`/w/${workspace.slug}/invites`, { email: `b@${workspace.slug}.test` });
    expect(page.status).toBe(403);
    expect((await visitor.get(`/w/${workspace.slug}/members`)).text).not.toContain("Invite someone");
    // What they invited to went with their right to invite.
    expect((await owner.get("W/invites").expect(200)).data).toEqual([]);
  });
});

/** Where a page's forms lead. */
const formsOf = ({ text }: { text: string }) =>
  [...text.matchAll(/method="post" action="([^"]*)"/g)].map(([, to]) => to!.replaceAll("&#x2F;", "/"));

describe("the page", () => {
  test("changes roles and removes people, and says so", async () => {
    const here = await world();
    const { app: running, owner, workspace } = here;
    const member = await here.as({ role: "member", name: "<b>Mel</b>" });
    const visitor = await browser(running, owner.userId);
    const base = `/w/${workspace.slug}/members`;
    const page = await visitor.get(base);
    expect(page.status).toBe(200);
    expect(page.text).toContain("&lt;b&gt;Mel");
    expect(page.text).not.toContain("<b>Mel");
    expect(page.text).not.toMatch(/<script(?! src="\/assets\/live.js" defer>)/);

    const changed = await visitor.follow(await visitor.post(`${base}/${member.userId}/role`, { role: "viewer" }));
    expect(changed.text).toContain("The role was changed");
    expect(await rolesOf(here)).toMatchObject({ [member.userId]: "viewer" });
    const refused = await visitor.post(`${base}/${member.userId}/role`, { role: "owner" });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('role="alert"');
    await visitor.follow(await visitor.post(`${base}/${member.userId}/remove`));
    expect(await rolesOf(here)).not.toHaveProperty(member.userId);
  });

  test("shows forms only to people who may use them, and rejects forms of other sites", async () => {
    const here = await world();
    const { app: running, workspace, as, owner } = here;
    const member = await as({ role: "member" });
    const base = `/w/${workspace.slug}/members`;
    const visitor = await browser(running, member.userId);
    const page = await visitor.get(base);
    expect(page.text).toContain(owner.email);
    expect(formsOf(page)).toEqual(["/sign-out", `/w/${workspace.slug}/leave`]);
    expect((await visitor.post(`${base}/${owner.userId}/remove`)).status).toBe(403);

    const admin = await browser(running, owner.userId);
    const foreign = await admin.post(`${base}/${member.userId}/remove`, {}, { origin: "https://evil.test" });
    expect(foreign.status).toBe(403);
    expect(await rolesOf(here)).toHaveProperty(member.userId);
  });

  test("an owner transfers ownership on it", async () => {
    const here = await world();
    const heir = await here.as({ role: "member" });
    const visitor = await browser(here.app, here.owner.userId);
    const base = `/w/${here.workspace.slug}/members`;
    const role = `${base}/${heir.userId}/role`;
    expect(formsOf(await visitor.get(base))).toContain(role);
    const page = await visitor.follow(await visitor.post(`${base}/${heir.userId}/owner`));
    expect(page.text).toContain("you are an admin now");
    expect(await rolesOf(here)).toMatchObject({ [heir.userId]: "owner", [here.owner.userId]: "admin" });
    expect(formsOf(page)).not.toContain(role);
  });
});

test("a sole owner cannot choose a role, and one of two can", async () => {
  const here = await world();
  const visitor = await browser(here.app, here.owner.userId);
  const members = `/w/${here.workspace.slug}/members`;
  const own = `${members}/${here.owner.userId}/role`;
  const page = async () => (await visitor.get(members)).text.replaceAll("&#x2F;", "/");
  expect(await page()).not.toContain(own);
  const second = await here.as({ role: "owner" });
  expect(await page()).toContain(own);
  await here.sql(`update member set status = 'suspended' where user_id = $1`, [second.userId]);
  expect(await page()).not.toContain(own);
});

test("members are listed by name if asked, page by page, and so on pages of people", async () => {
  const here = await world();
  for (const name of ["Zoë", "Émile", "adam", "Eva", "Bo"]) await here.as({ role: "member", name });
  await here.sql("update app_user set name = 'Max' where id = $1", [here.owner.userId]);
  const byName = ["adam", "Bo", "Émile", "Eva", "Max", "Zoë"];
  const unnamed = [await here.as({ role: "viewer" }), await here.as({ role: "viewer" })].map(({ userId }) => userId);
  await here.sql("update app_user set name = null where id = any($1::uuid[])", [unnamed]);
  const names: (string | null)[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { body } = await here.owner.get(`W/members?sort=name&limit=1${cursor && `&cursor=${cursor}`}`).expect(200);
    names.push(...body.data.map(({ name }: { name: string }) => name));
    cursor = body.pagination.next_cursor;
    // A guest must not find an address in it.
    expect(Buffer.from(cursor ?? "", "base64url").toString("latin1")).not.toContain("@");
  }
  expect(names).toEqual([...byName, null, null]);
  expect((await here.owner.get("W/members").expect(200)).data[2].name).toBe("Bo");
  const visitor = await browser(here.app, here.owner.userId);
  const order = (text: string) =>
    byName.filter((name) => text.includes(name)).sort((a, b) => text.indexOf(a) - text.indexOf(b));
  const members = (await visitor.get(`/w/${here.workspace.slug}/members`)).text.split("<main")[1]!;
  expect(order(members)).toEqual(byName);
  const chat = (await visitor.get(`/w/${here.workspace.slug}/chat`)).text.split('aria-label="People"')[1]!;
  expect(order(chat)).toEqual(byName.filter((name) => name !== "Max"));
});

test("a later page of members leads back to the first", async () => {
  const here = await world();
  await here.sql(
    `with people as (
       insert into app_user (id, kind, email, created_at, updated_at)
       select gen_random_uuid(), 'person', n || '@many.' || $1, now(), now() from generate_series(1, 60) n returning id
     )
     insert into member (workspace_id, user_id, role, joined_at) select $2, id, 'viewer', now() from people`,
    [here.workspace.slug, here.workspace.id],
  );
  const visitor = await browser(here.app, here.owner.userId);
  const members = `/w/${here.workspace.slug}/members`;
  const first = await visitor.get(members);
  expect(first.text).not.toContain("First members");
  const [, next] = /href="([^"]+)" rel="next">More members/.exec(first.text)!;
  const plain = next!.replaceAll("&#x2F;", "/").replaceAll("&#x3D;", "=");
  const second = await visitor.get(plain);
  expect(second.text.replaceAll("&#x2F;", "/")).toContain(`href="${members}">First members`);
  expect(second.text).not.toContain("More members");
});

test("while mail is off, the page says so and that the invite is pending", async () => {
  const here = await world();
  const web = await startWeb({ ...here.app.config, SMTP_URL: undefined });
  try {
    const visitor = await browser({ ...here.app, baseUrl: `http://127.0.0.1:${web.port}` }, here.owner.userId);
    const base = `/w/${here.workspace.slug}`;
    expect((await visitor.get(`${base}/members`)).text).toContain("Mail is off");
    const sent = await visitor.post(`${base}/invites`, { email: `n@${here.workspace.slug}.test`, role: "viewer" });
    const page = await visitor.follow(sent);
    expect(page.text).toContain("sent once a mail server is set");
    expect(page.text).not.toContain("on its way");
  } finally {
    await web.stop();
  }
});
