import { describe, expect, test } from "vitest";
import { browser } from "../support/browser.ts";
import { lettersTo, stranger, tokenOf } from "../support/invites.ts";
import { startMailbox } from "../support/mailbox.ts";
import { type World, world } from "../support/world.ts";

/**
 * Invites are mail that strangers cause. They are limited, and one person's limit does not stop another person's
 * invite.
 */

// Workers that run here send what was written.
await startMailbox();

const invite = (here: World, email: string, more: object = {}) =>
  here.owner.post("W/invites", { email, role: "viewer", ...more });
const mailsTo = async ({ sql }: World, email: string) =>
  (
    await sql<{ sent: number }>(`select count(*) as sent from mail where kind = 'invite' and recipient = $1`, [email])
  )[0]!.sent;

/** Other workspaces of a person, as many as one may create in a day. */
async function moreWorkspaces(here: World, count: number): Promise<World[]> {
  const made: World[] = [];
  for (let n = 0; n < count; n++) {
    const next = await here.other();
    // The same person owns them all, whose key is another one in each.
    await next.sql(`insert into member (workspace_id, user_id, role, joined_at) values ($1, $2, 'owner', now())`, [
      next.workspace.id,
      here.owner.userId,
    ]);
    made.push({ ...next, owner: await next.keyFor(here.owner) });
  }
  return made;
}

describe("a workspace", () => {
  test("that invited an address ten times stops no other workspace from inviting it", async () => {
    const stalker = await world();
    const honest = await stalker.other();
    const { email } = await stranger(stalker, "wanted");
    for (let n = 0; n < 10; n++) await invite(stalker, email).expect(201);
    const refused = await invite(stalker, email).expect(429, "rate_limited");
    expect(refused.headers.get("retry-after")).toBe("3600");
    await invite(honest, email).expect(201);
    expect(await lettersTo(honest, email)).toHaveLength(1);
  });

  test("does not learn what others sent to the address", async () => {
    const email = `quiet@${(await world()).workspace.slug}.test`;
    const [first, ...others] = [await world(), await world(), await world(), await world()];
    for (const other of others) for (let n = 0; n < 4; n++) await invite(other, email).expect(201);
    const replies = [];
    for (let n = 0; n < 10; n++) replies.push(await invite(first!, email).expect(201));
    const same = await world();
    const alone = await invite(same, `alone@${same.workspace.slug}.test`).expect(201);
    for (const { body } of replies) expect(Object.keys(body)).toEqual(Object.keys(alone.body));
    const { body } = await invite(first!, email).expect(429, "rate_limited");
    expect(body.error.message).toBe(
      "This workspace invited the address 10 times within a day. The newest invite still works.",
    );
  });

  test("can send a hundred invites per person and day", async () => {
    const here = await world();
    const elsewhere = await here.other();
    await here.sql(
      `insert into invite (id, workspace_id, email, role, token_hash, invited_by, revoked_at, expires_at, created_at)
       select gen_random_uuid(), $1, n || '@many.test', 'viewer', sha256(gen_random_uuid()::text::bytea), $2, now(), now(), now()
       from generate_series(1, 100) n`,
      [here.workspace.id, here.owner.userId],
    );
    await invite(here, "new@many.test").expect(429, "rate_limited");
    await invite(elsewhere, "new@many.test").expect(201);
  });
});

describe("a mailbox", () => {
  test("gets ten invites a day from one person, however many workspaces they create", async () => {
    const here = await world();
    const email = `flooded@${here.workspace.slug}.test`;
    for (const place of [here, ...(await moreWorkspaces(here, 7))]) {
      for (let n = 0; n < 3; n++) await invite(place, email).expect(201);
    }
    expect(await mailsTo(here, email)).toBe(10);
  });

  test("still gets a first invite from others, up to fifty a day", async () => {
    const here = await world();
    const email = `wanted@${here.workspace.slug}.test`;
    await here.sql(
      `insert into invite (id, workspace_id, email, role, token_hash, invited_by, revoked_at, expires_at, created_at)
       select gen_random_uuid(), $1, $3, 'viewer', sha256(gen_random_uuid()::text::bytea), $2, now(), now(), now()
       from generate_series(1, 49) n`,
      [here.workspace.id, here.owner.userId, email],
    );
    const [second, third] = [await here.other(), await here.other()];
    await invite(second, email).expect(201);
    expect(await lettersTo(second, email)).toHaveLength(1);
    await invite(third, email).expect(201);
    expect(await lettersTo(third, email)).toHaveLength(0);
  });
});

describe("invites sent at the same moment from several workspaces are counted one by one", () => {
  const sentBefore = ({ sql, workspace, owner }: World, count: number, email: string) =>
    sql(
      `insert into invite (id, workspace_id, email, role, token_hash, invited_by, revoked_at, expires_at, created_at)
       select gen_random_uuid(), $1, $3, 'viewer', sha256(gen_random_uuid()::text::bytea), $2, now(), now(), now()
       from generate_series(1, $4::int) n`,
      [workspace.id, owner.userId, email, count],
    );

  test("so that an address gets no more mails than it may", async () => {
    const here = await world();
    const email = `raced@${here.workspace.slug}.test`;
    await sentBefore(here, 49, email);
    const places = await Promise.all(Array.from({ length: 8 }, () => world()));
    await Promise.all(places.map((place) => invite(place, email).expect(201)));
    expect(await mailsTo(here, email)).toBe(1);
  });

  test("so that a person sends no more than they may", async () => {
    const here = await world();
    await sentBefore(here, 99, "earlier@many.test");
    const places = await moreWorkspaces(here, 8);
    const replies = await Promise.all(places.map((place, n) => invite(place, `at-once-${n}@many.test`)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(429)]);
  });
});

describe("an invite that was not mailed", () => {
  async function withoutMail() {
    const here = await world();
    const person = await stranger(here, "reader");
    await here.sql(
      `insert into invite (id, workspace_id, email, role, token_hash, invited_by, revoked_at, expires_at, created_at)
       select gen_random_uuid(), $1, $3, 'viewer', sha256(gen_random_uuid()::text::bytea), $2, now(), now(), now()
       from generate_series(1, 50) n`,
      [here.workspace.id, here.owner.userId, person.email],
    );
    return { here: await here.other(), person, thief: await stranger(here, "thief") };
  }

  test("is shown to the person when they sign in, and can be accepted there", async () => {
    const { here, person } = await withoutMail();
    const { data } = await invite(here, person.email.toUpperCase(), { role: "member" }).expect(201);
    expect(await lettersTo(here, person.email.toUpperCase())).toEqual([]);
    const visitor = await browser(here.app, person.userId);
    const page = await visitor.follow(await visitor.get("/w"));
    expect(page.text).toContain(`Workspace ${here.workspace.slug}`);
    expect(page.text).toContain("Olive Owner invited you as a member");
    const path = `/invite?id=${data.id}`;
    expect(page.text.replaceAll("&#x3D;", "=").replaceAll("&#x2F;", "/")).toContain(`href="${path}"`);
    expect((await visitor.get(path)).text).toContain(`name="id" value="${data.id}"`);
    const accepted = await visitor.post("/invite", { id: data.id });
    expect(accepted.headers.get("location")).toBe(`/w/${here.workspace.slug}`);
    expect((await visitor.get("/w")).headers.get("location")).toBe(`/w/${here.workspace.slug}`);
    expect((await here.owner.get("W/members").expect(200)).data[0]).toMatchObject({ user_id: person.userId });
  });

  test("is shown beside the person's workspaces", async () => {
    const { here, person } = await withoutMail();
    const home = await here.other();
    await home.sql(`insert into member (workspace_id, user_id, role, joined_at) values ($1, $2, 'member', now())`, [
      home.workspace.id,
      person.userId,
    ]);
    const visitor = await browser(here.app, person.userId);
    expect((await visitor.get("/w")).headers.get("location")).toBe(`/w/${home.workspace.slug}`);
    await invite(here, person.email).expect(201);
    const page = await visitor.get("/w");
    expect(page.status).toBe(200);
    expect(page.text).toContain("Invites for you");
    expect(page.text).toContain(`Workspace ${home.workspace.slug}`);
  });

  test("is not found by anyone else, and its id gives no access", async () => {
    const { here, person, thief } = await withoutMail();
    const { data } = await invite(here, person.email).expect(201);
    for (const visitor of [await browser(here.app, thief.userId), await browser(here.app)]) {
      expect((await visitor.get(`/invite?id=${data.id}`)).status).toBe(404);
      const posted = await visitor.post("/invite", { id: data.id });
      expect([303, 404]).toContain(posted.status);
      expect(posted.headers.get("location") ?? "").not.toContain(here.workspace.slug);
    }
    expect((await here.owner.get("W/members").expect(200)).data).toHaveLength(1);
    expect((await here.owner.get("W/invites").expect(200)).data).toHaveLength(1);
  });

  test("that replaces another one is opened by the link in the earlier mail", async () => {
    const here = await world();
    const [elsewhere] = await moreWorkspaces(here, 1);
    const person = await stranger(here, "again");
    await invite(here, person.email).expect(201);
    for (let n = 0; n < 9; n++) await invite(elsewhere!, person.email).expect(201);
    const { data } = await invite(here, person.email, { role: "admin" }).expect(201);
    const letters = await lettersTo(here, person.email);
    expect(letters).toHaveLength(1);
    expect(data.replaced_invite_id).toEqual(expect.any(String));
    const visitor = await browser(here.app, person.userId);
    const link = letters[0]!.action.url;
    expect((await visitor.get(new URL(link).pathname + new URL(link).search)).text).toContain("as an admin");
    expect((await visitor.post("/invite", { token: tokenOf(link) })).status).toBe(303);
    expect((await here.owner.get("W/members").expect(200)).data[0]).toMatchObject({ role: "admin" });
  });
});
