import { expect, test } from "vitest";
import { type Browser, browser } from "../support/browser.ts";
import { noBrowser } from "../support/browser-path.ts";
import { look } from "../support/chromium.ts";
import { servePublicly } from "../support/oauth.ts";
import { open, sendForm } from "../support/page-forms.ts";
import { tabOf } from "../support/signed-in.ts";
import { type World, world } from "../support/world.ts";

/** Files and time on an issue's page. */

await servePublicly();

async function withIssue() {
  const here = await world();
  await here.owner.post("P/issues", { title: "First" }).expect(201);
  return { here, path: `/w/${here.workspace.slug}/p/web/WEB-1`, visitor: await browser(here.app, here.owner.userId) };
}

/** Sends a file as a browser does. */
async function upload(
  { app }: World,
  visitor: Browser,
  path: string,
  file: File | null,
  { origin = app.baseUrl, once = "" } = {},
) {
  const form = new FormData();
  if (once) form.append("once", once);
  if (file) form.append("file", file);
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return fetch(`${app.baseUrl}${path}/attach`, {
    method: "POST",
    body: form,
    headers: { cookie, origin },
    redirect: "manual",
  });
}

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

test("files are attached without scripts, shown, fetched and deleted", async () => {
  const { here, path, visitor } = await withIssue();
  const sent = await upload(here, visitor, path, new File(["agreed"], "notes <b>.txt", { type: "text/plain" }));
  expect(sent.status).toBe(303);
  expect((await upload(here, visitor, path, new File([PIXEL], "shot.png", { type: "image/png" }))).status).toBe(303);
  const page = await open(visitor, path);
  expect(page.text).toContain("notes &lt;b&gt;.txt");
  expect(page.text).toMatch(/<img src="[^"]+" alt="" width="240"/);
  const files = (await here.owner.get("P/issues/WEB-1/attachments").expect(200)).data;
  const notes = files.find(({ mime }: { mime: string }) => mime === "text/plain");
  const fetched = await visitor.get(`${path}/files/${notes.id}`);
  expect(fetched.status).toBe(303);
  const address = fetched.headers.get("location")!.replace(here.app.config.BASE_URL, here.app.baseUrl);
  expect(await (await fetch(address)).text()).toBe("agreed");
  await visitor.post(`${path}/attachment-delete`, { id: notes.id });
  expect((await here.owner.get("P/issues/WEB-1/attachments").expect(200)).data).toHaveLength(1);
  expect((await visitor.get(`${path}/files/${notes.id}`)).status).toBe(404);
});

test("a file that is sent twice is attached once, also at the same time", async () => {
  const { here, path, visitor } = await withIssue();
  const send = (once: string, text = "agreed") =>
    upload(here, visitor, path, new File([text], "notes.txt", { type: "text/plain" }), { once });
  const attached = async () => (await here.owner.get("P/issues/WEB-1/attachments").expect(200)).data.length;
  expect([(await send("1")).status, (await send("1")).status, await attached()]).toEqual([303, 303, 1]);
  const both = await Promise.all([send("2"), send("2")]);
  expect(both.map(({ status }) => status)).toContain(303);
  expect(await attached()).toBe(2);
  // Another file by the same form is another sending.
  await send("2", "changed");
  expect(await attached()).toBe(3);
});

test("files are refused: none, empty ones, those of viewers, of other tenants and of other sites", async () => {
  const { here, path, visitor } = await withIssue();
  const file = () => new File(["x"], "x.txt", { type: "text/plain" });
  expect((await upload(here, visitor, path, null)).status).toBe(400);
  expect((await upload(here, visitor, path, new File([], "empty.txt", { type: "text/plain" }))).status).toBe(400);
  const viewer = await browser(here.app, (await here.as({ role: "viewer" })).userId);
  expect((await upload(here, viewer, path, file())).status).toBe(403);
  const stranger = await browser(here.app, (await here.other()).owner.userId);
  expect((await upload(here, stranger, path, file())).status).toBe(404);
  expect((await upload(here, visitor, path, file(), { origin: "https://evil.test" })).status).toBe(403);
  expect((await here.owner.get("P/issues/WEB-1/attachments").expect(200)).data).toEqual([]);
});

test("time is logged and corrected", async () => {
  const { here, path, visitor } = await withIssue();
  const time = async () => (await here.owner.get("P/issues/WEB-1/time").expect(200)).data;
  const page = await open(visitor, path);
  const logged = await sendForm(visitor, page, { log: "1", minutes: "1 h 30 min", note: "Read <b>logs</b>" });
  expect(logged.text).toContain("Read &lt;b&gt;logs");
  await sendForm(visitor, page, { log: "1", minutes: "1 h 30 min", note: "Read <b>logs</b>" });
  expect(await time()).toMatchObject({ spent_minutes: 90 });
  const [{ id }] = (await time()).entries;
  const refused = await sendForm(visitor, page, { log: "1", minutes: "soon" });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain(`value="soon"`);
  const correcting = await open(visitor, `${path}?entry=${id}`);
  await sendForm(visitor, correcting, { entry: id, minutes: "45" });
  expect(await time()).toMatchObject({ spent_minutes: 45 });
  await visitor.post(`${path}/time-delete`, { entry: id });
  expect((await time()).entries).toEqual([]);
});

test.skipIf(noBrowser)(`files and time in four looks${noBrowser}`, { timeout: 120_000 }, async () => {
  const { here, path, visitor } = await withIssue();
  await upload(here, visitor, path, new File(["agreed"], `${"Protokoll".repeat(20)}.txt`, { type: "text/plain" }));
  await upload(here, visitor, path, new File([PIXEL], "shot.png", { type: "image/png" }));
  const { data: entry } = await here.owner
    .post("P/issues/WEB-1/time/entries", { minutes: 95, note: "Looked at the logs" })
    .expect(201);
  await here.owner.post("P/issues/WEB-1/time/entries", { minutes: 30 }).expect(201);
  const page = await tabOf(here, here.owner);
  await page.goto(`${here.app.baseUrl}${path}?entry=${entry.id}`);
  await look(page, "issue-files");
});
