import { expect, test } from "vitest";
import { browser } from "../support/browser.ts";
import { noBrowser } from "../support/browser-path.ts";
import { look } from "../support/chromium.ts";
import { servePublicly } from "../support/oauth.ts";
import { linkOn, open, sendForm } from "../support/page-forms.ts";
import { tabOf } from "../support/signed-in.ts";
import { type World, world } from "../support/world.ts";

/** Docs as pages: the tree, reading, writing, moving. */

await servePublicly();

const docsOf = ({ workspace }: World) => `/w/${workspace.slug}/docs`;

test("people write a doc, put another one below it, and find both in the tree", async () => {
  const here = await world();
  const visitor = await browser(here.app, here.owner.userId);
  const nothing = await visitor.get(docsOf(here));
  expect(nothing.text).toContain("No docs yet");
  const form = await open(visitor, linkOn(nothing, "New doc"));
  const text = `# Plan\n\n- [x] one\n- [ ] two\n\nSee #WEB-1 <script>alert(1)</script>\n`;
  const made = await sendForm(visitor, form, {
    title: "<b>Plan</b> & more",
    project: "WEB",
    visibility: "workspace",
    body_md: text.replaceAll("\n", "\r\n"),
  });
  expect(made.status).toBe(200);
  expect(made.text).toContain("The doc is created.");
  expect(made.text).toContain("&lt;b&gt;Plan&lt;&#x2F;b&gt; &amp; more</h1>");
  expect(made.text).toContain('<h2 dir="auto" id="h-plan">Plan</h2>');
  expect(made.text).toContain("&lt;script&gt;");
  expect(made.text).toContain(`/w/${here.workspace.slug}/p/web/WEB-1`);
  const { data: docs } = (await here.owner.get("W/docs?fields=id,title,body_md,url")).body;
  expect(docs[0].body_md).toBe(text);

  const below = await open(visitor, linkOn(made, "New doc below"));
  const child = await sendForm(visitor, below, { title: "Details", visibility: "private", body_md: "" });
  expect(child.text).toContain("Nothing is written here yet.");
  expect(child.text).toContain("Private: only you see it");
  const tree = await visitor.get(docsOf(here));
  expect(tree.text).toContain("Website");
  expect(tree.text).toMatch(/more<\/a>[\s\S]*<ul class="tree"><li>[\s\S]*Details/);
  // The address that the API gives out.
  expect((await visitor.get(new URL(docs[0].url).pathname)).status).toBe(200);
});

test("a form that is sent twice creates one doc, and a refused one keeps what was typed", async () => {
  const here = await world();
  const visitor = await browser(here.app, here.owner.userId);
  const form = await visitor.get(`${docsOf(here)}/new`);
  const once = /name="once" value="([^"]+)"/.exec(form.text)![1]!;
  const fields = { title: "One", project: "", visibility: "workspace", body_md: "x", once };
  await visitor.post(`${docsOf(here)}/new/create`, fields);
  expect((await visitor.post(`${docsOf(here)}/new/create`, fields)).status).toBe(303);
  expect((await here.owner.get("W/docs")).body.data).toHaveLength(1);
  const refused = await visitor.post(`${docsOf(here)}/new/create`, {
    ...fields,
    title: "x".repeat(300),
    body_md: "Kept",
  });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('aria-invalid="true"');
  expect(refused.text).toContain("Kept</textarea>");
});

test("what somebody else wrote meanwhile is shown, and overwritten only when asked", async () => {
  const here = await world();
  const ada = await here.as({ role: "member", name: "Ada Lovelace" });
  const { data: doc } = await here.owner.post("W/docs", { title: "Plan", body_md: "one\ntwo\nthree" }).expect(201);
  const visitor = await browser(here.app, here.owner.userId);
  const path = `${docsOf(here)}/${doc.id}`;
  const form = await visitor.get(`${path}/edit`);
  await ada.patch(`W/docs/${doc.id}`, { body_md: "one\ntwo, by Ada\nthree" }).expect(200);

  const conflict = await sendForm(visitor, form, { title: "Plan", body_md: "one\ntwo\nthree, mine" });
  expect(conflict.status).toBe(412);
  expect(conflict.text).toContain("Ada Lovelace");
  expect(conflict.text).toContain("two, by Ada");
  expect(conflict.text).toContain("three, mine</textarea>");
  expect((await here.owner.get(`W/docs/${doc.id}`)).body.data.body_md).toBe("one\ntwo, by Ada\nthree");
  const saved = await sendForm(visitor, conflict, { title: "Plan", body_md: "one\ntwo, by Ada\nthree, mine" });
  expect(saved.text).toContain("Saved.");

  // A new title does not take the text back that the form showed.
  const again = await visitor.get(`${path}/edit`);
  await ada.patch(`W/docs/${doc.id}`, { body_md: "all new" }).expect(200);
  const titled = await sendForm(visitor, again, { title: "The plan", body_md: "one\ntwo, by Ada\nthree, mine" });
  expect(titled.text).toContain("all new</textarea>");
  await sendForm(visitor, titled, { title: "The plan", body_md: "all new" });
  expect((await here.owner.get(`W/docs/${doc.id}`)).body.data).toMatchObject({ title: "The plan", body_md: "all new" });
});

test("docs are moved, archived and restored", async () => {
  const here = await world();
  const { data: parent } = await here.owner.post("W/docs", { title: "Above", project: "WEB" }).expect(201);
  const { data: doc } = await here.owner.post("W/docs", { title: "Moving" }).expect(201);
  const visitor = await browser(here.app, here.owner.userId);
  const path = `${docsOf(here)}/${doc.id}`;
  const moved = await sendForm(visitor, await visitor.get(`${path}/move`), {
    place: `doc:${parent.id}:WEB`,
    position: "3",
    visibility: "workspace",
  });
  expect(moved.text).toContain("The doc is moved.");
  expect((await here.owner.get(`W/docs/${doc.id}`)).body.data).toMatchObject({
    parent_id: parent.id,
    project_key: "WEB",
    position: 3,
  });
  const cycle = await sendForm(visitor, await visitor.get(`${docsOf(here)}/${parent.id}/move`), {
    place: `doc:${doc.id}:WEB`,
    position: "0",
    visibility: "workspace",
  });
  expect(cycle.status).toBe(400);

  const archived = await visitor.follow(await visitor.post(`${path}/archive`));
  expect(archived.text).toContain("This doc is archived.");
  expect(archived.text).not.toContain(`${path}/edit`);
  expect((await visitor.get(`${docsOf(here)}?archived=true`)).text).toContain("Moving");
  expect((await visitor.get(docsOf(here))).text).not.toContain("Moving");
  const back = await visitor.follow(await visitor.post(`${path}/restore`));
  expect(back.text).toContain("The doc is restored.");
});

test("a doc is saved as a file", async () => {
  const here = await world();
  const { data: doc } = await here.owner.post("W/docs", { title: "Prüfliste", body_md: "# Ja" }).expect(201);
  const visitor = await browser(here.app, here.owner.userId);
  const path = `${docsOf(here)}/${doc.id}/export`;
  const markdown = await visitor.get(`${path}/md`);
  expect(markdown.text).toBe("# Ja");
  expect(markdown.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
  expect(markdown.headers.get("content-disposition")).toContain("filename*=UTF-8''Pr%C3%BCfliste.md");
  expect((await visitor.get(`${path}/html`)).text).toContain("<!doctype html>");
  expect((await visitor.get(`${path}/pdf`)).text).toMatch(/^%PDF/);
  expect((await visitor.get(`${path}/exe`)).status).toBe(400);
});

test("a text of any length and markup is shown", { timeout: 60_000 }, async () => {
  const here = await world();
  const visitor = await browser(here.app, here.owner.userId);
  for (const body_md of [
    "long words ".repeat(40_000),
    "[a]: http://x.test\n\n[a] <a href=x>",
    "#".repeat(30_000),
    "`".repeat(9_000),
  ]) {
    const { data: doc } = await here.owner.post("W/docs", { title: "Hard", body_md }).expect(201);
    const page = await visitor.get(`${docsOf(here)}/${doc.id}`);
    expect(page.status).toBe(200);
    expect(page.text).not.toContain("<a href=x>");
    const form = await visitor.get(`${docsOf(here)}/${doc.id}/edit`);
    const saved = await sendForm(visitor, form, { title: "Hard", body_md: `${body_md}é` });
    expect(saved.text).toContain("Saved.");
  }
});

test("viewers read only, private docs stay private, and other tenants find nothing", async () => {
  const here = await world();
  const { data: doc } = await here.owner.post("W/docs", { title: "Open", body_md: "text" }).expect(201);
  const { data: own } = await here.owner.post("W/docs", { title: "Mine", visibility: "private" }).expect(201);
  const viewer = await browser(here.app, (await here.as({ role: "viewer" })).userId);
  const list = await viewer.get(docsOf(here));
  expect(list.text).toContain("Open");
  expect(list.text).not.toContain("Mine");
  expect(list.text).not.toContain("New doc");
  const page = await viewer.get(`${docsOf(here)}/${doc.id}`);
  expect(page.text).not.toMatch(/docs[^"]*\/(edit|move|archive|new)"/);
  expect((await viewer.post(`${docsOf(here)}/${doc.id}/edit/save`, { title: "x" })).status).toBe(403);
  expect((await viewer.post(`${docsOf(here)}/new/create`, { title: "x" })).status).toBe(403);
  expect((await viewer.get(`${docsOf(here)}/${own.id}`)).status).toBe(404);

  const other = await here.other();
  const stranger = await browser(here.app, other.owner.userId);
  for (const path of ["", `/${doc.id}`, `/${doc.id}/edit`, `/${doc.id}/export/md`]) {
    expect((await stranger.get(docsOf(here) + path)).status).toBe(404);
  }
  expect((await stranger.get(`${docsOf(other)}/${doc.id}`)).status).toBe(404);
  expect((await stranger.post(`${docsOf(other)}/${doc.id}/archive`)).status).toBe(404);
});

test.skipIf(noBrowser)(`docs in four looks${noBrowser}`, { timeout: 180_000 }, async () => {
  const here = await world();
  const word = "Donaudampfschifffahrt".repeat(6);
  const body_md = `We release **every Tuesday**. What stops a release is in [the rules](https://example.com).\n\n## Before\n\n- [x] All reviews are done\n- [ ] The changelog says what is new\n\n> Nobody releases on a Friday.\n\n## On the day\n\n1. Tag the commit\n2. Watch the errors for an hour\n\n\`\`\`sh\ngit tag -s v2.4.0 -m "${word}"\n\`\`\`\n\n### When it burns\n\n| Sign | What to do | Who |\n|---|---|---:|\n| Errors above 1 % | Roll back | whoever is on call |\n| ${word} | Ask | Ada |\n\n## After\n\nWrite down what went wrong. مرحبا\n`;
  const { data: doc } = await here.owner
    .post("W/docs", { title: "Release checklist", icon: "🚀", project: "WEB", body_md })
    .expect(201);
  for (const title of ["Rolling back", word]) {
    await here.owner.post("W/docs", { title, parent_id: doc.id, project: "WEB" }).expect(201);
  }
  await here.owner.post("W/docs", { title: "How we work" }).expect(201);
  await here.owner.post("W/docs", { title: "Notes", visibility: "private" }).expect(201);
  const page = await tabOf(here, here.owner);
  const base = `${here.app.baseUrl}${docsOf(here)}`;
  await page.goto(base);
  await look(page, "docs");
  await page.goto(`${base}/${doc.id}`);
  await look(page, "doc");
  await page.goto(`${base}/${doc.id}/edit`);
  await look(page, "doc-edit");
  const ada = await here.as({ role: "member", name: "Ada Lovelace" });
  await ada.patch(`W/docs/${doc.id}`, { replace: [{ find: "Tuesday", with: "Monday" }] }).expect(200);
  await page.fill("[name=body_md]", body_md.replace("Ask | Ada", "Ask | Grace"));
  await page.click("text=Save");
  await look(page, "doc-conflict");
  await page.goto(`${base}/${doc.id}/move`);
  await look(page, "doc-move");
});

test("the page of a doc names the characters that its PDF shows as boxes", async () => {
  const here = await world();
  const visitor = await browser(here.app, here.owner.userId);
  const shown = async (body_md: string) => {
    const { data } = await here.owner.post("W/docs", { title: "Plan", body_md }).expect(201);
    return (await visitor.get(`${docsOf(here)}/${data.id}`)).text;
  };
  expect(await shown("ᠮᠣᠩᠭᠣᠯ")).toContain("A PDF shows boxes for Mongolian, because");
  expect(await shown("ไทย")).not.toContain("boxes");
});
