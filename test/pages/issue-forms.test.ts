import { expect, test } from "vitest";
import { browser } from "../support/browser.ts";
import { noBrowser } from "../support/browser-path.ts";
import { look } from "../support/chromium.ts";
import { servePublicly } from "../support/oauth.ts";
import { open, sendForm } from "../support/page-forms.ts";
import { tabOf } from "../support/signed-in.ts";
import { type World, world } from "../support/world.ts";

/** The forms of an issue's page. */

await servePublicly();

async function withIssue() {
  const here = await world();
  const { data: issue } = await here.owner.post("P/issues", { title: "First" }).expect(201);
  const path = `/w/${here.workspace.slug}/p/web/WEB-1`;
  return { here, path, issue, visitor: await browser(here.app, here.owner.userId) };
}
const stored = async (here: World) => (await here.owner.get("P/issues/WEB-1").expect(200)).data;

test("who cannot see the project is not offered as an assignee", async () => {
  const { here, path, visitor } = await withIssue();
  const { owner } = here;
  const member = await here.as({ role: "member", name: "Ada Lovelace" });
  await here.as({ role: "guest", name: "Gus Guest" });
  const shown = async (at: string) => (await visitor.get(at)).text;
  for (const at of [`${path}?edit=assignees`, path.replace(/WEB-1$/, "new")]) {
    expect(await shown(at)).toContain("Ada Lovelace");
    expect(await shown(at)).not.toContain("Gus Guest");
  }
  await owner.patch("P", { scoped: true }).expect(200);
  expect(await shown(`${path}?edit=assignees`)).not.toContain("Ada Lovelace");
  await owner.post("P/members", { user_id: member.userId, role: "member" }).expect(201);
  for (const at of [`${path}?edit=assignees`, path.replace(/WEB-1$/, "new")])
    expect(await shown(at)).toContain("Ada Lovelace");
});

test("a comment is changed as it was typed, and mentions the same people", async () => {
  const { here, path, visitor } = await withIssue();
  const ada = await here.as({ role: "member", name: "Ada Lovelace" });
  // Two have the name: what is stored says which of them is meant.
  await here.as({ role: "member", name: "Ada Lovelace" });
  const body_md = `Ask @[Ada Lovelace](${ada.userId})`;
  const { data } = await here.owner.post("P/issues/WEB-1/comments", { body_md }).expect(201);
  const page = await visitor.get(`${path}?comment=${data.id}`);
  expect(page.text).toMatch(/<textarea[^>]*>\nAsk @Ada Lovelace<\/textarea>/);
  const form = { id: data.id, mentions_was: JSON.stringify([[ada.userId, "Ada Lovelace"]]) };
  await visitor.post(`${path}/comment-change`, { ...form, body_md: "Do ask @Ada Lovelace" });
  const { data: all } = await here.owner.get("P/issues/WEB-1/comments").expect(200);
  expect(all[0].body_md).toBe(`Do ask @[Ada Lovelace](${ada.userId})`);
  for (const spoiled of ["[", "{}", '[["x","y"],7]'])
    expect(
      (await visitor.post(`${path}/comment-change`, { ...form, mentions_was: spoiled, body_md: "x" })).status,
    ).toBe(303);
});

test("a form that is sent after signing out keeps what was typed", async () => {
  const { here, path, visitor } = await withIssue();
  const out = await browser(here.app);
  const typed = { once: "one", body_md: "A long <b>thought</b>\r\nin two lines" };
  const { status, text } = await out.post(`${path}/comment`, typed);
  expect(status).toBe(401);
  expect(text).toContain("You were signed out");
  expect(text).toContain("A long &lt;b&gt;thought&lt;");
  expect(text).not.toContain("First");
  expect(text.replaceAll("&#x2F;", "/")).toContain(`action="${path}/comment"`);
  expect((await visitor.post(`${path}/comment`, typed)).status).toBe(303);
  const long = await out.post(`${path}/comment`, { body_md: "<".repeat(60_000) });
  expect(long.status).toBe(401);
  expect(long.text.length).toBeLessThan(300_000);
  // Anybody can send it, and what is kept is escaped.
  expect((await out.post(`${path}/comment`, { body_md: "<".repeat(90_000) })).text).not.toContain(
    "You were signed out",
  );
  const foreign = await out.post(`${path}/comment`, typed, { origin: "https://evil.test" });
  expect(foreign.status).toBe(403);
  expect(foreign.text).not.toContain("thought");
});

test("each fact has a form that changes it", async () => {
  const { here, path, visitor } = await withIssue();
  const { owner } = here;
  await owner.post("P/issues", { title: "Epic", type: "epic" }).expect(201);
  await owner.post("P/issues", { title: "Parent", type: "story" }).expect(201);
  const ada = await here.as({ role: "member", name: "Ada Lovelace" });
  const bot = await here.as({ role: "member", name: "Bot", isAgent: true });
  const { data: label } = await owner.post("P/labels", { name: "backend" }).expect(201);
  const { data: sprint } = await owner.post("P/sprints", { name: "Sprint 1" }).expect(201);
  const { data: milestone } = await owner.post("P/milestones", { name: "Beta" }).expect(201);
  const { data: release } = await owner.post("P/releases", { name: "1.0" }).expect(201);
  const field = async (name: string, kind: string, more: object = {}) =>
    (await owner.post("P/custom-field-defs", { name, kind, ...more }).expect(201)).data.id as string;
  const fields = {
    text: await field("Customer", "text"),
    number: await field("Size", "number"),
    choice: await field("Severity", "select", { options: ["Low", "High"] }),
    several: await field("Browsers", "multi_select", { options: ["Safari", "Firefox"] }),
    date: await field("Promised", "date"),
    box: await field("Public", "checkbox"),
    link: await field("Ticket", "url"),
    person: await field("Tester", "user"),
  };

  const changes: [name: string, typed: Record<string, string | string[]>, result: object][] = [
    ["title", { title: "Second" }, { title: "Second" }],
    ["description", { description_md: "One\r\n\r\nTwo" }, { description_md: "One\n\nTwo" }],
    ["status", { status_id: here.columns["In Progress"]! }, { status_name: "In Progress" }],
    [
      "assignees",
      { assignee_ids: [ada.userId, bot.userId] },
      { assignees: expect.arrayContaining([ada.userId, bot.userId]) },
    ],
    ["assignees", { assignee_ids: [bot.userId] }, { assignees: [bot.userId] }],
    ["priority", { priority: "critical" }, { priority: "critical" }],
    ["type", { type: "story" }, { type: "story" }],
    ["type", { type: "task" }, { type: "task" }],
    ["labels", { labels: [label.id] }, { labels: [expect.objectContaining({ name: "backend" })] }],
    ["sprint", { sprint_id: sprint.id }, { sprint_id: sprint.id }],
    ["milestone", { milestone_id: milestone.id }, { milestone_id: milestone.id }],
    ["release", { release_id: release.id }, { release_id: release.id }],
    ["epic", { epic: "WEB-2" }, { epic_key: "WEB-2" }],
    ["epic", { epic: "" }, { epic_key: null }],
    ["start", { start_at: "2030-01-01" }, { start_at: "2030-01-01T00:00:00.000Z" }],
    ["due", { due_at: "2030-01-31" }, { due_at: "2030-01-31T00:00:00.000Z" }],
    ["points", { story_points: "5" }, { story_points: 5 }],
    ["points", { story_points: "" }, { story_points: null }],
    ["estimate", { estimate_minutes: "3 h 30 min" }, { estimate_minutes: 210 }],
    ["completion", { completion_pct: "40" }, { completion_pct: 40 }],
    ["reporter", { reporter: ada.userId }, { reporter_id: ada.userId }],
    ["external", { external_source: "jira", external_id: "A-1" }, { external_source: "jira", external_id: "A-1" }],
    [`field-${fields.text}`, { value: "Acme" }, { custom_fields: { [fields.text]: "Acme" } }],
    [`field-${fields.text}`, { value: "" }, { custom_fields: {} }],
    [`field-${fields.number}`, { value: "2,5" }, { custom_fields: { [fields.number]: 2.5 } }],
    [
      `field-${fields.choice}`,
      { value: "High" },
      { custom_fields: expect.objectContaining({ [fields.choice]: "High" }) },
    ],
    [
      `field-${fields.several}`,
      { value: ["Safari"] },
      { custom_fields: expect.objectContaining({ [fields.several]: ["Safari"] }) },
    ],
    [
      `field-${fields.date}`,
      { value: "2030-02-01" },
      { custom_fields: expect.objectContaining({ [fields.date]: "2030-02-01" }) },
    ],
    [`field-${fields.box}`, { value: "true" }, { custom_fields: expect.objectContaining({ [fields.box]: true }) }],
    [
      `field-${fields.link}`,
      { value: "https://git.test/1" },
      { custom_fields: expect.objectContaining({ [fields.link]: "https://git.test/1" }) },
    ],
    [
      `field-${fields.person}`,
      { value: ada.userId },
      { custom_fields: expect.objectContaining({ [fields.person]: ada.userId }) },
    ],
  ];
  for (const [name, values, result] of changes) {
    const page = await open(visitor, `${path}?edit=${name}`);
    const after = await sendForm(visitor, page, { field: name, ...values });
    expect(after.status, `${name}: ${after.text}`).toBe(200);
    expect(after.text).toContain(": saved.");
    expect(await stored(here), name).toMatchObject(result);
  }
  const shown = await open(visitor, path);
  for (const text of [
    "Ada Lovelace",
    "backend",
    "Sprint 1",
    "Beta",
    "3 h 30 min",
    "40 %",
    "jira · A-1",
    "High",
    "Safari",
  ]) {
    expect(shown.text).toContain(text);
  }
});

test("texts may be as long as the API takes them, in every script", async () => {
  const { here, path, visitor } = await withIssue();
  const description_md = "漢".repeat(65_536);
  const page = await open(visitor, `${path}?edit=description`);
  expect((await sendForm(visitor, page, { field: "description", description_md })).text).toContain(": saved.");
  expect((await stored(here)).description_md).toBe(description_md);
  const body_md = "漢".repeat(64_000);
  expect((await visitor.post(`${path}/comment`, { body_md })).status).toBe(303);
});

test("a refused form shows what was typed, and why; what somebody else changed is shown, not overwritten", async () => {
  const { here, path, visitor } = await withIssue();
  const points = await open(visitor, `${path}?edit=points`);
  const refused = await sendForm(visitor, points, { field: "points", story_points: "-7" });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain(`value="-7"`);
  expect(refused.text).toContain("That did not work");

  const page = await open(visitor, `${path}?edit=title`);
  const ada = await here.as({ role: "member", name: "Ada Lovelace" });
  // Another thing of the issue: no conflict.
  await ada.patch("P/issues/WEB-1", { priority: "high" }).expect(200);
  await ada.patch("P/issues/WEB-1", { title: "Theirs" }).expect(200);
  const conflict = await sendForm(visitor, page, { field: "title", title: "Mine" });
  expect(conflict.status).toBe(409);
  expect(conflict.text).toContain("Ada Lovelace changed this");
  expect(conflict.text).toContain("Theirs");
  expect(conflict.text).toContain(`value="Mine"`);
  expect((await stored(here)).title).toBe("Theirs");
  const saved = await sendForm(visitor, conflict, { field: "title", title: "Mine" });
  expect(saved.status).toBe(200);
  expect(await stored(here)).toMatchObject({ title: "Mine", priority: "high" });

  const other = await open(visitor, `${path}?edit=title`);
  await ada.patch("P/issues/WEB-1", { priority: "low" }).expect(200);
  expect((await sendForm(visitor, other, { field: "title", title: "Mine again" })).status).toBe(200);
  expect(await stored(here)).toMatchObject({ title: "Mine again", priority: "low" });
});

test("comments are written, answered, changed and deleted; one sent twice is stored once", async () => {
  const { here, path, visitor } = await withIssue();
  const page = await open(visitor, path);
  const after = await sendForm(visitor, page, { body_md: "<a>Hello</a> **all**" });
  expect(after.text).toContain("&lt;a&gt;Hello&lt;/a&gt; <strong>all</strong>");
  await sendForm(visitor, page, { body_md: "<a>Hello</a> **all**" });
  const comments = async () => (await here.owner.get("P/issues/WEB-1/comments").expect(200)).data;
  expect(await comments()).toHaveLength(1);
  const [{ id }] = await comments();

  const replying = await open(visitor, `${path}?reply=${id}`);
  await sendForm(visitor, replying, { "open-reply": id, body_md: "An answer" });
  expect((await comments()).at(-1)).toMatchObject({ parent_id: id, body_md: "An answer" });

  const changing = await open(visitor, `${path}?comment=${id}`);
  await here.owner.patch(`P/issues/WEB-1/comments/${id}`, { body_md: "By another window" }).expect(200);
  const conflict = await sendForm(visitor, changing, { "open-comment": id, body_md: "Mine" });
  expect(conflict.status).toBe(412);
  expect(conflict.text).toContain("By another window");
  expect(conflict.text).toContain("Mine</textarea>");
  await sendForm(visitor, conflict, { "open-comment": id, body_md: "Mine" });
  expect((await comments())[0].body_md).toBe("Mine");

  await visitor.post(`${path}/comment-delete`, { id });
  expect((await comments())[0]).toMatchObject({ id, body_md: "" });
  expect((await visitor.post(`${path}/comment`, { body_md: " " })).status).toBe(400);
});

test("links, children, watching and archiving", async () => {
  const { here, path, visitor } = await withIssue();
  await here.owner.post("P/issues", { title: "Other" }).expect(201);
  const linked = await sendForm(visitor, await open(visitor, path), { relation: "blocks:in", target_key: "WEB-2" });
  expect(linked.text).toContain("Is blocked by");
  const refused = await sendForm(visitor, linked, { relation: "blocks:in", target_key: "WEB-99" });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain(`value="WEB-99"`);
  const [link] = (await here.owner.get("P/issues/WEB-1/links").expect(200)).data;
  await visitor.post(`${path}/link-delete`, { id: link.id });
  expect((await stored(here)).is_blocked).toBe(false);

  const child = await sendForm(visitor, await open(visitor, path), { belongs: "parent", title: "A step" });
  expect(child.text).toContain("WEB-3 is created.");
  expect((await stored(here)).children.total).toBe(1);

  await visitor.post(`${path}/unwatch`, { user_id: here.owner.userId });
  expect((await stored(here)).counts.watchers).toBe(0);
  await visitor.post(`${path}/watch`);
  expect((await stored(here)).counts.watchers).toBe(1);

  await visitor.post(`${path}/archive`);
  const archived = await open(visitor, path);
  expect(archived.text).toContain("This issue is archived");
  expect(archived.text).not.toContain("?edit=");
  await visitor.post(`${path}/restore`);
  expect((await stored(here)).archived_at).toBe(null);
});

test("viewers see no forms and change nothing; other tenants find nothing to change", async () => {
  const { here, path } = await withIssue();
  const viewer = await browser(here.app, (await here.as({ role: "viewer" })).userId);
  const page = await viewer.get(path);
  expect(page.text).not.toMatch(/\?edit=|\/comment"|\/archive"|\/link"/);
  expect((await viewer.get(`${path}?edit=title`)).text).not.toContain("edit-form");
  const forms: [string, Record<string, string>][] = [
    ["comment", { body_md: "No" }],
    ["link", { relation: "blocks:in", target_key: "WEB-1" }],
    ["child", { belongs: "parent", title: "No" }],
    ["archive", {}],
  ];
  for (const [name, values] of forms) expect((await viewer.post(`${path}/${name}`, values)).status, name).toBe(403);
  const stranger = await browser(here.app, (await here.other()).owner.userId);
  for (const [name, values] of [...forms, ["change", { field: "title", title: "No" }] as const]) {
    expect((await stranger.post(`${path}/${name}`, values)).status, name).toBe(404);
  }
  expect(await stored(here)).toMatchObject({ title: "First", archived_at: null });
});

test.skipIf(noBrowser)(`open forms in four looks${noBrowser}`, { timeout: 120_000 }, async () => {
  const { here, path, visitor } = await withIssue();
  const ada = await here.as({ role: "member", name: "Ada Lovelace" });
  const { data: comment } = await ada.post("P/issues/WEB-1/comments", { body_md: "Which browsers?" }).expect(201);
  const page = await tabOf(here, here.owner);
  await page.goto(`${here.app.baseUrl}${path}?edit=assignees&reply=${comment.id}`);
  await look(page, "issue-assignees");
  await page.goto(`${here.app.baseUrl}${path}?edit=description&comment=${comment.id}`);
  await look(page, "issue-description");
  const editing = await open(visitor, `${path}?edit=title`);
  await ada.patch("P/issues/WEB-1", { title: "Theirs" }).expect(200);
  const conflict = await sendForm(visitor, editing, { field: "title", title: "Mine" });
  const base = `<base href="${here.app.baseUrl}">`;
  await page.goto(`${here.app.baseUrl}${path}`);
  await page.setContent(conflict.text.replace("<head>", `<head>${base}`));
  await look(page, "issue-conflict");
});

test("a comment, a description and a message mention people by name", async () => {
  const { here, path, visitor } = await withIssue();
  const ada = await here.as({ role: "member", name: "Ada Lovelace" });
  await sendForm(visitor, await open(visitor, path), { body_md: "@Ada, please look" });
  const [comment] = (await here.owner.get("P/issues/WEB-1/comments").expect(200)).data;
  expect(comment.mentions).toMatchObject([{ id: ada.userId }]);
  expect(comment.body_md).toBe(`@[Ada Lovelace](${ada.userId}), please look`);
  const asked = await open(visitor, `${path}?edit=description`);
  await sendForm(visitor, asked, { description_md: "For @Ada Lovelace." });
  expect((await stored(here)).description_md).toBe(`For @[Ada Lovelace](${ada.userId}).`);
  const { data: channel } = await here.owner.post("W/chat/channels", { name: "General" }).expect(201);
  const chat = `/w/${here.workspace.slug}/chat/${channel.id}`;
  await sendForm(visitor, await open(visitor, chat), { body_md: "Hello @ada" });
  const [message] = (await here.owner.get(`W/chat/channels/${channel.id}/messages`).expect(200)).data;
  expect(message.body_md).toBe(`Hello @[Ada Lovelace](${ada.userId})`);
});
