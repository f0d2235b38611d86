import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startWorker } from "../../src/start-worker.ts";
import { app } from "../support/app.ts";
import { browser } from "../support/browser.ts";
import { noBrowser } from "../support/browser-path.ts";
import { look, profile } from "../support/chromium.ts";
import { inviteLink } from "../support/invites.ts";
import { linkIn, startMailbox } from "../support/mailbox.ts";
import { authorizePath, post, register, servePublicly, verifierOf } from "../support/oauth.ts";
import { world } from "../support/world.ts";

/**
 * The pages in a real browser, without scripts: people sign in, invite each other, and approve an agent. With
 * SCREENSHOTS=<folder> each page is also saved as pictures.
 */

await servePublicly();
const mailbox = await startMailbox();
let stopWorker = async () => {};
let callback: Server;
let redirectUri = "";

beforeAll(async () => {
  const { config } = await app();
  ({ stop: stopWorker } = await startWorker(config));
  // Where the agent waits for its code.
  callback = createServer((_, response) => response.end("You can close this window.")).listen(0, "127.0.0.1");
  await new Promise((done) => callback.once("listening", done));
  redirectUri = `http://127.0.0.1:${(callback.address() as AddressInfo).port}/callback`;
});
afterAll(async () => {
  await stopWorker();
  callback.close();
});

// biome-ignore lint/suspicious/noExplicitAny: tests look into replies freely
type Json = any;

/** Signs in with the link of the mail, in the browser that asked for it. */
async function signIn(page: Page, email: string, count = 1): Promise<void> {
  await page.getByLabel("E-mail").fill(email);
  await page.locator("main button").first().click();
  const mail = await mailbox.latest(email, { count });
  await page.goto(linkIn(mail).href);
  await page.locator("main button").first().click();
}

async function newPage(context: BrowserContext, path: string): Promise<Page> {
  const { baseUrl } = await app();
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  await page.goto(baseUrl + path);
  expect(problems).toEqual([]);
  return page;
}

test.skipIf(noBrowser)(
  `a new person comes in, invites a colleague, and lets an agent in and out again${noBrowser}`,
  {
    timeout: 120_000,
  },
  async () => {
    const here = await world();
    const slug = `acorn-${Date.now().toString(36)}`;
    const founder = await newPage(await profile(), "/sign-in");
    await look(founder, "sign-in");
    await founder.getByLabel("E-mail").fill("ada@acorn.test");
    await founder.locator("main button").first().click();
    await look(founder, "sign-in-code");
    await founder.goto(linkIn(await mailbox.latest("ada@acorn.test")).href);
    await look(founder, "sign-in-link");
    await founder.locator("main button").first().click();

    // She is new, so she creates a workspace.
    await founder.waitForURL("**/w/new");
    await look(founder, "new-workspace");
    await founder.getByLabel(/your name/i).fill("Ada");
    await founder.getByLabel(/^(workspace|name of the workspace|workspace name)/i).fill("Acorn");
    const address = founder.getByLabel(/address|slug/i);
    await address.fill(slug);
    await founder.locator("main form button").first().click();
    await founder.waitForURL(`**/w/${slug}`);
    await look(founder, "workspace");

    await founder.getByRole("link", { name: "Members" }).first().click();
    await founder.getByLabel("E-mail address").fill("bob@acorn.test");
    await founder.getByRole("button", { name: "Send the invite" }).click();
    await founder.getByText("The invite is on its way.").waitFor();
    await look(founder, "members");

    const colleague = await newPage(await profile(), "/");
    const invited = linkIn(await mailbox.latest("bob@acorn.test"));
    await colleague.goto(invited.href);
    await look(colleague, "invite-signed-out");
    await colleague.getByRole("link", { name: /sign in/i }).click();
    await signIn(colleague, "bob@acorn.test", 2);
    await look(colleague, "invite");
    await colleague.getByRole("button", { name: /accept/i }).click();
    await colleague.waitForURL(`**/w/${slug}`);
    await founder.reload();
    await founder.getByText("bob@acorn.test").first().waitFor();

    // A program registers itself and sends her to the consent page.
    const metadata = { client_name: "Robo Writer", redirect_uris: [redirectUri], scope: "read write", workspace: slug };
    const { client_id } = (await register(here, metadata)).body;
    const verifier = verifierOf();
    await founder.goto(
      here.app.baseUrl +
        authorizePath({ clientId: client_id, verifier, scope: "read write", state: "s1", redirectUri }),
    );
    await look(founder, "consent");
    await founder.getByRole("button", { name: /approve/i }).click();
    await founder.waitForURL(`${redirectUri}?**`);
    const returned = new URL(founder.url()).searchParams;
    expect(returned.get("state")).toBe("s1");
    const tokens = await post(here, "token", {
      grant_type: "authorization_code",
      code: returned.get("code")!,
      redirect_uri: redirectUri,
      client_id,
      code_verifier: verifier,
    });
    expect(tokens.status, tokens.text).toBe(200);
    const me = () =>
      fetch(`${here.app.baseUrl}/v1/me`, { headers: { authorization: `Bearer ${tokens.body.access_token}` } });
    const known = await me();
    expect(known.status).toBe(200);
    expect(((await known.json()) as Json).data).toMatchObject({ workspaceSlug: slug, agent: { name: "Robo Writer" } });

    await founder.goto(`${here.app.baseUrl}/w/${slug}/developer`);
    await founder.getByText("New token").click();
    await look(founder, "developer");
    await founder.getByText("Disconnect…").click();
    await founder.getByRole("button", { name: "Disconnect Robo Writer" }).click();
    await founder.getByText("The agent is disconnected").waitFor();
    expect((await me()).status).toBe(401);

    await founder.getByText("New token").click();
    const form = founder.locator("form", { has: founder.getByRole("button", { name: "Create the token" }) });
    await form.getByLabel("Name").fill("my script");
    await form.getByRole("button").click();
    const secret = await founder.locator(".secret").textContent();
    await look(founder, "developer-secret");
    const called = await fetch(`${here.app.baseUrl}/v1/me`, { headers: { authorization: `Bearer ${secret}` } });
    expect(((await called.json()) as Json).data).toMatchObject({ kind: "personal", user: { email: "ada@acorn.test" } });

    await founder.goto(`${here.app.baseUrl}/w/${slug}/billing`);
    await look(founder, "billing");
    await founder.goto(`${here.app.baseUrl}/w`);
    await look(founder, "workspaces");
    await founder.goto(`${here.app.baseUrl}/w/elsewhere`);
    await look(founder, "not-found");
    await founder.goto(`${here.app.baseUrl}/nothing/here`);
    await look(founder, "nothing");
    await founder.goto(`${here.app.baseUrl}/account`);
    await look(founder, "account");
    await founder.locator(".who").click();
    await founder.locator("#account-menu").getByRole("button", { name: "Sign out" }).click();
    await founder.goto(`${here.app.baseUrl}/w/${slug}`);
    expect(founder.url()).toContain("/sign-in");
  },
);

test.skipIf(noBrowser)(`names without a space break no page${noBrowser}`, { timeout: 120_000 }, async () => {
  const here = await world();
  const { sql, owner, workspace, app: running } = here;
  const long = "W".repeat(80);
  const address = `${"w".repeat(56)}@${"w".repeat(50)}.test`;
  await sql(`update app_user set name = $2, email = $3 where id = $1`, [owner.userId, long, address]);
  await sql(`update workspace set name = $2 where id = $1`, [workspace.id, long]);
  await here.as({ role: "member", name: long });
  await sql(`update app_user set name = null where email = $1`, [(await here.as({ role: "admin" })).email]);
  await owner.post("W/invites", { email: `invited.${address}`, role: "guest", project_ids: ["WEB"] }).expect(201);
  await owner.post("W/api-keys", { name: long, agent_name: "W".repeat(60), scopes: ["issues:write"] }).expect(201);
  await sql(`update api_key set kind = 'personal', name = $2 where user_id = $1`, [owner.userId, long]);

  const context = await profile();
  const { cookies } = await browser(running, owner.userId);
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: running.baseUrl })));
  const other = await here.other();
  await sql(`update workspace set name = $2 where id = $1`, [other.workspace.id, long]);
  await sql(`insert into member (workspace_id, user_id, role, joined_at) values ($1, $2, 'admin', now())`, [
    other.workspace.id,
    owner.userId,
  ]);
  const metadata = { client_name: long, redirect_uris: [redirectUri], scope: "read write", workspace: workspace.slug };
  const { client_id } = (await register(here, metadata)).body;
  const base = `/w/${workspace.slug}`;
  const page = await newPage(context, base);
  await page.locator(".who").click();
  await look(page, "long-workspace");
  await page.goto(running.baseUrl + authorizePath({ clientId: client_id, scope: "read write", redirectUri }));
  await page.getByText("Choose another workspace").click();
  await look(page, "long-consent");
  await page.getByRole("button", { name: "Approve" }).click();
  await page.waitForURL(`${redirectUri}?**`);
  for (const [name, path] of Object.entries({ members: `${base}/members`, developer: `${base}/developer` })) {
    await page.goto(running.baseUrl + path);
    await look(page, `long-${name}`);
    for (const details of await page.locator("main details > summary").all()) await details.click();
    await look(page, `long-${name}-open`);
  }
  for (const [name, path] of Object.entries({
    workspaces: "/w",
    billing: `${base}/billing`,
    new: "/w/new",
    account: "/account",
  })) {
    await page.goto(running.baseUrl + path);
    await look(page, `long-${name}`);
  }
  await page.goto(`${running.baseUrl}${await inviteLink(other, { email: `other.${address}` })}`);
  await look(page, "long-invite");

  const asking = await newPage(await profile(), "/sign-in");
  await asking.getByLabel("E-mail").fill(address);
  await asking.locator("main button").first().click();
  await look(asking, "long-sign-in-code");
  await asking.goto(linkIn(await mailbox.latest(address)).href);
  await look(asking, "long-sign-in-link");
});

test.skipIf(noBrowser)(`every page can be used by keyboard alone${noBrowser}`, { timeout: 60_000 }, async () => {
  const page = await newPage(await profile(), "/sign-in");
  // The only field of the page has the focus.
  await page.locator("input:focus").waitFor();
  await page.keyboard.type("keys@acorn.test");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/sign-in/code");
  await page.goto(linkIn(await mailbox.latest("keys@acorn.test")).href);
  await page.locator("main button").first().focus();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/w/new");
});

test.skipIf(noBrowser)(
  `the menu closes on Escape and on a click beside it${noBrowser}`,
  { timeout: 60_000 },
  async () => {
    const { owner, app: running } = await world();
    const context = await profile();
    const { cookies } = await browser(running, owner.userId);
    await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: running.baseUrl })));
    const page = await newPage(context, "/account");
    const menu = page.locator("#account-menu");
    const button = page.locator(".who");
    expect(await menu.isVisible()).toBe(false);
    await button.focus();
    await page.keyboard.press("Enter");
    expect(await menu.isVisible()).toBe(true);
    // The next stop of the keyboard is in the menu, and Escape leads back to the button.
    await page.keyboard.press("Tab");
    await menu.locator("a:focus").waitFor();
    await page.keyboard.press("Escape");
    expect(await menu.isVisible()).toBe(false);
    await page.locator(".who:focus").waitFor();
    await button.click();
    expect(await menu.isVisible()).toBe(true);
    await page.mouse.click(20, 500);
    expect(await menu.isVisible()).toBe(false);
  },
);
