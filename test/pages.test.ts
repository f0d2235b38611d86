import { expect, test } from "vitest";
import { browser } from "./support/browser.ts";
import { world } from "./support/world.ts";

test("a workspace's page is for its members", async () => {
  const { app, owner, workspace, other } = await world();
  const visitor = await browser(app, owner.userId);
  const page = await visitor.get(`/w/${workspace.slug}`);
  expect(page.status).toBe(200);
  expect(page.text).toContain(`Workspace ${workspace.slug}`);
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");

  const elsewhere = await other();
  expect((await visitor.get(`/w/${elsewhere.workspace.slug}`)).status).toBe(404);
});

test("whoever is not signed in is asked to", async () => {
  const { app, workspace } = await world();
  const nobody = await browser(app);
  const page = await nobody.get(`/w/${workspace.slug}?x=1`);
  expect(page.status).toBe(303);
  expect(page.headers.get("location")).toBe(`/sign-in?return_to=${encodeURIComponent(`/w/${workspace.slug}?x=1`)}`);
});

test("a session that ended opens nothing", async () => {
  const { app, owner, workspace, sql } = await world();
  const visitor = await browser(app, owner.userId);
  await sql(`update session set expires_at = now() - interval '1 second' where user_id = $1`, [owner.userId]);
  expect((await visitor.get(`/w/${workspace.slug}`)).status).toBe(303);
});

test("hostile paths and forms get a page that says no, and change nothing", async () => {
  const { app, owner, workspace, sql } = await world();
  const visitor = await browser(app, owner.userId);
  for (const path of ["/w/%00", `/w/${workspace.slug}%00/members`, "/w/%ff", `/w/${"x".repeat(5_000)}`]) {
    expect((await visitor.get(path)).status, path.slice(0, 30)).toBeGreaterThanOrEqual(400);
    expect((await visitor.get(path)).status, path.slice(0, 30)).toBeLessThan(500);
  }
  const developer = `/w/${workspace.slug}/developer`;
  for (const days of ["1e9", "1e300", "abc", "-1", "", "0.5", "31"]) {
    const refused = await visitor.post(`${developer}/tokens`, { name: "mine", bundle: "read", days });
    expect(refused.status, days).toBe(400);
  }
  expect((await visitor.post(`${developer}/tokens/%00/revoke`)).status).toBe(404);
  const tokens = await sql(`select 1 from api_key where user_id = $1 and kind = 'personal'`, [owner.userId]);
  expect(tokens).toEqual([]);
});

test("a token is shown once, works, and ends when it is revoked", async () => {
  const { app, owner, workspace, nobody } = await world();
  const visitor = await browser(app, owner.userId);
  const developer = `/w/${workspace.slug}/developer`;
  const made = await visitor.post(`${developer}/tokens`, { name: "<b>mine</b>", bundle: "write", days: "30" });
  expect(made.status).toBe(200);
  expect(made.text).not.toContain("<b>mine");
  const secret = /pat_\w+/.exec(made.text)![0];
  const headers = { authorization: `Bearer ${secret}` };
  const { data } = await nobody.get("/v1/me", { headers }).expect(200);
  expect(data).toMatchObject({ kind: "personal", scopes: ["write"] });
  expect(Date.parse(data.expiresAt)).toBeGreaterThan(Date.now() + 29 * 86_400_000);

  const again = await visitor.get(developer);
  expect(again.text).not.toContain(secret);
  expect((await visitor.post(`${developer}/tokens/${data.keyId}/revoke`)).status).toBe(303);
  await nobody.get("/v1/me", { headers }).expect(401);
});

test("a session lasts while it is used, but not for ever", async () => {
  const { app, owner, workspace, sql } = await world();
  const visitor = await browser(app, owner.userId);
  const aged = (days: number) =>
    sql(
      `update session set created_at = now() - $2 * interval '1 day', last_seen_at = now() - interval '1 day'
       where user_id = $1`,
      [owner.userId, days],
    );
  const daysLeft = async () => {
    await visitor.get(`/w/${workspace.slug}`);
    const [row] = await sql<{ days: number }>(
      `select round(extract(epoch from expires_at - now()) / 86400)::int as days from session where user_id = $1`,
      [owner.userId],
    );
    return row!.days;
  };
  await aged(10);
  expect(await daysLeft()).toBe(30);
  await aged(175);
  expect(await daysLeft()).toBe(5);
});
