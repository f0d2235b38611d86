import { expect, test } from "vitest";
import { browser } from "../support/browser.ts";
import { noBrowser } from "../support/browser-path.ts";
import { look } from "../support/chromium.ts";
import { servePublicly } from "../support/oauth.ts";
import { tabOf } from "../support/signed-in.ts";
import { world } from "../support/world.ts";

/** The page of an issue: what it shows. */

await servePublicly();

test("the page shows the issue with what belongs to it, and escapes what people wrote", async () => {
  const here = await world();
  const hostile = "<script>alert(1)</script>";
  const { data: epic } = await here.owner.post("P/issues", { title: "The epic", type: "epic" }).expect(201);
  const { data: sprint } = await here.owner.post("P/sprints", { name: `Sprint ${hostile}` }).expect(201);
  const { data: label } = await here.owner.post("P/labels", { name: `Label ${hostile}` }).expect(201);
  await here.owner
    .post("P/issues", {
      title: `Title ${hostile}`,
      description_md: `**Bold** ${hostile} [x](javascript:alert(1)) #WEB-1 ![shot](https://evil.test/x.png)\n\n|a|b|\n|--|:-:|\n|1|2|\n\n- [x] done\n\n<!-- hidden -->\n<details><summary>Log</summary>\n\n\`\`\`\n${"line of a log\n".repeat(2_000)}\`\`\`\n</details>`,
      epic: epic.key,
      sprint_id: sprint.id,
      labels: [label.id],
      assignee_ids: ["me"],
      story_points: 3,
      estimate_minutes: 90,
      due_at: "2026-01-01",
    })
    .expect(201);
  await here.owner.post("P/issues", { title: "A child", parent: "WEB-2", type: "subtask" }).expect(201);
  await here.owner.post("P/issues", { title: `Other ${hostile}` }).expect(201);
  await here.owner.post("P/issues/WEB-2/links", { kind: "blocks", direction: "in", target_key: "WEB-4" }).expect(201);
  const { data: comment } = await here.owner
    .post("P/issues/WEB-2/comments", { body_md: `Hello ${hostile} @[Olive](${here.owner.userId})` })
    .expect(201);
  await here.owner.post("P/issues/WEB-2/comments", { body_md: "A reply", parent_id: comment.id }).expect(201);

  const visitor = await browser(here.app, here.owner.userId);
  const page = await visitor.get(`/w/${here.workspace.slug}/p/web/WEB-2`);
  expect(page.status).toBe(200);
  expect(page.text).not.toContain("<script>alert");
  expect(page.text).not.toContain("hidden -->");
  expect(page.text).not.toMatch(/href="javascript:|style="/);
  for (const part of [
    "<strong>Bold</strong>",
    `<a href="https://evil.test/x.png" rel="nofollow noopener">shot</a>`,
    `<th class="center">b</th>`,
    "☑ done",
    "<details>\n<summary>Log</summary>",
    `<code>${"line of a log\n".repeat(2_000)}</code>`,
    "Olive Owner",
    "3 points",
    "1 h 30 min",
    "was due 1 Jan 2026",
    "A child",
    "Is blocked by",
    "Blocked",
    `id="comment-${comment.id}"`,
    `class="mention"`,
    "A reply",
    "created the issue",
  ]) {
    expect(page.text).toContain(part);
  }
  expect(page.text).toContain(`WEB-1">WEB-1</a>`);
  // By its id, too.
  const { data: issue } = await here.owner.get("P/issues/WEB-2").expect(200);
  expect((await visitor.get(`/w/${here.workspace.slug}/p/web/${issue.id}`)).status).toBe(200);
  expect((await visitor.get(new URL(issue.url).pathname)).status).toBe(200);
  expect((await visitor.get(`/w/${here.workspace.slug}/p/web/WEB-99`)).status).toBe(404);
  expect((await visitor.get(`/w/${here.workspace.slug}/p/web/nothing`)).status).toBe(404);
});

test("other tenants and people without the project find no page", async () => {
  const here = await world();
  const hidden = await here.hidden();
  await hidden.owner.post("P/issues", { title: "Secret" }).expect(201);
  const member = await here.as({ role: "member" });
  const path = `/w/${here.workspace.slug}/p/hid/HID-1`;
  expect((await (await browser(here.app, here.owner.userId)).get(path)).status).toBe(200);
  expect((await (await browser(here.app, member.userId)).get(path)).status).toBe(404);
  const other = await here.other();
  expect((await (await browser(here.app, other.owner.userId)).get(path)).status).toBe(404);
  const guest = await here.as({ role: "guest", projectRole: "viewer" });
  await here.owner.post("P/issues", { title: "For guests", assignee_ids: ["me"] }).expect(201);
  const seen = await (await browser(here.app, guest.userId)).get(`/w/${here.workspace.slug}/p/web/WEB-1`);
  expect(seen.status).toBe(200);
  expect(seen.text).toContain("Olive Owner");
});

test.skipIf(noBrowser)(`the issue in four looks${noBrowser}`, { timeout: 120_000 }, async () => {
  const here = await world();
  const word = "Donaudampfschifffahrt".repeat(6);
  await here.owner.post("P/issues", { title: "Checkout in one page", type: "epic" }).expect(201);
  const { data: sprint } = await here.owner.post("P/sprints", { name: "Sprint 12" }).expect(201);
  const { data: label } = await here.owner.post("P/labels", { name: word.slice(0, 50), color: "#7c3aed" }).expect(201);
  await here.owner
    .post("P/issues", {
      title: `Pay without an account, and ${word}`,
      type: "story",
      priority: "high",
      description_md: `As a customer I want to **pay** with my e-mail address alone.\n\n## Why\n\n> Half of all people leave at the account page.\n\n- [x] guest cart\n- [ ] order mail\n\n\`\`\`ts\nconst ${word} = await pay(cart);\n\`\`\`\n\n| Browser | Works |\n|---|---:|\n| Safari | yes |\n| ${word} | no |`,
      epic: "WEB-1",
      sprint_id: sprint.id,
      labels: [label.id],
      assignee_ids: ["me"],
      story_points: 5,
      estimate_minutes: 480,
      start_at: "2026-11-01",
      due_at: "2026-11-20",
    })
    .expect(201);
  for (const title of ["Guest cart survives a reload", "Order mail for guests"]) {
    await here.owner.post("P/issues", { title, parent: "WEB-2", type: "subtask" }).expect(201);
  }
  await here.owner.patch("P/issues/WEB-3", { status: "done" }).expect(200);
  await here.owner.post("P/issues", { title: "أول مشكلة في هذا المشروع", type: "bug" }).expect(201);
  await here.owner.post("P/issues/WEB-2/links", { kind: "blocks", direction: "in", target_key: "WEB-5" }).expect(201);
  const ada = await here.as({ role: "member", name: "Ada Lovelace" });
  const { data: comment } = await ada
    .post("P/issues/WEB-2/comments", { body_md: "Happens on **iOS 18**, too. See #WEB-5." })
    .expect(201);
  await here.owner.post("P/issues/WEB-2/comments", { body_md: "Thank you!", parent_id: comment.id }).expect(201);
  await ada.patch("P/issues/WEB-2", { status: "in_review", title: `Pay without an account: ${word}` }).expect(200);
  const page = await tabOf(here, here.owner);
  await page.goto(`${here.app.baseUrl}/w/${here.workspace.slug}/p/web/WEB-2`);
  await look(page, "issue");
});
