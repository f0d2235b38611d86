import { describe, expect, test } from "vitest";
import { browser } from "../support/browser.ts";
import { inviteLink, lettersTo, stranger, tokenOf } from "../support/invites.ts";
import { cleanUpNow } from "../support/jobs.ts";
import { startMailbox } from "../support/mailbox.ts";
import { linkOn, open, sendForm } from "../support/page-forms.ts";
import { type World, world } from "../support/world.ts";

// Workers that run here send what was written.
await startMailbox();

const eventsOf = ({ sql, workspace }: World, ...types: string[]) =>
  sql<{ type: string; actor_id: string; data: Record<string, unknown> }>(
    `select type, actor_id, data from event where workspace_id = $1 and type = any($2) order by id`,
    [workspace.id, types],
  );

const addressIn = ({ workspace }: World, local: string) => `${local}@${workspace.slug}.test`;
const pending = async ({ owner }: World) => (await owner.get("W/invites").expect(200)).data;

describe("inviting", () => {
  test("returns no token; only the mail contains it", async () => {
    const here = await world();
    const { owner, sql, workspace } = here;
    const email = addressIn(here, "Nora");
    const { data } = await owner.post("W/invites", { email, role: "viewer", message: "Hi & <hello>" }).expect(201);
    expect(data).toEqual({
      id: expect.any(String),
      email,
      role: "viewer",
      invited_by_user_id: owner.userId,
      invited_by_name: "Olive Owner",
      expires_at: expect.any(String),
      created_at: expect.any(String),
      project_ids: [],
      status: "pending",
      replaced_invite_id: null,
    });
    expect(Date.parse(data.expires_at) - Date.parse(data.created_at)).toBe(7 * 86_400_000);
    expect(await pending(here)).toEqual([data]);

    const letters = await lettersTo(here, email);
    expect(letters).toMatchObject([
      {
        kind: "invite",
        expires_at: data.expires_at,
        subject: `Olive Owner invited you to Workspace ${workspace.slug}`,
        lines: [expect.stringContaining("as a viewer"), "They write:\n> Hi & <hello>"],
        action: { url: expect.stringMatching(/^https:\/\/muster\.test\/invite\?token=[\w-]{43}$/) },
      },
    ]);
    const token = tokenOf(letters[0]!.action.url);
    for (const table of ["invite", "mail", "event", "outbox"]) {
      expect(await sql(`select 1 from ${table} t where t::text like $1`, [`%${token}%`])).toEqual([]);
    }
    expect(await eventsOf(here, "invite.created")).toMatchObject([{ data, actor_id: owner.userId }]);
  });

  test("needs an address only; spaces around it and case do not count", async () => {
    const here = await world();
    const { data } = await here.owner.post("W/invites", { email: `  ${addressIn(here, "a.b+c")} ` }).expect(201);
    expect(data).toMatchObject({ email: addressIn(here, "a.b+c"), role: "member" });
  });

  test("an address has one valid invite: a new one replaces it, and its link stops working", async () => {
    const here = await world();
    const guest = await stranger(here, "gail");
    const first = await inviteLink(here, { email: guest.email });
    const [old] = await pending(here);
    const { data } = await here.owner
      .post("W/invites", { email: guest.email.toUpperCase(), role: "admin" })
      .expect(201);
    expect(data.replaced_invite_id).toBe(old.id);
    expect(await pending(here)).toEqual([data]);
    expect(await eventsOf(here, "invite.revoked")).toMatchObject([{ data: { id: old.id, status: "revoked" } }]);

    const visitor = await browser(here.app, guest.userId);
    expect((await visitor.get(first)).text).toContain("was revoked");
    expect((await visitor.post("/invite", { token: tokenOf(first) })).status).toBe(409);
    await here.owner.delete(`W/invites/${old.id}`).expect(404, "not_found");
  });

  test("of two concurrent invites to one address, one is valid", async () => {
    const here = await world();
    const email = addressIn(here, "both");
    const replies = await Promise.all(
      [1, 2, 3, 4].map((n) => here.owner.post("W/invites", { email: n % 2 ? email : email.toUpperCase() })),
    );
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(await pending(here)).toHaveLength(1);
    const told = await eventsOf(here, "invite.created", "invite.revoked");
    expect(told.filter(({ type }) => type === "invite.revoked")).toHaveLength(3);
  });

  test("a repeated call with an Idempotency-Key writes one mail", async () => {
    const here = await world();
    const email = addressIn(here, "once");
    const headers = { "Idempotency-Key": "invite-once" };
    const first = await here.owner.post("W/invites", { email }, { headers }).expect(201);
    const again = await here.owner.post("W/invites", { email }, { headers }).expect(201);
    expect(again.data).toEqual(first.data);
    expect(await lettersTo(here, email)).toHaveLength(1);
  });

  test("members are not invited again, even while suspended", async () => {
    const here = await world();
    const member = await here.as({ role: "viewer" });
    const again = { email: member.email.toUpperCase() };
    const { body } = await here.owner.post("W/invites", again).expect(409, "already_member");
    expect(body.error.details).toMatchObject({ user_id: member.userId, path: "/email" });
    await here.sql(`update member set status = 'suspended' where user_id = $1`, [member.userId]);
    await here.owner.post("W/invites", again).expect(409, "already_member");
    expect(await lettersTo(here, again.email)).toEqual([]);
  });

  test.each([
    [{}, "/email", "required"],
    [{ email: "nobody" }, "/email", "pattern"],
    [{ email: "a@b.test\nbcc: c@d.test" }, "/email", "pattern"],
    [{ email: `${"a".repeat(320)}@b.test` }, "/email", "too_long"],
    [{ email: "a@b.test", role: "owner" }, "/role", "not_allowed"],
    [{ email: "a@b.test", message: "x".repeat(501) }, "/message", "too_long"],
    [{ email: "a@b.test", project_ids: ["WEB"] }, "/project_ids", "not_allowed"],
    [{ email: "a@b.test", role: "guest", project_ids: Array(51).fill("WEB") }, "/project_ids", "too_many_items"],
  ])("%j is refused at %s", async (body, path, code) => {
    const { owner } = await world();
    const { body: problem } = await owner.post("W/invites", body).expect(400, "validation_failed");
    expect(problem.error.details.errors[0]).toMatchObject({ path, code });
  });

  test("another tenant's projects are not found", async () => {
    const here = await world();
    const { project } = await here.other();
    for (const ref of ["NOPE", project.id]) {
      const body = { email: addressIn(here, "g"), role: "guest", project_ids: ["WEB", ref] };
      const { body: problem } = await here.owner.post("W/invites", body).expect(400, "invalid_reference");
      expect(problem.error.details).toMatchObject({ path: "/project_ids/1", value: ref });
    }
  });

  test("guests and invited guests together stay within the plan's limit", async () => {
    const here = await world({ plan: "free" });
    const { owner, as } = here;
    for (let n = 0; n < 3; n++) await as({ role: "guest" });
    const guest = (local: string) => owner.post("W/invites", { email: addressIn(here, local), role: "guest" });
    await guest("one").expect(201);
    const replies = await Promise.all([guest("two"), guest("three"), guest("four")]);
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 403, 403]);
    const { body } = await guest("five").expect(403, "plan_limit_reached");
    expect(body.error.details).toMatchObject({ limit: 5, used: 5, required_plan: "pro" });
    // A replaced invite leaves its place to the new one.
    await guest("one").expect(201);
    await owner.post("W/invites", { email: addressIn(here, "m"), role: "viewer" }).expect(201);
  });
});

describe("pending invites", () => {
  test("are listed newest first, without ended ones", async () => {
    const here = await world();
    const { owner, sql } = here;
    const made: string[] = [];
    for (const local of ["a", "b", "c", "d"]) {
      made.unshift((await owner.post("W/invites", { email: addressIn(here, local) }).expect(201)).data.id);
    }
    const [d, c, b, a] = made;
    await sql(`update invite set expires_at = now() where id = $1`, [b]);
    expect((await owner.delete(`W/invites/${c}`).expect(200)).data).toEqual({ id: c, revoked: true });
    const first = await owner.get("W/invites?limit=1").expect(200);
    const second = await owner.get(`W/invites?limit=1&cursor=${first.body.pagination.next_cursor}`).expect(200);
    expect([first.data[0].id, second.data[0].id, second.body.pagination.next_cursor]).toEqual([d, a, null]);
    for (const id of [b, c, "nothing", "0199c0de-0000-7000-8000-000000000000"]) {
      await owner.delete(`W/invites/${id}`).expect(404, "not_found");
    }
    // One that has expired makes room for a new one, which replaces nothing.
    const { data } = await owner.post("W/invites", { email: addressIn(here, "b") }).expect(201);
    expect(data.replaced_invite_id).toBeNull();
  });

  test("are for the admin tier", async () => {
    const here = await world();
    const member = await here.as({ role: "member" });
    await member.get("W/invites").expect(403, "insufficient_role");
    await member.post("W/invites", { email: addressIn(here, "x") }).expect(403, "insufficient_role");
    await (await here.as({ role: "admin", scopes: ["members:read"] }))
      .post("W/invites", { email: addressIn(here, "x") })
      .expect(403, "insufficient_scope");
  });
});

test("an invite is kept for a month after its end, for people who open its link late", async () => {
  const here = await world();
  const link = await inviteLink(here, { email: addressIn(here, "old") });
  const nobody = await browser(here.app);
  const ended = (days: number) =>
    here.sql(`update invite set expires_at = now() - $2 * interval '1 day' where workspace_id = $1`, [
      here.workspace.id,
      days,
    ]);
  await ended(29);
  await cleanUpNow();
  expect((await nobody.get(link)).text).toContain("has expired");
  await ended(31);
  await cleanUpNow();
  expect((await nobody.get(link)).status).toBe(404);
});

describe("accepting", () => {
  test("the invited person joins and is redirected to the workspace", async () => {
    const here = await world();
    const { app, workspace, owner } = here;
    const person = await stranger(here, "nina");
    const link = await inviteLink(here, { email: person.email.toUpperCase(), role: "viewer" });
    const visitor = await browser(app, person.userId);
    expect((await visitor.get(`/w/${workspace.slug}`)).status).toBe(404);
    const page = await visitor.get(link);
    expect(page.status).toBe(200);
    for (const words of ["Olive Owner", `Workspace ${workspace.slug}`, "a viewer", "Accept"]) {
      expect(page.text).toContain(words);
    }
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(page.headers.get("referrer-policy")).toBe("same-origin");

    const accepted = await visitor.post("/invite", { token: tokenOf(link) });
    expect(accepted.status).toBe(303);
    expect(accepted.headers.get("location")).toBe(`/w/${workspace.slug}`);
    expect((await visitor.follow(accepted)).status).toBe(200);
    const { data } = await owner.get("W/members").expect(200);
    expect(data[0]).toMatchObject({ user_id: person.userId, role: "viewer", is_guest: false });
    expect(await pending(here)).toEqual([]);
    expect(await eventsOf(here, "member.added", "invite.accepted")).toMatchObject([
      { type: "member.added", actor_id: person.userId, data: data[0] },
      {
        type: "invite.accepted",
        actor_id: person.userId,
        data: { email: `NINA@${workspace.slug}.test`, status: "accepted" },
      },
    ]);
  });

  test("a person without a name may enter one, and events contain it", async () => {
    const here = await world();
    const person = await stranger(here, "nameless");
    const link = await inviteLink(here, { email: person.email });
    const visitor = await browser(here.app, person.userId);
    expect((await visitor.get(link)).text).toContain('name="your_name"');
    const refused = await visitor.post("/invite", { token: tokenOf(link), your_name: "x".repeat(101) });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain("Your name must have 1 to 100 characters");
    expect(refused.text).toContain('aria-invalid="true" aria-describedby="problem"');
    expect(await pending(here)).toHaveLength(1);

    await visitor.post("/invite", { token: tokenOf(link), your_name: " Nell <b> " });
    expect((await here.owner.get("W/members").expect(200)).data[0]).toMatchObject({ name: "Nell <b>" });
    const [added] = await eventsOf(here, "member.added");
    expect(added!.data).toMatchObject({ name: "Nell <b>" });
    const elsewhere = await here.other();
    const second = await inviteLink(elsewhere, { email: person.email });
    expect((await visitor.get(second)).text).not.toContain("your_name");
    await visitor.post("/invite", { token: tokenOf(second), your_name: "Other" });
    expect((await here.owner.get("W/members").expect(200)).data[0]).toMatchObject({ name: "Nell <b>" });
  });

  test("a guest sees the projects they were invited to, and no others", async () => {
    const here = await world();
    const { app, owner, workspace, project } = here;
    await owner.post("W/projects", { name: "Shop", key: "SHOP" }).expect(201);
    const guest = await stranger(here, "gus");
    const link = await inviteLink(here, { email: guest.email, role: "guest", project_ids: ["web", project.id] });
    await (await browser(app, guest.userId)).post("/invite", { token: tokenOf(link) });
    const { data } = await owner.get("W/members").expect(200);
    expect(data[0]).toMatchObject({ user_id: guest.userId, role: "viewer", is_guest: true, project_ids: [project.id] });
    const client = await here.keyFor({ ...owner, userId: guest.userId } as typeof owner);
    expect((await client.get("W/projects").expect(200)).data).toMatchObject([{ key: "WEB", my_role: "member" }]);
    await client.post("P/issues", { title: "By the guest" }).expect(201);
    expect((await client.get("W").expect(200)).data.slug).toBe(workspace.slug);
  });

  test("twenty accepts at once make one member", async () => {
    const here = await world();
    const person = await stranger(here, "many");
    const link = await inviteLink(here, { email: person.email });
    const visitor = await browser(here.app, person.userId);
    const pages = await Promise.all(
      Array.from({ length: 20 }, () => visitor.post("/invite", { token: tokenOf(link) })),
    );
    // A person who presses twice has joined as well.
    expect(new Set(pages.map(({ headers }) => headers.get("location")))).toEqual(
      new Set([`/w/${here.workspace.slug}`]),
    );
    const told = await eventsOf(here, "member.added", "invite.accepted");
    expect(told.map(({ type }) => type)).toEqual(["member.added", "invite.accepted"]);
  });

  test("of an accept and a revoke at once, one wins", async () => {
    for (let round = 0; round < 5; round++) {
      const here = await world();
      const person = await stranger(here, "race");
      const link = await inviteLink(here, { email: person.email });
      const [{ id }] = await pending(here);
      const visitor = await browser(here.app, person.userId);
      const [page, reply] = await Promise.all([
        visitor.post("/invite", { token: tokenOf(link) }),
        here.owner.delete(`W/invites/${id}`),
      ]);
      expect([
        [303, 404],
        [409, 200],
      ]).toContainEqual([page.status, reply.status]);
      const members = (await here.owner.get("W/members").expect(200)).data;
      expect(members).toHaveLength(page.status === 303 ? 2 : 1);
    }
  });

  test("no one else can, even with the link", async () => {
    const here = await world();
    const thief = await stranger(here, "thief");
    const link = await inviteLink(here, { email: addressIn(here, "rightful"), role: "admin" });
    const visitor = await browser(here.app, thief.userId);
    const page = await visitor.get(link);
    expect(page.text).toContain("Sign out");
    expect(page.text).not.toContain("Accept</button>");
    const refused = await visitor.post("/invite", { token: tokenOf(link) });
    expect(refused.status).toBe(403);
    expect(refused.text).toContain("another e-mail address");
    expect(await here.sql(`select 1 from member where user_id = $1`, [thief.userId])).toEqual([]);
    expect(await pending(here)).toHaveLength(1);
  });

  test("a visitor who is not signed in is redirected to sign-in and back", async () => {
    const here = await world();
    const link = await inviteLink(here, { email: addressIn(here, "new") });
    const nobody = await browser(here.app);
    const page = await nobody.get(link);
    expect(page.status).toBe(200);
    const signIn = `/sign-in?return_to=${encodeURIComponent(link)}`;
    expect(page.text.replaceAll("&#x2F;", "/").replaceAll("&#x3D;", "=")).toContain(`href="${signIn}"`);
    const posted = await nobody.post("/invite", { token: tokenOf(link) });
    expect(posted.headers.get("location")).toBe(signIn);
  });

  test("an ended invite shows how it ended, and gives no access", async () => {
    const here = await world();
    const person = await stranger(here, "late");
    const link = await inviteLink(here, { email: person.email });
    const visitor = await browser(here.app, person.userId);
    await here.sql(`update invite set expires_at = now() - interval '1 second' where lower(email) = lower($1)`, [
      person.email,
    ]);
    expect((await visitor.get(link)).text).toContain("has expired");
    const refused = await visitor.post("/invite", { token: tokenOf(link) });
    expect(refused.status).toBe(409);
    expect((await visitor.get(`/w/${here.workspace.slug}`)).status).toBe(404);
  });

  test("a removed member cannot return with the old link", async () => {
    const here = await world();
    const person = await stranger(here, "back");
    const link = await inviteLink(here, { email: person.email });
    const visitor = await browser(here.app, person.userId);
    await visitor.post("/invite", { token: tokenOf(link) });
    await here.owner.delete(`W/members/${person.userId}`).expect(200);
    expect((await visitor.post("/invite", { token: tokenOf(link) })).status).toBe(409);
    expect((await visitor.get(link)).text).toContain("already been accepted");
    expect((await visitor.get(`/w/${here.workspace.slug}`)).status).toBe(404);
  });

  test("a person who joined in another way keeps their role", async () => {
    const here = await world();
    const person = await stranger(here, "twice");
    const link = await inviteLink(here, { email: person.email, role: "admin" });
    await here.sql(`insert into member (workspace_id, user_id, role, joined_at) values ($1, $2, 'viewer', now())`, [
      here.workspace.id,
      person.userId,
    ]);
    const visitor = await browser(here.app, person.userId);
    expect((await visitor.post("/invite", { token: tokenOf(link) })).status).toBe(303);
    expect((await here.owner.get("W/members").expect(200)).data[0]).toMatchObject({ role: "viewer" });
    expect((await eventsOf(here, "member.added", "invite.accepted")).map(({ type }) => type)).toEqual([
      "invite.accepted",
    ]);
  });

  test("a smaller plan may not allow one more guest", async () => {
    const here = await world({ plan: "pro" });
    const person = await stranger(here, "sixth");
    const link = await inviteLink(here, { email: person.email, role: "guest" });
    for (let n = 0; n < 5; n++) await here.as({ role: "guest" });
    await here.sql(`update workspace set plan = 'free' where id = $1`, [here.workspace.id]);
    const visitor = await browser(here.app, person.userId);
    const page = await visitor.post("/invite", { token: tokenOf(link) });
    expect(page.status).toBe(403);
    expect(page.text).toContain("allows 5 guests");
    expect(await pending(here)).toHaveLength(1);
    await here.sql(`update workspace set plan = 'pro' where id = $1`, [here.workspace.id]);
    expect((await visitor.post("/invite", { token: tokenOf(link) })).status).toBe(303);
  });

  test.each(["", "x", "%00", "' or 1=1 --", "x".repeat(5_000)])(
    "a token nobody made (%#) is not there",
    async (token) => {
      const here = await world();
      const visitor = await browser(here.app, here.owner.userId);
      expect((await visitor.get(`/invite?token=${token}`)).status).toBe(404);
      expect((await visitor.post("/invite", { token })).status).toBe(404);
      expect((await visitor.get(`/invite?token=a&token=b`)).status).toBe(404);
    },
  );

  test("a form of another site accepts nothing", async () => {
    const here = await world();
    const person = await stranger(here, "lured");
    const link = await inviteLink(here, { email: person.email });
    const visitor = await browser(here.app, person.userId);
    const page = await visitor.post("/invite", { token: tokenOf(link) }, { origin: "https://evil.test" });
    expect(page.status).toBe(403);
    expect(await pending(here)).toHaveLength(1);
  });
});

describe("on the members' page", () => {
  test("an admin invites, sees who was invited, and revokes", async () => {
    const here = await world();
    const admin = await here.as({ role: "admin" });
    const visitor = await browser(here.app, admin.userId);
    const base = `/w/${here.workspace.slug}`;
    const email = addressIn(here, "paula");
    const sent = await visitor.post(`${base}/invites`, {
      email,
      role: "guest",
      project: [here.project.id],
      message: "One\r\ntwo",
    });
    const page = await visitor.follow(sent);
    expect(page.text).toContain("on its way");
    expect(page.text).toContain(email);
    const [invite] = await pending(here);
    expect(invite).toMatchObject({ email, role: "guest", project_ids: [here.project.id] });
    expect((await lettersTo(here, email))[0].lines[1]).toBe("They write:\n> One\n> two");
    const after = await visitor.follow(await visitor.post(`${base}/invites/${invite.id}/revoke`));
    expect(after.text).toContain("no longer works");
    expect(await pending(here)).toEqual([]);
  });

  test("a rejected form keeps its values for correction", async () => {
    const here = await world();
    const visitor = await browser(here.app, here.owner.userId);
    const form = { email: here.owner.email, role: "viewer", message: "Hello again" };
    const page = await visitor.post(`/w/${here.workspace.slug}/invites`, form);
    expect(page.status).toBe(409);
    expect(page.text).toContain("already a member of the workspace");
    expect(page.text).toContain("Hello again</textarea>");
    expect(page.text).toContain(`value="${here.owner.email}"`);
  });
});

describe("an invite that waits", () => {
  test("is on the page for a new workspace, and is accepted from there", async () => {
    const here = await world();
    const visitor = await browser(here.app, (await stranger(here, "vera")).userId);
    await here.owner.post("W/invites", { email: `vera@${here.workspace.slug}.test`, role: "viewer" }).expect(201);
    // Without a name, the page of the invite asks for it.
    const page = await visitor.get("/w/new");
    expect(page.text).toContain("Invites for you");
    expect(page.text).not.toContain("wait for an invite");
    const invite = await open(visitor, linkOn(page, "Accept"));
    const joined = await sendForm(visitor, invite, { your_name: "Vera" });
    expect(joined.text).toContain(`Workspace ${here.workspace.slug}`);

    // A person with a name and a workspace sees the next one there too, and accepts it with one button.
    const second = await here.other();
    await second.owner.post("W/invites", { email: `vera@${here.workspace.slug}.test`, role: "viewer" }).expect(201);
    const again = await visitor.get("/w/new");
    const [, id] = /<button name="id" value="([\w-]+)" aria-label="Accept the invite to/.exec(again.text)!;
    const accepted = await visitor.post("/invite", { id: id! });
    expect(accepted.headers.get("location")).toBe(`/w/${second.workspace.slug}`);
    expect((await visitor.get("/w/new")).text).not.toContain("Invites for you");
  });

  test("is shown to nobody else", async () => {
    const here = await world();
    await here.owner.post("W/invites", { email: `vera@${here.workspace.slug}.test`, role: "viewer" }).expect(201);
    const other = await browser(here.app, (await stranger(here, "eve")).userId);
    expect((await other.get("/w/new")).text).not.toContain("Invites for you");
  });
});
