import type { Page } from "playwright-core";
import { browser } from "./browser.ts";
import { type Look, profile } from "./chromium.ts";
import type { Client } from "./client.ts";
import type { World } from "./world.ts";

/** A tab of a real browser in which a person is signed in. The service must be reachable (`servePublicly`). */
export async function tabOf({ app }: World, { userId }: Pick<Client, "userId">, kind: Look = {}): Promise<Page> {
  const context = await profile(kind);
  const { cookies } = await browser(app, userId);
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: app.baseUrl })));
  return context.newPage();
}
