import { expect, test } from "vitest";
import { app } from "../support/app.ts";
import { browser } from "../support/browser.ts";
import { noBrowser } from "../support/browser-path.ts";
import { look, profile } from "../support/chromium.ts";
import { servePublicly } from "../support/oauth.ts";
import { world } from "../support/world.ts";

/** The home page: what Muster is, for people and for agents. */

await servePublicly();
const { baseUrl } = await app();
const get = (accept: string, method = "GET") => fetch(`${baseUrl}/`, { headers: { accept }, method });
const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const typeOf = (reply: Response) => `${reply.status} ${reply.headers.get("content-type")}`;

test("people get a page that leads them in, without anything from elsewhere", async () => {
  const reply = await get(BROWSER);
  expect(typeOf(reply)).toBe("200 text/html; charset=utf-8");
  expect(reply.headers.get("content-security-policy")).toContain("default-src 'none'");
  const text = (await reply.text()).replaceAll("&#x2F;", "/");
  for (const link of [
    "/sign-in",
    "/sign-in?return_to=%2Fw%2Fnew",
    "/llms.txt",
    "/auth.md",
    "/api/v1/openapi.json",
    "/docs",
    "/problems",
  ])
    expect(text).toContain(`href="${link}"`);
  expect(text).toContain("<title>Project management for people and software agents · Muster</title>");
  expect(text).toContain(`curl ${baseUrl}/v1/me`);
  expect(text).toContain("reach the same through the API");
  expect(text).not.toMatch(/<script|(src|href)="(https?:)?\/\//);

  const { owner, workspace, app: running } = await world();
  const visitor = await browser(running, owner.userId);
  const known = await visitor.get("/");
  expect(known.text).toContain("Your workspaces");
  expect(known.text).not.toContain('href="/sign-in"');
  expect(known.text).not.toContain("There are no passwords");
  expect((await visitor.get(`/w/${workspace.slug}`)).text).toContain(
    `href="&#x2F;w&#x2F;${workspace.slug}&#x2F;projects"`,
  );
});

test("programs get Markdown or JSON if they ask for it, and the same Link header", async () => {
  const links = (await get(BROWSER)).headers.get("link")!;
  for (const document of ["/.well-known/api-catalog", "/api/v1/openapi.json", "/docs", "/llms.txt"])
    expect(links).toContain(`<${document}>`);
  const guide = await (await fetch(`${baseUrl}/llms.txt`)).text();
  for (const accept of ["text/markdown", "text/plain", "text/markdown, text/html;q=0.5"]) {
    const reply = await get(accept);
    expect(typeOf(reply), accept).toBe("200 text/markdown; charset=utf-8");
    expect(await reply.text()).toBe(guide);
    expect([reply.headers.get("link"), reply.headers.get("vary")]).toEqual([links, expect.stringContaining("Accept")]);
  }
  for (const accept of ["application/json", "application/linkset+json"]) {
    const reply = await get(accept);
    expect(reply.headers.get("content-type"), accept).toContain("application/linkset+json");
    expect(await reply.json()).toEqual(await (await fetch(`${baseUrl}/.well-known/api-catalog`)).json());
  }
  expect(typeOf(await get("*/*"))).toBe("200 text/html; charset=utf-8");
  expect((await get("image/png")).status).toBe(200);
  expect(await (await get("*/*", "HEAD")).text()).toBe("");
  expect((await get("*/*", "POST")).status).toBe(405);
});

test.skipIf(noBrowser)(`the page looks right and is accessible${noBrowser}`, { timeout: 60_000 }, async () => {
  const page = await (await profile()).newPage();
  await page.goto((await app()).baseUrl);
  await look(page, "home");
});
