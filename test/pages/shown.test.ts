import { expect, test } from "vitest";
import { browser } from "../support/browser.ts";
import { noBrowser } from "../support/browser-path.ts";
import { look } from "../support/chromium.ts";
import { drain } from "../support/jobs.ts";
import { servePublicly } from "../support/oauth.ts";
import { plain, sendForm } from "../support/page-forms.ts";
import { tabOf } from "../support/signed-in.ts";
import { type World, world } from "../support/world.ts";

/** What pages show and change that is rarely needed: it is there, and nobody has to call the API for it. */

await servePublicly();

async function start() {
  const here = await world();
  const visitor = await browser(here.app, here.owner.userId);
  const base = `/w/${here.workspace.slug}`;
  return { here, visitor, base, project: `${base}/p/web` };
}

/** What a person reads. */
const read = (html: string) =>
  plain(
    html
      .slice(html.indexOf("<main"))
      .replaceAll(/<[^>]*>/g, " ")
      .replaceAll(/\s+/g, " "),
  );

test("a question depends on an earlier one", async () => {
  const { here, visitor, project } = await start();
  const fields = [
    { kind: "checkbox", label: "Is it <b>down</b>?" },
    { kind: "short_text", label: "Since when?", mapping: "title", max_length: 80 },
  ];
  const { data } = await here.owner.post("P/forms", { title: "Outage", fields }).expect(201);
  const [tick, since] = data.fields;
  const form = `${project}/forms/${data.id}`;
  await here.owner.post(`P/forms/${data.id}/submissions`, { answers: { [since.id]: "Noon" } }).expect(201);
  const page = await visitor.get(form);
  expect(read(page.text)).toContain("at most 80 characters");
  expect(read(page.text)).toMatch(/Olive Owner, just now ?, within Muster/);

  const said = { field: since.id, label: "Since when?", mapping: "title" };
  const rule = { rule_field: tick.id, rule_op: "is", rule_value: "Yes" };
  const saved = await sendForm(visitor, page, { ...said, ...rule });
  expect(read(saved.text)).toContain("Only if “Is it <b>down</b>?” is “yes”");
  const stored = async () => (await here.owner.get(`P/forms/${data.id}`)).body.data.fields[1].visibility_rule;
  expect(await stored()).toEqual({ field: tick.id, op: "is", value: true });
  // Other changes keep it.
  await sendForm(visitor, saved, { ...said, label: "Since?" });
  expect(await stored()).toMatchObject({ op: "is", value: true });
  const now = await visitor.get(form);
  const refused = await sendForm(visitor, now, { ...said, ...rule, rule_value: "" });
  expect(refused.status).toBe(400);
  await sendForm(visitor, now, { ...said, ...rule, rule_field: "" });
  expect(await stored()).toBe(null);
});

test("a view shows its issues in groups, and names what was deleted", async () => {
  const { here, visitor, project } = await start();
  await here.owner.post("P/issues", { title: "A task", priority: "low" }).expect(201);
  await here.owner.post("P/issues", { title: "A bug", type: "bug", priority: "critical" }).expect(201);
  const label = await here.owner.post("P/labels", { name: "gone", color: "#ff0000" }).expect(201);
  const page = await visitor.get(`${project}/list?priority=low,critical`);
  const grouped = await sendForm(visitor, page, { name: "By <b>urgency</b>", group_by: "priority" });
  expect(read(grouped.text)).toMatch(/Critical 1 .*A bug.* Low 1 .*A task/);
  const changed = await sendForm(visitor, grouped, { name: "All", group_by: "" });
  expect(changed.text).not.toContain('class="group"');
  const { data: view } = await here.owner.post("P/saved-views", {
    name: "Old",
    layout: "list",
    group_by: "epic",
    filter: { labels: [label.data.id] },
  });
  await here.owner.delete(`P/labels/${label.data.id}`).expect(200);
  expect(read((await visitor.get(`${project}/list?view=${view.id}`)).text)).toContain("names 1 thing that");
});

test("the day of a release is corrected, and only while it is released", async () => {
  const { here, visitor, project } = await start();
  const { data } = await here.owner.post("P/releases", { name: "One", status: "released" }).expect(201);
  const page = await visitor.get(`${project}/releases`);
  const released = async () => (await here.owner.get(`P/releases/${data.id}`)).body.data.released_at;
  const saved = await sendForm(visitor, page, { name: "One", released_at: "2026-01-15", status: "released" });
  expect(read(saved.text)).toContain("released 15 Jan 2026");
  expect(await released()).toBe("2026-01-15T00:00:00.000Z");
  const refused = await sendForm(visitor, saved, { name: "One", released_at: "2199-01-15", status: "released" });
  expect(refused.status).toBe(400);
  await sendForm(visitor, saved, { name: "One", released_at: "2026-01-15", status: "planned" });
  expect(await released()).toBe(null);
});

test("the time left is changed, and not what somebody else has entered meanwhile", async () => {
  const { here, visitor, project } = await start();
  const { data } = await here.owner.post("P/issues", { title: "Work", estimate_minutes: 120 }).expect(201);
  await here.owner.post(`P/issues/${data.key}/time/entries`, { minutes: 30 }).expect(201);
  const page = await visitor.get(`${project}/${data.key}`);
  expect(read(page.text)).toMatch(/Created just now by \S/);
  const saved = await sendForm(visitor, page, { remaining_minutes: "2 h" });
  expect(read(saved.text)).toContain("Left 2 h");
  const late = await sendForm(visitor, page, { remaining_minutes: "3 h" });
  expect([late.status, read(late.text).includes("2 h")]).toEqual([412, true]);
  expect((await sendForm(visitor, saved, { remaining_minutes: "soon" })).status).toBe(400);
  const left = async () => (await here.owner.get(`P/issues/${data.key}/time`)).body.data.remaining_minutes;
  expect(await left()).toBe(120);
  await sendForm(visitor, saved, { remaining_minutes: "" });
  expect(await left()).toBe(90);
});

test("a new secret of a webhook ends the present one when the person says", async () => {
  const { here, visitor, base } = await start();
  const { data } = await here.owner.post("W/webhooks", { url: "https://example.com/", event_types: ["*"] }).expect(201);
  const page = await visitor.get(`${base}/webhooks/${data.id}`);
  const rotated = await sendForm(visitor, page, { grace_seconds: "0" });
  expect(rotated.text).toContain("whsec_");
  const stored = (await here.owner.get(`W/webhooks/${data.id}`)).body.data;
  expect(stored.previous_secret_expires_at).toBe(null);
  expect(stored.secret_rotated_at).not.toBe(null);
});

test("the audit log says what led to an entry, also of one key alone", async () => {
  const { here, visitor, base } = await start();
  const { data: key } = await here.owner.post("W/api-keys", { name: "Program", scopes: ["admin"] }).expect(201);
  await here.owner.post("W/api-keys", { name: "Other", scopes: ["read"] }).expect(201);
  const page = await visitor.get(`${base}/developer/keys/${key.id}`);
  expect(plain(page.text)).toContain(`${base}/audit?key_id=${key.id}`);
  expect(read(page.text)).toMatch(/Created .* by \S/);
  const all = read((await visitor.get(`${base}/audit`)).text);
  expect(all).toMatch(/With a key The key .*Call \S/);
  const one = await visitor.get(`${base}/audit?key_id=${key.id}`);
  expect(read(one.text)).toContain("Only what one key did.");
  expect(read(one.text)).not.toContain("Other");
});

async function ranOnce(here: World): Promise<string> {
  const { data } = await here.owner
    .post("W/automations", {
      name: "Urgent",
      trigger: "issue.created",
      project_id: "WEB",
      actions: [{ type: "set_priority", priority: "critical" }],
    })
    .expect(201);
  await here.owner.post("P/issues", { title: "A crash" }).expect(201);
  await drain();
  return data.id;
}

test("a run says how long it took and what started it", async () => {
  const { here, visitor, base } = await start();
  const page = await visitor.get(`${base}/automations/${await ranOnce(here)}`);
  expect(read(page.text)).toMatch(/took [\d.]+ m?s, started by issue created/);
});

test("members are shown with their last activity, and guests with their projects", async () => {
  const { here, visitor, base } = await start();
  const guest = await here.as({ role: "guest" });
  await here.owner.post("P/members", { user_id: guest.userId, role: "member" });
  const page = await visitor.get(`${base}/members`);
  expect(read(page.text)).toMatch(/Guest .*Web/i);
  expect(page.text).toContain('data-label="Last active"');
});

test.skipIf(noBrowser)(`they are quiet, in four looks${noBrowser}`, { timeout: 120_000 }, async () => {
  const { here, project, base } = await start();
  const tab = await tabOf(here, here.owner);
  const pages = await examples(here, { base, project });
  for (const [name, path] of Object.entries(pages)) {
    await tab.goto(here.app.baseUrl + path);
    for (const fold of await tab.locator("main details > summary").all()) await fold.click();
    await look(tab, name);
  }
});

/** A page of each kind. */
async function examples(here: World, { base, project }: { base: string; project: string }) {
  const fields = [
    { kind: "checkbox", label: "Is it down?" },
    {
      kind: "short_text",
      label: "Since when?",
      mapping: "title",
      visibility_rule: { field: 0, op: "is", value: true },
    },
  ];
  const form = await here.owner.post("P/forms", { title: "Outage", fields }).expect(201);
  const issue = await here.owner.post("P/issues", { title: "Work", type: "bug", estimate_minutes: 120 }).expect(201);
  await here.owner.post(`P/issues/${issue.data.key}/time/entries`, { minutes: 30 }).expect(201);
  await here.owner.post("P/releases", { name: "One", status: "released" }).expect(201);
  const view = await here.owner
    .post("P/saved-views", { name: "By type", layout: "list", group_by: "type" })
    .expect(201);
  await here.owner.post("W/api-keys", { name: "Program", scopes: ["admin"] }).expect(201);
  const url = "https://example.com/";
  const webhook = await here.owner.post("W/webhooks", { url, event_types: ["*"] }).expect(201);
  return {
    "shown-form": `${project}/forms/${form.data.id}`,
    "shown-issue": `${project}/${issue.data.key}`,
    "shown-releases": `${project}/releases`,
    "shown-groups": `${project}/list?view=${view.data.id}`,
    "shown-audit": `${base}/audit`,
    "shown-members": `${base}/members`,
    "shown-run": `${base}/automations/${await ranOnce(here)}`,
    "shown-webhook": `${base}/webhooks/${webhook.data.id}`,
  };
}

test("the time left is set once, and not over what others set meanwhile", async () => {
  const { here, visitor, project } = await start();
  await here.owner.post("P/issues", { title: "One" }).expect(201);
  const form = { once: "one", was: "null", remaining_minutes: "2 h" };
  const sent = async () => (await visitor.post(`${project}/WEB-1/time-left`, form)).status;
  expect([await sent(), await sent()]).toEqual([303, 303]);
  await here.owner.patch("P/issues/WEB-1/time", { remaining_minutes: 30 }).expect(200);
  expect(await sent()).toBe(412);
  expect((await here.owner.get("P/issues/WEB-1/time").expect(200)).data.remaining_minutes).toBe(30);
});
