import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { browser } from "../support/browser.ts";
import { noBrowser } from "../support/browser-path.ts";
import { profile } from "../support/chromium.ts";
import { authorizePath, exchange, newClient, servePublicly, verifierOf } from "../support/oauth.ts";
import { world } from "../support/world.ts";

/** A real browser, without script: that pages look right to it, and that it lets the form lead back to the program. */

const baseUrl = await servePublicly();

/** The program's own address on this computer; resolves with what it was called with. */
async function program() {
  const called: URL[] = [];
  const server = createServer((request, response) => {
    called.push(new URL(request.url!, "http://program"));
    response.end("You can close this page.");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { redirectUri: `http://127.0.0.1:${port}/callback`, called, close: () => server.close() };
}

test.skipIf(noBrowser)(`a person approves in a browser, and the program gets its code${noBrowser}`, async () => {
  const here = await world();
  const { redirectUri, called, close } = await program();
  const context = await profile();
  try {
    const signedIn = await browser(here.app, here.owner.userId);
    await context.addCookies([...signedIn.cookies].map(([name, value]) => ({ name, value, url: baseUrl })));
    const clientId = await newClient(here, { redirect_uris: [redirectUri] });
    const verifier = verifierOf();
    const page = await context.newPage();
    await page.goto(baseUrl + authorizePath({ clientId, verifier, redirectUri, scope: "read write" }));
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Connect Robot?");
    const boxes = page.getByRole("checkbox");
    expect(await boxes.count()).toBe(2);
    await boxes.nth(1).uncheck();
    await page.getByRole("button", { name: "Approve" }).click();
    await page.waitForURL(`${redirectUri}**`);
    const code = called.find(({ pathname }) => pathname === "/callback")!.searchParams.get("code")!;
    const tokens = await exchange(here, { clientId, verifier, code, redirect_uri: redirectUri });
    expect(tokens.body.scope).toBe("read");

    await page.goto(baseUrl + authorizePath({ clientId, redirectUri, scope: "read" }));
    await page.getByRole("button", { name: "Deny" }).click();
    await page.waitForURL(`${redirectUri}**`);
    expect(called.at(-1)!.searchParams.get("error") ?? called.at(-2)!.searchParams.get("error")).toBe("access_denied");
  } finally {
    await context.close();
    close();
  }
});
