import { expect, onTestFinished, test } from "vitest";
import { browser } from "../support/browser.ts";
import { noBrowser } from "../support/browser-path.ts";
import { look } from "../support/chromium.ts";
import { drain } from "../support/jobs.ts";
import { servePublicly } from "../support/oauth.ts";
import { linkOn, open, sendForm } from "../support/page-forms.ts";
import { startReceiver } from "../support/receiver.ts";
import { tabOf } from "../support/signed-in.ts";
import { addWebhook, emit } from "../support/webhooks.ts";
import { type World, world } from "../support/world.ts";

/** Webhooks as pages: created, changed, what they sent, sent again. */

await servePublicly();

const URL = "https://example.com/hooks/muster";

async function start() {
  const here = await world();
  const visitor = await browser(here.app, here.owner.userId);
  return { here, visitor, list: `/w/${here.workspace.slug}/webhooks` };
}

/** A webhook whose receiver answered 500 to one message. */
async function failing(here: World) {
  const there = await startReceiver();
  onTestFinished(there.stop);
  there.answers(500);
  const hook = await addWebhook(here, { url: there.url, description: "<b>chat</b>" });
  const [message] = await emit(here, "issue.created");
  await drain();
  return { there, hook, message: message! };
}

test("an admin creates a webhook, sees its secret once, and changes it", async () => {
  const { here, visitor, list } = await start();
  const page = await visitor.get(list);
  expect(page.text).toContain("No webhooks yet");
  const fields = { url: URL, group: ["issue.*"], event_types: "comment.created", headers: "X-Token: s3cret" };
  const made = await sendForm(visitor, page, fields);
  expect(made.text).toMatch(/whsec_[\w+/=]{20,}|whsec_/);
  const [hook] = (await here.owner.get("W/webhooks")).body.data;
  expect(hook).toMatchObject({ url: URL, event_types: ["issue.*", "comment.created"], headers: { "X-Token": "***" } });

  // The same form, sent again, makes no second one.
  const again = await sendForm(visitor, page, fields);
  expect(again.status).toBe(409);
  expect((await here.owner.get("W/webhooks")).body.data).toHaveLength(1);

  const shown = await visitor.get(`${list}/${hook.id}`);
  expect(shown.text).not.toContain("s3cret");
  const changed = await sendForm(visitor, shown, {
    description: "Support chat",
    group: ["*"],
    event_types: "",
    headers: "X-Token: ***",
  });
  expect(changed.text).toContain("The webhook is changed.");
  expect(changed.text).toContain("Support chat");
  // The page of before the change is refused, and overwrites nothing.
  const stale = await sendForm(visitor, shown, { description: "Old", group: ["*"] });
  expect(stale.status).toBe(412);
  expect((await here.owner.get(`W/webhooks/${hook.id}`)).body.data).toMatchObject({
    description: "Support chat",
    event_types: ["*"],
  });
});

test("a refused webhook keeps what was typed, and says why", async () => {
  const { here, visitor, list } = await start();
  const page = await sendForm(visitor, await visitor.get(list), {
    url: "http://127.0.0.1/x",
    event_types: "issue.creatd",
    group: [],
  });
  expect(page.status).toBe(400);
  expect(page.text).toContain("http:&#x2F;&#x2F;127.0.0.1&#x2F;x");
  expect(page.text).toContain("aria-invalid");
  expect((await here.owner.get("W/webhooks")).body.data).toEqual([]);
});

test("what was sent is shown with the answer, and sent again", async () => {
  const { here, visitor, list } = await start();
  const { there, hook } = await failing(here);
  const page = await visitor.get(`${list}/${hook.id}`);
  expect(page.text).toContain("&lt;b&gt;chat&lt;&#x2F;b&gt;");
  expect(page.text).toContain("Failed, will be tried again");
  const attempt = await open(visitor, linkOn(page, "issue.created"));
  expect(attempt.text).toContain("500 in ");
  expect(attempt.text).toContain("webhook-id");
  there.answers(204);
  const sent = await visitor.post(`${linkOn(page, "issue.created")}/retry`);
  expect(sent.status).toBe(303);
  await drain();
  expect((await visitor.get(`${list}/${hook.id}?status=succeeded`)).text).toContain("Delivered");

  const replayed = await sendForm(visitor, page, { what: "all", since: "24" });
  expect(replayed.text).toContain("1 message of that time will be sent again.");
  const rotated = await visitor.post(`${list}/${hook.id}/secret`, { once: "1" });
  expect(rotated.text).toContain("whsec_");
  expect((await visitor.post(`${list}/${hook.id}/secret`, { once: "1" })).status).toBe(409);
  const off = await sendForm(visitor, await visitor.get(`${list}/${hook.id}`), { enabled: "false" });
  expect(off.text).toContain("The webhook is disabled.");
  const gone = await open(visitor, (await visitor.post(`${list}/${hook.id}/delete`)).headers.get("location")!);
  expect(gone.text).toContain("The webhook is deleted.");
});

test("members do not see webhooks; other tenants find none", async () => {
  const { here, list } = await start();
  const { hook } = await failing(here);
  const member = await browser(here.app, (await here.as({ role: "member" })).userId);
  expect((await member.get(list)).status).toBe(403);
  expect((await member.get(`/w/${here.workspace.slug}/developer`)).text).not.toContain(`${list}"`);
  expect((await member.post(`${list}/${hook.id}/delete`)).status).toBe(403);
  const other = await here.other();
  const stranger = await browser(here.app, other.owner.userId);
  expect((await stranger.get(`${list}/${hook.id}`)).status).toBe(404);
  expect((await stranger.post(`/w/${other.workspace.slug}/webhooks/${hook.id}/delete`)).status).toBe(404);
});

test.skipIf(noBrowser)(`webhooks in four looks${noBrowser}`, { timeout: 90_000 }, async () => {
  const { here, list } = await start();
  const { hook } = await failing(here);
  await addWebhook(here, { url: `https://example.com/${"long".repeat(40)}`, description: "Aufgaben ".repeat(20) });
  const page = await tabOf(here, here.owner);
  await page.goto(`${here.app.baseUrl}${list}`);
  await look(page, "webhooks");
  await page.goto(`${here.app.baseUrl}${list}/${hook.id}`);
  await look(page, "webhook");
  await page.getByRole("link", { name: "issue.created" }).first().click();
  await look(page, "webhook-delivery");
});
