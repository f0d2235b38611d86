import { existsSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hashSecret } from "../../src/domain/kernel/secrets.ts";
import { renderMarkdown } from "../../src/domain/work/comments/markdown.ts";
import { plainMarkdown } from "../../src/domain/work/forms/plain-markdown.ts";
import { startWeb } from "../../src/start-web.ts";
import { app } from "../support/app.ts";
import { type Browser, browser, type Page } from "../support/browser.ts";
import { reachable } from "../support/files.ts";
import { drain } from "../support/jobs.ts";
import { startMailbox } from "../support/mailbox.ts";
import { type World, world } from "../support/world.ts";

/** The public pages of forms, used by people without scripts and by programs that break rules. */

const mailbox = await startMailbox();

// biome-ignore lint/suspicious/noExplicitAny: tests look into replies freely
type Json = any;

const TITLE = { kind: "short_text", label: "Summary", mapping: "title", required: true };

/** A published, public form, and where its page is. */
async function share(here: World, body: Json = {}): Promise<{ form: Json; path: string; browser: Browser }> {
  const all = { title: "Report a bug", status: "published", public_enabled: true, fields: [TITLE], ...body };
  const { data } = await here.owner.post("P/forms", all).expect(201);
  return { form: data, path: new URL(data.share_url).pathname, browser: await browser(here.app) };
}

/** The hidden values of a page, and its fields by their labels. */
function filled(form: Json, page: Page, answers: Record<string, string | string[]> = {}) {
  const hidden = [...page.text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [
    name,
    value,
  ]);
  const named = Object.entries(answers).map(([label, value]) => {
    const field = form.fields.find((one: Json) => one.label === label);
    return [field ? nameOf(form, field) : label, value];
  });
  return Object.fromEntries([...hidden, ...named]) as Record<string, string | string[]>;
}

const nameOf = (form: Json, field: Json) => `q${hashSecret(`${form.id} ${field.id}`).toString("hex").slice(0, 12)}`;

async function send(at: { form: Json; path: string; browser: Browser }, answers: Record<string, string | string[]>) {
  const page = await at.browser.get(at.path);
  return at.browser.post(at.path, filled(at.form, page, answers));
}

const issuesOf = async ({ owner }: World) => (await owner.get("P/issues?limit=100").expect(200)).data as Json[];
const submissionsOf = async ({ owner }: World, { id }: Json) =>
  (await owner.get(`P/forms/${id}/submissions?limit=100`).expect(200)).data as Json[];

test("what a stranger sends becomes a submission and an issue", async () => {
  const here = await world({ webhook: ["issue.created", "form.submitted"] });
  const { data: label } = await here.owner.post("P/labels", { name: "Outside" }).expect(201);
  const { data: own } = await here.owner.post("P/custom-field-defs", { name: "Area", kind: "text" }).expect(201);
  const at = await share(here, {
    issue_type: "bug",
    default_label_ids: [label.id],
    default_status_id: here.columns.Backlog,
    default_assignee_id: here.owner.userId,
    success_message: "We look into it.",
    fields: [
      TITLE,
      { kind: "long_text", label: "What happened?", mapping: "description" },
      { kind: "select", label: "How bad?", options: ["Low", "Urgent"], mapping: "priority" },
      { kind: "multi_select", label: "Where?", options: ["Web", "Phone", "Desk"] },
      { kind: "rating", label: "Mood" },
      { kind: "checkbox", label: "Again?" },
      { kind: "short_text", label: "Area", custom_field_id: own.id },
    ],
  });
  const page = await at.browser.get(at.path);
  expect(page.status).toBe(200);
  expect(page.headers.get("x-robots-tag")).toBe("noindex, nofollow");
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
  for (const secret of [here.workspace.id, here.project.id, at.form.id, here.owner.userId, here.owner.email, "Olive"]) {
    expect(page.text).not.toContain(secret);
  }

  const sent = await at.browser.post(
    at.path,
    filled(at.form, page, {
      Summary: "It  is\tbroken",
      "What happened?": "First *this*\r\nthen that",
      "How bad?": "Urgent",
      "Where?": ["Desk", "Web"],
      Mood: "4",
      Area: "Door",
    }),
  );
  expect(sent.status, sent.text).toBe(200);
  expect(sent.text).toContain("We look into it.");

  const [issue] = await issuesOf(here);
  expect(issue).toMatchObject({
    title: "It is broken",
    type: "bug",
    priority: "critical",
    status: "backlog",
    assignee_id: here.owner.userId,
    reporter_id: here.owner.userId,
    created_by: here.owner.userId,
    labels: [{ name: "Outside" }],
    custom_fields: { [own.id]: "Door" },
  });
  expect(issue.description_md).toBe(
    "First \\*this\\*\nthen that\n\n**Where?**\nWeb, Desk\n\n**Mood**\n4\n\n**Again?**\nNo".replace(
      "\n\n**Again?**\nNo",
      "",
    ),
  );
  const [submission] = await submissionsOf(here, at.form);
  const ids = Object.fromEntries(at.form.fields.map(({ label: name, id }: Json) => [name, id]));
  expect(submission).toEqual({
    id: expect.any(String),
    form_id: at.form.id,
    answers: {
      [ids.Summary]: "It is broken",
      [ids["What happened?"]]: "First *this*\nthen that",
      [ids["How bad?"]]: "Urgent",
      [ids["Where?"]]: ["Web", "Desk"],
      [ids.Mood]: 4,
      [ids.Area]: "Door",
    },
    submitter_email: null,
    submitter_user_id: null,
    source: "public",
    created_issue_id: issue.id,
    created_issue_key: issue.key,
    created_at: expect.any(String),
  });
  const { data: one } = await here.owner.get(`P/forms/${at.form.id}/submissions/${submission.id}`).expect(200);
  expect(one).toEqual(submission);
  await drain();
  const told = here.receiver.requests.map(({ body }: Json) => body);
  const events = told.map((body: Json) => (typeof body === "string" ? JSON.parse(body) : body));
  expect(events.map(({ type }: Json) => type).sort()).toEqual(["form.submitted", "issue.created"]);
  for (const event of events) expect(event.actor).toMatchObject({ id: at.form.id, kind: "form", name: "Report a bug" });
  expect(events.find(({ type }: Json) => type === "form.submitted").data).toEqual(submission);
});

test("a rejected form keeps its values, and each field shows its error", async () => {
  const here = await world();
  const at = await share(here, {
    fields: [
      TITLE,
      { kind: "email", label: "E-mail", required: true },
      { kind: "number", label: "Count", min_value: 2 },
      { kind: "radio", label: "Kind", options: ["A", "B"], required: true },
      { kind: "phone", label: "Phone" },
      { kind: "url", label: "Page" },
      { kind: "date", label: "Day" },
      { kind: "checkbox", label: "Sure?", required: true },
    ],
  });
  const refused = await send(at, {
    Summary: '"><script>alert(1)</script>',
    "E-mail": "nobody",
    Count: "1",
    Phone: "call me",
    Page: "javascript:alert(1)",
    Day: "2026-02-31",
  });
  expect(refused.status).toBe(400);
  expect(refused.text).not.toContain("<script>");
  expect(refused.text).toContain("&quot;&gt;&lt;script&gt;alert(1)&lt;");
  expect(refused.text).toContain("must be at least 2");
  const fields = at.form.fields as Json[];
  for (const field of fields.slice(1)) {
    const name = nameOf(at.form, field);
    expect(refused.text).toContain(`id="${name}-error"`);
    expect(refused.text).toContain(`href="#${name}"`);
  }
  expect(refused.text.match(/aria-invalid="true"/g)).toHaveLength(8);
  expect(await issuesOf(here)).toEqual([]);
  expect(await submissionsOf(here, at.form)).toEqual([]);
});

test("a field whose condition is not met is neither required nor stored", async () => {
  const here = await world();
  const at = await share(here, {
    fields: [
      { kind: "select", label: "Kind", options: ["Bug", "Idea"], required: true },
      {
        kind: "short_text",
        label: "Version",
        required: true,
        visibility_rule: { field: 0, op: "is", value: "bug" },
      },
      { kind: "short_text", label: "Build", required: true, visibility_rule: { field: 1, op: "is_set" } },
    ],
  });
  const page = await at.browser.get(at.path);
  expect(page.text).toContain("Only if “Kind” is “bug”");
  expect(page.text.match(/ required[ >]/g)).toHaveLength(1);
  expect((await send(at, { Kind: "Bug" })).status).toBe(400);
  expect((await send(at, { Kind: "Bug", Version: "1" })).status).toBe(400);
  expect((await send(at, { Kind: "Idea", Version: "left over", Build: "7" })).status).toBe(200);
  const [submission] = await submissionsOf(here, at.form);
  expect(Object.values(submission.answers)).toEqual(["Idea"]);
  expect((await issuesOf(here))[0].title).toBe("Report a bug #1");
});

test("answers inject nothing into the issue", async () => {
  const here = await world();
  const hostile = [
    `@[Olive](${here.owner.userId}) @olive #WEB-1`,
    "[x](https://evil.example) ![y](https://evil.example/z.png) <https://evil.example>",
    "https://evil.example www.evil.example evil.example mailto:a@evil.example //evil.example ftp://evil.example",
    "# Head\n> quote\n- list\n1. one\n```\ncode\n```\n    code\n| a | b |\n|---|---|\nTitle\n===\n---\n\\[x](y) &lt;b&gt; &#64;",
  ].join("\n");
  const at = await share(here, { fields: [TITLE, { kind: "long_text", label: "Text" }] });
  expect((await send(at, { Summary: "x", Text: hostile })).status).toBe(200);
  const [issue] = await issuesOf(here);
  const surroundings = { issueUrl: (key: string) => `https://muster.test/${key}`, nameOf: () => "Ada" };
  const shown = await renderMarkdown(issue.description_md, surroundings);
  expect(shown).not.toMatch(/<(a|img|span|h\d|blockquote|ul|ol|pre|code|table|hr)\b/);
  expect(shown).toContain("https://evil.example www.evil.example");
  expect(issue.description_md).not.toMatch(/@\[/);
  expect(plainMarkdown("Hello, it costs 3.50 - or so.")).toBe("Hello, it costs 3\\.50 - or so.");
});

test("a repeated submission creates nothing; a new one does", async () => {
  const here = await world();
  const at = await share(here, { response_limit: 2 });
  const page = await at.browser.get(at.path);
  const first = filled(at.form, page, { Summary: "Once" });
  const answers = await Promise.all([1, 2, 3, 4].map(() => at.browser.post(at.path, first)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await issuesOf(here)).toHaveLength(1);
  expect((await at.browser.post(at.path, { ...first, ...filled(at.form, page, { Summary: "Twice" }) })).status).toBe(
    200,
  );
  expect(await issuesOf(here)).toHaveLength(2);
  // Closed by its limit; who was the last to get in sees that again.
  expect((await at.browser.post(at.path, first)).status).toBe(200);
  const late = await at.browser.post(at.path, { ...first, once: "another" });
  expect(late.status).toBe(409);
  expect(late.text).toContain("does not accept answers");
  expect((await at.browser.get(at.path)).status).toBe(409);
  expect(await issuesOf(here)).toHaveLength(2);
});

test("of fifty concurrent submissions, a limit of ten accepts ten", async () => {
  const here = await world();
  const at = await share(here, { response_limit: 10 });
  const statuses = await Promise.all(
    Array.from({ length: 50 }, async (_, n) => (await send(at, { Summary: `Number ${n}` })).status),
  );
  expect(statuses.filter((status) => status === 200)).toHaveLength(10);
  expect(statuses.filter((status) => status === 409)).toHaveLength(40);
  expect(await issuesOf(here)).toHaveLength(10);
  expect(await submissionsOf(here, at.form)).toHaveLength(10);
  const { data: form } = await here.owner.get(`P/forms/${at.form.id}`).expect(200);
  expect(form).toMatchObject({ submission_count: 10, accepting: false });
});

test("one answer per address, even concurrently or if an earlier answer exists", async () => {
  const here = await world();
  const at = await share(here);
  await here.sql(
    `insert into form_submission (id, workspace_id, project_id, form_id, answers, submitter_email, source,
                                  one_per_email, confirmed, notified, created_at)
     values (gen_random_uuid(), $1, $2, $3, '{}', 'Early@example.com', 'public', false, false, false, now())`,
    [here.workspace.id, here.project.id, at.form.id],
  );
  await here.owner.patch(`P/forms/${at.form.id}`, { one_per_email: true }).expect(200);
  expect((await send(at, { Summary: "x" })).status).toBe(400);
  expect((await send(at, { Summary: "x", your_email: "early@EXAMPLE.com" })).status).toBe(409);
  const both = await Promise.all(
    ["ann@example.com", "Ann@example.com"].map((your_email) => send(at, { Summary: "x", your_email })),
  );
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await issuesOf(here)).toHaveLength(1);
});

test("the field for the address is shown as required if each address may answer once", async () => {
  const here = await world();
  const at = await share(here, { one_per_email: true, fields: [{ kind: "email", label: "E-mail" }] });
  const name = nameOf(at.form, at.form.fields[0]);
  const required = new RegExp(`id="${name}"[^>]* required`);
  expect((await at.browser.get(at.path)).text).toMatch(required);
  // A person who is signed in has an address.
  expect((await (await browser(here.app, here.owner.userId)).get(at.path)).text).not.toMatch(required);
  const refused = await send(at, {});
  expect(refused.status).toBe(400);
  expect(refused.text).toContain(`id="${name}-error"`);
});

test("the page is closed with the form, the link, the closing time or the project", async () => {
  const here = await world();
  const at = await share(here);
  const set = (body: Json) => here.owner.patch(`P/forms/${at.form.id}`, body).expect(200);
  const page = await at.browser.get(at.path);
  const sending = filled(at.form, page, { Summary: "Late" });
  const expectBoth = async (status: number) => {
    expect((await at.browser.get(at.path)).status).toBe(status);
    expect((await at.browser.post(at.path, sending)).status).toBe(status);
  };
  await set({ status: "draft" });
  await expectBoth(409);
  expect((await at.browser.get(at.path)).text).not.toContain("Report a bug");
  await set({ status: "published", close_at: "2020-01-01" });
  await expectBoth(409);
  await set({ close_at: null, public_enabled: false });
  await expectBoth(404);
  const { data: again } = await set({ public_enabled: true });
  expect(again.share_url).toBe(at.form.share_url);
  await here.owner.delete("P").expect(200);
  await expectBoth(409);
  await here.owner.post("P/restore").expect(200);
  const { data: rotated } = await here.owner.post(`P/forms/${at.form.id}/rotate-link`).expect(200);
  await expectBoth(404);
  at.path = new URL(rotated.share_url).pathname;
  expect((await at.browser.get(at.path)).status).toBe(200);
  await here.owner.delete(`P/forms/${at.form.id}`).expect(200);
  await expectBoth(404);
  expect(await issuesOf(here)).toEqual([]);
});

test("a password is requested first", async () => {
  const here = await world();
  const at = await share(here, { password: "open sesame" });
  const closed = await at.browser.get(at.path);
  expect(closed.text).not.toContain("Summary");
  expect((await at.browser.post(at.path, filled(at.form, closed, { Summary: "x" }))).text).toContain("password");
  const wrong = await at.browser.post(at.path, { step: "password", password: "open says me" });
  expect(wrong.status).toBe(403);
  expect(wrong.text).not.toContain("Summary");
  const inside = await at.browser.post(at.path, { step: "password", password: "open sesame" });
  expect(inside.status).toBe(200);
  const sending = filled(at.form, inside, { Summary: "x" });
  expect((await at.browser.post(at.path, { ...sending, pass: "v1.AAAA" })).text).toContain("password");
  await here.owner.patch(`P/forms/${at.form.id}`, { password: "another" }).expect(200);
  expect((await at.browser.post(at.path, sending)).text).toContain("has a password");
  expect(await issuesOf(here)).toEqual([]);
  await here.owner.patch(`P/forms/${at.form.id}`, { password: "open sesame" }).expect(200);
  const anew = await at.browser.post(at.path, { step: "password", password: "open sesame" });
  expect((await at.browser.post(at.path, filled(at.form, anew, { Summary: "x" }))).status).toBe(200);
  expect(await issuesOf(here)).toHaveLength(1);
  await here.owner.patch(`P/forms/${at.form.id}`, { password: " with spaces " }).expect(200);
  const spaced = await at.browser.post(at.path, { step: "password", password: " with spaces " });
  expect(spaced.status).toBe(200);
});

test("members sign in first, and answer under their own name", async () => {
  const here = await world();
  const member = await here.as({ role: "member", name: "Mia Member" });
  const outsider = (await here.other()).owner;
  const at = await share(here, { access_mode: "members" });
  const asked = await at.browser.get(at.path);
  expect(asked.status).toBe(401);
  expect(asked.text).not.toContain("Summary");
  expect(asked.text).toContain(`/sign-in?return_to=${encodeURIComponent(at.path)}`);
  expect((await (await browser(here.app, outsider.userId)).get(at.path)).status).toBe(403);

  const inside = { ...at, browser: await browser(here.app, member.userId) };
  const page = await inside.browser.get(at.path);
  const sending = filled(at.form, page, { Summary: "From inside" });
  const foreign = await inside.browser.post(at.path, sending, { origin: "https://evil.example" });
  expect(foreign.status).toBe(403);
  expect(await issuesOf(here)).toEqual([]);
  expect((await inside.browser.post(at.path, sending)).status).toBe(200);
  expect((await issuesOf(here))[0]).toMatchObject({ reporter_id: member.userId });
  expect((await submissionsOf(here, at.form))[0]).toMatchObject({
    submitter_user_id: member.userId,
    submitter_email: member.email,
  });
});

test("invited people sign in with the invited address", async () => {
  const here = await world();
  const guest = (await here.other()).owner;
  const at = await share(here, { access_mode: "invited", allowed_emails: [guest.email.toUpperCase()] });
  expect((await at.browser.get(at.path)).status).toBe(401);
  expect((await (await browser(here.app, here.owner.userId)).get(at.path)).status).toBe(403);
  expect((await send({ ...at, browser: await browser(here.app, guest.userId) }, { Summary: "x" })).status).toBe(200);
  // Not in the workspace, so the issue is in the name of whoever made the form.
  expect((await issuesOf(here))[0]).toMatchObject({ reporter_id: here.owner.userId });
  expect((await submissionsOf(here, at.form))[0]).toMatchObject({ submitter_email: guest.email });
});

test("deleted defaults are left out, and a creator who left is replaced", async () => {
  const here = await world();
  const maker = await here.as({ role: "admin" });
  const { data: label } = await here.owner.post("P/labels", { name: "Gone" }).expect(201);
  const { data: sprint } = await here.owner.post("P/sprints", { name: "Gone" }).expect(201);
  const { data: column } = await here.owner.post("P/statuses", { name: "Gone", category: "todo" }).expect(201);
  const { data: own } = await here.owner
    .post("P/custom-field-defs", { name: "Size", kind: "select", options: ["S", "M"] })
    .expect(201);
  const { data: form } = await maker
    .post("P/forms", {
      title: "Old form",
      status: "published",
      public_enabled: true,
      default_label_ids: [label.id],
      default_sprint_id: sprint.id,
      default_status_id: column.id,
      default_assignee_id: maker.userId,
      fields: [{ kind: "select", label: "Size", options: ["S", "M", "L"], custom_field_id: own.id }],
    })
    .expect(201);
  await here.owner.delete(`P/labels/${label.id}`).expect(200);
  await here.owner.delete(`P/sprints/${sprint.id}`).expect(200);
  await here.owner.delete(`P/statuses/${column.id}`).expect(200);
  await here.owner.delete(`W/members/${maker.userId}`).expect(200);
  // As if it had been set up in a browser. The keys of people who leave end, and their forms with them.
  await here.sql("update form set key_id = null, key_scopes = null where id = $1", [form.id]);
  await here.owner.patch("P", { wip_mode: "enforce" }).expect(200);
  await here.owner.patch(`P/statuses/${here.columns["To Do"]}`, { wip_limit: 1 }).expect(200);
  const at = { form, path: new URL(form.share_url).pathname, browser: await browser(here.app) };
  expect((await send(at, { Size: "M" })).status).toBe(200);
  expect((await send(at, { Size: "L" })).status).toBe(200);
  const [first, second] = await issuesOf(here);
  expect(first).toMatchObject({
    title: "Old form #1",
    labels: [],
    sprint_id: null,
    assignee_id: null,
    status_id: here.columns["To Do"],
    reporter_id: here.owner.userId,
    custom_fields: { [own.id]: "M" },
  });
  // The project's field does not know this size, so it is listed.
  expect(second).toMatchObject({ custom_fields: {}, description_md: "**Size**\nL" });
});

test("a bot that fills in every field is thanked and ignored", async () => {
  const here = await world();
  const at = await share(here);
  const thanked = await send(at, { Summary: "Buy this", leave_this_empty: "https://spam.example" });
  expect(thanked.status).toBe(200);
  expect(thanked.text).toContain("Thank you");
  expect(await issuesOf(here)).toEqual([]);
  expect(await submissionsOf(here, at.form)).toEqual([]);
});

test("the page redirects to the form's own address", async () => {
  const here = await world();
  const at = await share(here, { confirmation_mode: "redirect", redirect_url: "https://example.com/thanks?a=b" });
  const page = await at.browser.get(at.path);
  // That address may lead on to others, which browsers ask this page's policy about, too.
  expect(page.headers.get("content-security-policy")).toMatch(/form-action 'self' https:$/);
  const sent = await at.browser.post(at.path, filled(at.form, page, { Summary: "x" }));
  expect(sent.status).toBe(303);
  expect(sent.headers.get("location")).toBe("https://example.com/thanks?a=b");
});

test("the form's color never makes the page unreadable", async () => {
  const here = await world();
  const { form, path, browser: nobody } = await share(here, { accent_color: "#FFFF00" });
  expect(form.accent_color).toBe("#ffff00");
  const page = await nobody.get(path);
  const [, style] = /<style>(.*)<\/style>/.exec(page.text)!;
  expect(style).toContain("border-top:6px solid #ffff00");
  expect(style).not.toMatch(/^:root{--accent:#ffff00/);
  await here.owner.post("P/forms", { title: "x", accent_color: "red;}*{display:none" }).expect(400);
});

test("answers that exceed the size of custom fields are listed in the description", async () => {
  const here = await world();
  const names = Array.from({ length: 8 }, (_, n) => `Part ${n}`);
  const fields: Json[] = [];
  for (const label of names) {
    const { data: own } = await here.owner.post("P/custom-field-defs", { name: label, kind: "text" }).expect(201);
    fields.push({ kind: "long_text", label, max_length: 10_000, custom_field_id: own.id });
  }
  const at = await share(here, { fields });
  const sent = await send(at, Object.fromEntries(names.map((label) => [label, "é".repeat(9_000)])));
  expect(sent.status, sent.text.slice(0, 2_000)).toBe(200);
  const [issue] = await issuesOf(here);
  expect(Object.keys(issue.custom_fields)).toHaveLength(4);
  for (const label of names.slice(4)) expect(issue.description_md).toContain(`**${label}**`);
});

test("a checkbox that is checked by default is shown checked", async () => {
  const here = await world();
  const at = await share(here, { fields: [TITLE, { kind: "checkbox", label: "News", default_value: "yes" }] });
  expect((await at.browser.get(at.path)).text).toMatch(/type="checkbox"[^>]* checked/);
});

test("thousands of fields or files in one form are not read", async () => {
  const here = await world();
  const boxes = Array.from({ length: 45 }, (_, n) => ({
    kind: "multi_select",
    label: `Boxes ${n}`,
    options: Array.from({ length: 50 }, (_, option) => `Option ${option}`),
  }));
  const at = await share(here, { fields: [TITLE, { kind: "file", label: "Picture" }, ...boxes] });
  const post = (body: string, type: string) =>
    fetch(here.app.baseUrl + at.path, { method: "POST", body, headers: { "content-type": type, accept: "text/html" } });
  const [title, picture, ...others] = at.form.fields.map((field: Json) => nameOf(at.form, field));
  const many = await post(`${title}=x&${"a&".repeat(200_000)}`, "application/x-www-form-urlencoded");
  expect(many.status).toBe(400);
  expect(await many.text()).toContain("at most 12000 fields");

  const part = (name: string, value: string, more = "") =>
    `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
  // Every box of a large form, which a person may well tick.
  const ticked = others.flatMap((name: string, n: number) => boxes[n]!.options.map((option) => part(name, option)));
  const file = part(picture, "x", `; filename="x.txt"\r\nContent-Type: text/plain`);
  let open = 0;
  const count = (folder: string) => (existsSync(folder) ? readdirSync(folder).length : 0);
  const timer = setInterval(() => {
    open = Math.max(open, ...leftovers().map((name) => count(join(tmpdir(), name))));
  }, 2);
  const body = `${part(title, "All of it")}${file.repeat(3_000)}${ticked.join("")}--b--\r\n`;
  const sent = await post(body, "multipart/form-data; boundary=b");
  clearInterval(timer);
  expect(sent.status, (await sent.text()).slice(0, 3_000)).toBe(200);
  expect(open).toBeLessThanOrEqual(1);
  const [issue] = await issuesOf(here);
  expect(issue).toMatchObject({ title: "All of it", counts: { attachments: 1 } });
  const [submission] = await submissionsOf(here, at.form);
  expect(submission.answers[at.form.fields[46].id]).toHaveLength(50);
});

test("malformed bodies are refused and store nothing", async () => {
  const here = await world();
  const at = await share(here);
  const { baseUrl } = here.app;
  const post = (body: string | Uint8Array<ArrayBuffer>, type = "application/x-www-form-urlencoded") =>
    fetch(baseUrl + at.path, { method: "POST", body, headers: { "content-type": type, accept: "text/html" } });
  const page = await at.browser.get(at.path);
  const name = nameOf(at.form, at.form.fields[0]);
  const bodies: [string | Uint8Array<ArrayBuffer>, string?][] = [
    ["{}", "application/json"],
    ["x".repeat(1_100_000)],
    [""],
    ["&&&===%%%"],
    [`${name}=%00`],
    [`${name}=${"a".repeat(2_000)}`],
    [new Uint8Array([0xff, 0xfe, 0x3d, 0x80])],
    ["--x\r\n", "multipart/form-data; boundary=x"],
    ["--x\r\n", "multipart/form-data"],
    [`pass=${"v1.".padEnd(5_000, "A")}&once=${"o".repeat(5_000)}`],
    ["step=password&password=x"],
  ];
  for (const [body, type] of bodies) {
    const { status } = await post(body, type);
    expect(`${String(body).slice(0, 40)}: ${status}`).toMatch(/: (200|400|409|415)$/);
  }
  expect(page.status).toBe(200);
  expect(await issuesOf(here)).toEqual([]);
  for (const token of ["x", "%00", "%ff", "a".repeat(3_000)]) {
    const { status } = await fetch(`${baseUrl}/f/${token}`);
    expect(`${token.slice(0, 10)}: ${status}`).toMatch(/: (400|404|414)$/);
  }
});

test("one address can send a limited number of answers a minute", async () => {
  const here = await world();
  const at = await share(here);
  const { config } = await app();
  const web = await startWeb({ ...config, PUBLIC_FORMS_PER_MINUTE: 3, REDIS_PREFIX: `${config.REDIS_PREFIX}_few` });
  try {
    const limited = { ...at, browser: await browser({ ...here.app, baseUrl: `http://127.0.0.1:${web.port}` }) };
    const statuses: number[] = [];
    for (let n = 0; n < 4; n++) statuses.push((await send(limited, { Summary: `Number ${n}` })).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const refused = await send(limited, { Summary: "Kept words" });
    expect(refused.text).toContain("Kept words");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await issuesOf(here)).toHaveLength(3);
    const body = new FormData();
    body.append("x", new File([new Uint8Array(500_000)], "x"));
    const withFile = await fetch(`http://127.0.0.1:${web.port}${at.path}`, { method: "POST", body });
    expect(withFile.status).toBe(429);
  } finally {
    await web.stop();
  }
});

test("one address can open a limited number of pages a minute, existing or not", async () => {
  const at = await share(await world());
  const { config } = await app();
  const few = { ANONYMOUS_READS_PER_MINUTE: 2, REDIS_PREFIX: `${config.REDIS_PREFIX}_few_reads` };
  const web = await startWeb({ ...config, ...few });
  try {
    const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${web.port}${path}`)).status;
    expect(await statusOf(at.path)).toBe(200);
    // A process counts only once it has reached Redis.
    await expect.poll(() => statusOf("/f/unknown")).toBe(429);
    expect(await statusOf(at.path)).toBe(429);
  } finally {
    await web.stop();
  }
});

test("the creator is notified of answers and the sender gets a confirmation, both within limits", async () => {
  const here = await world();
  const at = await share(here, { notify_submission: true, confirmation_email: true, success_message: "Bis bald!" });
  const to = `ann@${here.workspace.slug}.test`;
  for (let n = 0; n < 5; n++) {
    expect((await send(at, { Summary: `Cheap pills ${n}`, your_email: to })).status).toBe(200);
  }
  expect((await send(at, { Summary: "No address" })).status).toBe(200);
  await drain();
  expect(mailbox.to(to)).toHaveLength(3);
  expect(mailbox.to(to)[0]!.text).toContain("Bis bald!");
  expect(mailbox.to(to)[0]!.text).not.toContain("pills");
  expect(mailbox.to(here.owner.email)).toHaveLength(6);
  const named = mailbox.to(here.owner.email).map(({ text }) => /WEB-\d/.exec(text)?.[0]);
  expect(named.sort()).toEqual(["WEB-1", "WEB-2", "WEB-3", "WEB-4", "WEB-5", "WEB-6"]);
  expect(await issuesOf(here)).toHaveLength(6);
});

test("several forms together send no more mail than their workspace may", async () => {
  const here = await world();
  const before = await share(here, { confirmation_email: true });
  await here.owner.delete(`P/forms/${before.form.id}`).expect(200);
  await here.sql(
    `insert into form_submission (id, workspace_id, project_id, form_id, answers, submitter_email, source,
                                  one_per_email, confirmed, notified, created_at)
     select gen_random_uuid(), $1, $2, $3, '{}', n || '@example.com', 'public', false, true, false, now()
     from generate_series(1, 499) n`,
    [here.workspace.id, here.project.id, before.form.id],
  );
  const at = await share(here, { confirmation_email: true });
  for (const name of ["ann", "bob"]) {
    const your_email = `${name}@${here.workspace.slug}.test`;
    expect((await send(at, { Summary: "x", your_email })).status).toBe(200);
  }
  await drain();
  expect(mailbox.to(`ann@${here.workspace.slug}.test`)).toHaveLength(1);
  expect(mailbox.to(`bob@${here.workspace.slug}.test`)).toHaveLength(0);
});

/** Sends a page with files as a browser does. */
async function sendFiles(
  at: { form: Json; path: string; browser: Browser },
  answers: Record<string, string>,
  files: Record<string, File>,
) {
  const { baseUrl } = await app();
  const page = await at.browser.get(at.path);
  const body = new FormData();
  for (const [name, value] of Object.entries(filled(at.form, page, answers))) body.append(name, String(value));
  for (const field of at.form.fields.filter(({ kind }: Json) => kind === "file")) {
    body.append(nameOf(at.form, field), files[field.label] ?? new File([], ""));
  }
  const headers = { accept: "text/html", origin: baseUrl };
  const reply = await fetch(baseUrl + at.path, { method: "POST", body, headers, redirect: "manual" });
  return { status: reply.status, text: await reply.text() };
}

/** Files of other tests come and go meanwhile. */
const expectNoLeftovers = (before: string[]) =>
  expect.poll(() => leftovers().filter((name) => !before.includes(name))).toEqual([]);
const leftovers = () => readdirSync(tmpdir()).filter((name) => name.startsWith("muster-form-"));

test("a file becomes an attachment of the issue", async () => {
  const here = await world();
  const at = await share(here, {
    fields: [
      TITLE,
      { kind: "file", label: "Picture", required: true },
      { kind: "file", label: "Another" },
      { kind: "file", label: "Hidden", visibility_rule: { field: 0, op: "is", value: "never" } },
    ],
  });
  const before = leftovers();
  const picture = new File(["some bytes"], "..\\up/Bild \u202e😀.png", { type: "image/png" });
  const hidden = new File(["unseen"], "unseen.txt", { type: "text/plain" });
  const missing = await sendFiles(at, { Summary: "x" }, {});
  expect(missing.status).toBe(400);
  expect(missing.text).toContain("Is required.");
  const sent = await sendFiles(at, { Summary: "With a file" }, { Picture: picture, Hidden: hidden });
  expect(sent.status, sent.text).toBe(200);

  const [issue] = await issuesOf(here);
  expect(issue.counts.attachments).toBe(1);
  const { data: attachments } = await here.owner.get(`P/issues/${issue.key}/attachments`).expect(200);
  expect(attachments).toMatchObject([
    { file_name: "Bild 😀.png", mime: "image/png", byte_size: 10, uploader_id: here.owner.userId },
  ]);
  const downloaded = await fetch(await reachable(attachments[0].url));
  expect(await downloaded.text()).toBe("some bytes");
  const [submission] = await submissionsOf(here, at.form);
  expect(submission.answers[at.form.fields[1].id]).toEqual({
    attachment_id: attachments[0].id,
    file_name: "Bild 😀.png",
    byte_size: 10,
  });
  expect(Object.keys(submission.answers)).toHaveLength(2);
  expect(await here.sql(`select used_bytes from storage_account where workspace_id = $1`, [here.workspace.id])).toEqual(
    [{ used_bytes: 10 }],
  );
  await expectNoLeftovers(before);
});

test("files that are too large or exceed the storage limit leave nothing behind", async () => {
  const here = await world({ plan: "free" });
  const at = await share(here, { fields: [TITLE, { kind: "file", label: "Picture" }] });
  const before = leftovers();
  const large = new File([new Uint8Array(1024 * 1024 + 1)], "large.bin");
  const refused = await sendFiles(at, { Summary: "Kept words" }, { Picture: large });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain("Must have at most 1 MiB.");
  expect(refused.text).toContain("Kept words");
  const huge = await sendFiles(at, { Summary: "x" }, { Picture: new File([new Uint8Array(6 * 1024 * 1024)], "huge") });
  expect(huge.status).toBe(400);
  expect((await sendFiles(at, { Summary: "x" }, { Picture: new File([], "empty.txt") })).status).toBe(400);

  const kept = `select from stored_object where workspace_id = $1 and remove_after is null`;
  await here.sql(`insert into storage_account (workspace_id, used_bytes) values ($1, $2)`, [
    here.workspace.id,
    128 * 1024 * 1024 - 5,
  ]);
  const full = await sendFiles(at, { Summary: "x" }, { Picture: new File(["0123456789"], "ten.txt") });
  expect(full.status).toBe(400);
  expect(full.text).toContain("no storage left");
  const due = `select from stored_object where workspace_id = $1 and remove_after <= now()`;
  expect(await here.sql(due, [here.workspace.id])).toHaveLength(1);
  expect((await sendFiles(at, { Summary: "x" }, { Picture: new File(["01234"], "five.txt") })).status).toBe(200);
  expect(await here.sql(kept, [here.workspace.id])).toHaveLength(1);
  expect(await issuesOf(here)).toHaveLength(1);
  await expectNoLeftovers(before);
});

test("malformed forms with files are refused, and files that were not requested are dropped", async () => {
  const here = await world();
  const at = await share(here, { fields: [TITLE, { kind: "file", label: "Picture" }] });
  const plain = await share(here);
  const before = leftovers();
  const type = "multipart/form-data; boundary=b";
  const name = nameOf(at.form, at.form.fields[1]);
  const part = (head: string, body: string) => `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`;
  const bodies = [
    "",
    "--b",
    "--b--\r\n",
    part(`name="${name}"; filename="x"`, "no end"),
    `${part(`name="${nameOf(at.form, at.form.fields[0])}"`, "x\0y")}--b--\r\n`,
    `${part(`name="__proto__"`, "x")}${part(`name="constructor"`, "x")}--b--\r\n`,
    `${part(`name="${name}"; filename="a"\r\nContent-Type: ${"x".repeat(2_000)}`, "x")}--b--\r\n`,
    part(`name="${"n".repeat(20_000)}"`, "x").repeat(5),
    `${part(`name="x"`, "y").repeat(5_000)}--b--\r\n`,
  ];
  for (const body of bodies) {
    const { status } = await fetch(here.app.baseUrl + at.path, {
      method: "POST",
      body,
      headers: { "content-type": type, accept: "text/html" },
    });
    expect(`${body.slice(0, 60)}: ${status}`).toMatch(/: (200|400)$/);
  }
  expect((await issuesOf(here)).map(({ title }) => title)).toEqual(["xy"]);
  const dropped = await sendFiles(
    { ...plain, form: { ...plain.form, fields: [...plain.form.fields, { id: "x", kind: "file", label: "None" }] } },
    { Summary: "Without" },
    { None: new File(["x"], "x.txt") },
  );
  expect(dropped.status).toBe(200);
  expect((await issuesOf(here)).map(({ counts }) => counts.attachments)).toEqual([0, 0]);
  await expectNoLeftovers(before);
});
