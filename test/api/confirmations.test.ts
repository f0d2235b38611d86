import { expect, test } from "vitest";
import { type Browser, browser } from "../support/browser.ts";
import { cardProcessorAtWork } from "../support/buyer.ts";
import { connect, servePublicly } from "../support/oauth.ts";
import { world } from "../support/world.ts";

/** What cannot be undone asks first. Every form of the pages belongs to one of two lists. */

await servePublicly();
await cardProcessorAtWork();

/** Forms that must ask, by the end of their path. */
const ASKS = [
  "/commit-hook",
  "/commit-hook/remove",
  "/tokens/:id/revoke",
  "/keys/:id/revoke",
  "/agents/:id/revoke",
  "/members/:id/remove",
  "/members/:id/owner",
  "/invites/:id/revoke",
  "/leave",
  "/account/sessions/:id/end",
  "/sign-out everywhere",
];

/** Forms that add something, can be sent again with the earlier value, or lead to a page that asks. */
const ACTS = [
  "/account",
  "/account/digest",
  "/account/zone",
  "/billing/buy",
  "/billing/card",
  "/invites",
  "/keys",
  "/members/:id/role",
  "/sign-out",
  "/tokens",
  "/w/new",
];

const ID = /[0-9a-f]{8}-[0-9a-f-]{27}/g;

test("every form that cannot be undone is closed until it is asked for", async () => {
  const here = await world();
  const { owner, workspace, app } = here;
  await here.as({ role: "member" });
  await owner.post("W/invites", { email: "guest@acorn.test", role: "viewer" }).expect(201);
  await owner.post("W/api-keys", { name: "server", scopes: ["read"] }).expect(201);
  const visitor = await browser(app, owner.userId);
  const base = `/w/${workspace.slug}`;
  await visitor.post(`${base}/developer/tokens`, { name: "mine", bundle: "read", days: "30" });
  expect((await visitor.post(`${base}/developer/commit-hook`)).status).toBe(200);
  await connect(here, owner.userId, { scope: "read" });

  const asking = new Set<string>();
  const acting = new Set<string>();
  // The only owner cannot change their own role.
  const admin = await browser(app, (await here.as({ role: "admin" })).userId);
  const pages: [Browser, string][] = [
    ...["/account", "/w/new", base, `${base}/members`, `${base}/developer`, `${base}/billing`].map(
      (path): [Browser, string] => [visitor, path],
    ),
    [admin, `${base}/members`],
  ];
  for (const [person, path] of pages) {
    const page = await person.get(path);
    expect(page.status, path).toBe(200);
    const closed = [...page.text.matchAll(/<details class="confirm"><summary[\s\S]*?<\/details>/g)].join("\n");
    for (const [form, action] of page.text.matchAll(/<form method="post" action="([^"]*)"[\s\S]*?<\/form>/g)) {
      const plain = action!.replaceAll("&#x2F;", "/").replaceAll(ID, ":id").replace(`${base}/developer`, "");
      const name = plain.replace(base, "") + (form.includes("everywhere") ? " everywhere" : "");
      (closed.includes(form) ? asking : acting).add(name);
      // A red button is the mark of a form that asks.
      expect(form.includes('class="danger"'), name).toBe(closed.includes(form));
    }
  }
  expect([...asking].sort()).toEqual([...ASKS, "/members/:id/role"].sort());
  expect([...acting].sort()).toEqual([...ACTS].sort());
});

test("a confirmation says what happens and names the object", async () => {
  const { app, owner, workspace } = await world();
  await owner.post("W/api-keys", { name: "<b>server</b>", scopes: ["read"] }).expect(201);
  const visitor = await browser(app, owner.userId);
  const { text } = await visitor.get(`/w/${workspace.slug}/developer`);
  expect(text).toContain('aria-label="Revoke &lt;b&gt;server&lt;&#x2F;b&gt;…"');
  expect(text).toContain('<button class="danger">Revoke &lt;b&gt;server');
  expect(text).toContain("Programs that use it will be rejected.");
  expect(text).not.toContain("open sessions are cancelled");
  await owner.post("W/api-keys", { name: "robo", agent_name: "Robo", scopes: ["read"] }).expect(201);
  expect((await visitor.get(`/w/${workspace.slug}/developer`)).text).toContain("open sessions are cancelled");
});

test("a guest becomes a full member only after a question, because the way back is a new invite", async () => {
  const { app, owner, workspace, as } = await world();
  const guest = await as({ role: "guest", projectRole: "member", name: "Gus" });
  const { text } = await (await browser(app, owner.userId)).get(`/w/${workspace.slug}/members`);
  const closed = [...text.matchAll(/<details class="confirm"><summary[\s\S]*?<\/details>/g)].join("\n");
  expect(closed.replaceAll("&#x2F;", "/")).toContain(`members/${guest.userId}/role"`);
  expect(closed).toContain("Gus becomes a full member");
});
