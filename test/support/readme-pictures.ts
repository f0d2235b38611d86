import { join } from "node:path";
import type { Page } from "playwright-core";
import { readDevFile } from "../../src/dev/dev-file.ts";
import { closeBrowser, newContext } from "./chromium.ts";
import { fillForPictures, VIEWED_ISSUE } from "./readme-pictures-content.ts";

/**
 * `npm run pictures`: takes the pictures at the beginning of the README. `npm run dev` runs meanwhile: its
 * demo workspace gets a sprint, labels, and agents at work.
 */

const ROOT = join(import.meta.dirname, "../..");
const SIZE = { width: 1200, height: 720 };

const dev = readDevFile(process.env.DATA_DIR ?? join(ROOT, ".data"));
if (!dev?.mailbox_url) throw new Error("Start `npm run dev` first, without a mail server.");
await fillForPictures(dev);

const context = await newContext({ viewport: SIZE, deviceScaleFactor: 2, colorScheme: "light" });
const page = await context.newPage();
await signIn(page, dev.owner_email, dev.mailbox_url);
const project = `${dev.base_url}/w/${dev.workspace}/p/web`;
await take("picture-board", project);
await take("picture-agent", `${project}/${VIEWED_ISSUE}`);
await context.close();
await closeBrowser();

async function take(name: string, address: string): Promise<void> {
  await page.goto(address);
  await page.evaluate("document.fonts.ready");
  await page.screenshot({ type: "webp", quality: 90, path: join(ROOT, "docs", `${name}.webp`) });
}

async function signIn(page: Page, email: string, mailbox: string): Promise<void> {
  await page.goto(`${dev?.base_url}/sign-in`);
  await page.getByLabel("E-mail address").fill(email);
  await page.getByRole("button", { name: "Mail me a link" }).click();
  await page.getByLabel("Code from the mail").fill(await newestCode(`${mailbox}?to=${email}`));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/w/**");
}

async function newestCode(mailbox: string): Promise<string> {
  for (const sent = Date.now() - 5_000; ; await new Promise((wait) => setTimeout(wait, 200))) {
    const reply = await fetch(mailbox, { headers: { accept: "application/json" } });
    const { data } = (await reply.json()) as { data: { code: string; received_at: string }[] };
    if (data[0] && Date.parse(data[0].received_at) > sent) return data[0].code;
  }
}
