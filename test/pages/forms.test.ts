import { expect, test } from "vitest";
import { browser } from "../support/browser.ts";
import { noBrowser } from "../support/browser-path.ts";
import { look } from "../support/chromium.ts";
import { servePublicly } from "../support/oauth.ts";
import { sendForm } from "../support/page-forms.ts";
import { tabOf } from "../support/signed-in.ts";
import { type World, world } from "../support/world.ts";

/** The forms of a project, and the settings of a workspace, as pages. */

await servePublicly();

const FORM = {
  title: "Report <b>it</b>",
  public_enabled: true,
  status: "published",
  fields: [
    { kind: "short_text", label: "Summary", mapping: "title", required: true },
    { kind: "select", label: "Where?", options: ["Web", "Phone"] },
  ],
};

async function answered(here: World): Promise<string> {
  const { data } = await here.owner.post("P/forms", FORM).expect(201);
  const [summary] = data.fields;
  await here.owner.post(`P/forms/${data.id}/submissions`, { answers: { [summary.id]: "<i>Down</i>" } }).expect(201);
  return data.id;
}

test("a form is made, its questions are added, moved, changed and removed, and it is published", async () => {
  const here = await world();
  const visitor = await browser(here.app, here.owner.userId);
  const forms = `/w/${here.workspace.slug}/p/web/forms`;
  const made = await sendForm(visitor, await visitor.get(forms), { title: "Bugs <here>" });
  expect(made.text).toContain("Bugs &lt;here&gt;");
  const [{ id }] = (await here.owner.get("P/forms")).body.data;
  const fields = async () => (await here.owner.get(`P/forms/${id}`)).body.data.fields;

  const question = { field: "new", label: "Where?", kind: "select", options: "Web\nPhone", mapping: "none" };
  const first = await fields();
  const added = await visitor.post(`${forms}/${id}/fields`, { ...question, order: first[0].id });
  expect(added.status).toBe(303);
  const [summary, where] = await fields();
  expect(where).toMatchObject({ label: "Where?", options: ["Web", "Phone"], required: false });
  await visitor.post(`${forms}/${id}/fields`, { order: `${where.id},${summary.id}` });
  expect((await fields()).map(({ label }: { label: string }) => label)).toEqual(["Where?", "Summary"]);

  const page = await visitor.get(`${forms}/${id}`);
  const published = await sendForm(visitor, page, { status: "published" });
  expect(published.text).toContain("Open");
  // The page of before is refused, and removes nothing.
  const revision = /name="revision" value="([^"]*)"/
    .exec(page.text)![1]!
    .replaceAll("&quot;", '"')
    .replaceAll("&#x3D;", "=");
  expect((await visitor.post(`${forms}/${id}/fields`, { order: "", revision })).status).toBe(412);
  await visitor.post(`${forms}/${id}/fields`, { order: summary.id });
  expect(await fields()).toHaveLength(1);
  const bad = await visitor.post(`${forms}/${id}/fields`, { ...question, kind: "no", order: summary.id });
  expect(bad.status).toBe(400);
  await visitor.post(`${forms}/${id}/delete`);
  expect((await here.owner.get("P/forms")).body.data).toEqual([]);
});

test("who answers, until when, and what issue it makes are set, and refused forms keep what was typed", async () => {
  const here = await world();
  const visitor = await browser(here.app, here.owner.userId);
  const { data } = await here.owner.post("P/forms", FORM).expect(201);
  const label = (await here.owner.post("P/labels", { name: "Backend", color: "#112233" }).expect(201)).data;
  const field = (await here.owner.post("P/custom-field-defs", { name: "Cause", kind: "text" }).expect(201)).data;
  const path = `/w/${here.workspace.slug}/p/web/forms/${data.id}`;
  const stored = async () => (await here.owner.get(`P/forms/${data.id}`)).body.data;
  const send = async (values: Record<string, string | string[]>) => sendForm(visitor, await visitor.get(path), values);

  const access = {
    access_mode: "invited",
    allowed_emails: "Ada@example.com\nbo@example.com",
    password: "secret",
    one_per_email: "true",
    response_limit: "7",
    close_at: "2099-01-31",
  };
  expect((await send(access)).text).toContain("The form is changed.");
  expect(await stored()).toMatchObject({
    access_mode: "invited",
    allowed_emails: ["ada@example.com", "bo@example.com"],
    has_password: true,
    one_per_email: true,
    response_limit: 7,
    close_at: "2099-01-31T23:59:59.000Z",
  });
  await send({ access_mode: "anyone", allowed_emails: "" });
  expect(await stored()).toMatchObject({ has_password: true, close_at: "2099-01-31T23:59:59.000Z" });
  await send({ access_mode: "anyone", no_password: "true" });
  expect((await stored()).has_password).toBe(false);

  await send({
    issue_type: "bug",
    priority: "high",
    default_assignee_id: here.owner.userId,
    default_label_ids: [label.id],
  });
  expect(await stored()).toMatchObject({
    issue_type: "bug",
    default_assignee_id: here.owner.userId,
    default_label_ids: [label.id],
  });
  await send({ header_text: "Acme", accented: "true", accent_color: "#336699", success_message: "Thanks" });
  expect(await stored()).toMatchObject({ header_text: "Acme", accent_color: "#336699", success_message: "Thanks" });

  const question = { field: "new", label: "Why?", kind: "short_text", mapping: "none", max_length: "80" };
  await send({ ...question, custom_field_id: field.id, placeholder: "Because" });
  expect((await stored()).fields.at(-1)).toMatchObject({
    max_length: 80,
    custom_field_id: field.id,
    placeholder: "Because",
  });
  const bad = await send({ access_mode: "anyone", response_limit: "0", allowed_emails: "typed@example.com" });
  expect([bad.status, bad.text]).toEqual([400, expect.stringContaining("typed@example.com")]);
  const wrong = await send({ ...question, label: "Typed?", max_length: "-1" });
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('value="Typed?"')]);
  const viewer = await browser(here.app, (await here.as({ role: "viewer" })).userId);
  for (const part of ["change", "access", "issue", "fields"]) {
    expect((await viewer.post(`${path}/${part}`, { title: "x" })).status, part).toBe(403);
  }
});

test("answers are shown escaped; viewers get no forms, and strangers nothing", async () => {
  const here = await world();
  const id = await answered(here);
  const path = `/w/${here.workspace.slug}/p/web/forms/${id}`;
  const page = await (await browser(here.app, here.owner.userId)).get(path);
  expect(page.text).toContain("&lt;i&gt;Down&lt;&#x2F;i&gt;");
  expect(page.text).toContain("WEB-1");
  const viewer = await browser(here.app, (await here.as({ role: "viewer" })).userId);
  const seen = await viewer.get(path);
  expect(seen.status).toBe(200);
  expect(seen.text.slice(seen.text.indexOf("<main"))).not.toContain("<form");
  expect((await viewer.post(`${path}/delete`)).status).toBe(403);
  const other = await here.other();
  const stranger = await browser(here.app, other.owner.userId);
  expect((await stranger.get(path)).status).toBe(404);
  expect((await stranger.get(`/w/${other.workspace.slug}/p/web/forms/${id}`)).status).toBe(404);
});

test("an admin changes the workspace; a viewer reads its settings", async () => {
  const here = await world();
  const settings = `/w/${here.workspace.slug}/settings`;
  const visitor = await browser(here.app, here.owner.userId);
  const page = await visitor.get(settings);
  const changed = await sendForm(visitor, page, { name: "Acme & Söhne", timezone: "Europe/Berlin" });
  expect(changed.text).toContain("The workspace is changed.");
  expect((await here.owner.get("W")).body.data).toMatchObject({ name: "Acme & Söhne", timezone: "Europe/Berlin" });
  expect((await sendForm(visitor, page, { name: "Old", timezone: "UTC" })).status).toBe(412);
  expect((await sendForm(visitor, changed, { name: "x", timezone: "Mars" })).status).toBe(400);
  const viewer = await browser(here.app, (await here.as({ role: "viewer" })).userId);
  const seen = await viewer.get(settings);
  expect(seen.text.slice(seen.text.indexOf("<main"))).not.toContain("<form");
  expect((await viewer.post(`${settings}/change`, { name: "Mine" })).status).toBe(403);
});

test.skipIf(noBrowser)(`forms and settings in four looks${noBrowser}`, { timeout: 120_000 }, async () => {
  const here = await world();
  const id = await answered(here);
  const base = `${here.app.baseUrl}/w/${here.workspace.slug}`;
  const page = await tabOf(here, here.owner);
  for (const [path, name] of [
    ["/p/web/forms", "forms"],
    [`/p/web/forms/${id}`, "form"],
    ["/settings", "settings"],
  ]) {
    await page.goto(base + path);
    for (const fold of await page.locator("section:last-of-type > details.fold > summary").all()) await fold.click();
    await look(page, name!);
  }
});
