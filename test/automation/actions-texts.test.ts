import { expect, test } from "vitest";
import { ActionInput } from "../../src/domain/automation/actions/inputs.ts";
import { preview } from "../../src/domain/automation/actions/preview.ts";
import { markdown, plainText } from "../../src/domain/automation/actions/texts.ts";
import { drain } from "../support/jobs.ts";
import { leastCpu } from "../support/least.ts";
import { world } from "../support/world.ts";
import { apply, running } from "./acting.ts";

/** Values of strangers in the texts of actions stay text. */

test("a title can neither mention somebody nor add a link to a comment", async () => {
  const here = await world();
  const ada = await here.as({ role: "member" });
  const title = `Hi @[Ada](${ada.userId}) [now](https://evil.example) <b>x</b> ![i](https://evil.example/i.png) #WEB-1`;
  const issue = (await here.owner.post("P/issues", { title }).expect(201)).data;
  await apply(here, { type: "add_comment", comment: "About {{issue.title}}" }, issue.id, {
    values: { "issue.title": title },
  });
  const [comment] = (await here.owner.get(`P/issues/${issue.key}/comments`).expect(200)).data;
  expect(comment).toMatchObject({ mentions: [], author_id: here.owner.userId });
  expect(comment.body_html).not.toMatch(/<a |<b>|<img/);
  expect(comment.body_html).toContain("[now]");
  await drain();
  expect((await ada.get("W/notifications").expect(200)).data).toEqual([]);
});

test("the action's own text may mention people", async () => {
  const here = await world();
  const ada = await here.as({ role: "member" });
  const issue = (await here.owner.post("P/issues", { title: "One" }).expect(201)).data;
  await apply(here, { type: "add_comment", comment: `Look, @[Ada](${ada.userId})` }, issue.id);
  const [comment] = (await here.owner.get(`P/issues/${issue.key}/comments`).expect(200)).data;
  expect(comment.mentions).toEqual([{ id: ada.userId, kind: "user" }]);
});

test("long values are shortened, and a text that names them often takes no longer", () => {
  const long = running(null, { values: { "comment.body": "*".repeat(64_000), "issue.title": "y" } });
  const often = "{{comment.body}}".repeat(125);
  const text = markdown(often, long, 64_000);
  expect(leastCpu(() => markdown(often, long, 64_000))).toBeLessThan(50);
  expect(text.length).toBeLessThanOrEqual(64_000);
  expect(text).toMatch(/(?<!\\)(\\\\)*…$/);
  expect(plainText("{{comment.body}}", long, 255)).toHaveLength(255);
  expect(plainText("{{comment.body}}", long, 255)).toMatch(/…$/);
  expect(markdown("{{issue.title}}{{issue.key}}", long, 10)).toBe("y");
});

test("a comment with a body of 64 kB is stored", async () => {
  const here = await world();
  const issue = (await here.owner.post("P/issues", { title: "One" }).expect(201)).data;
  const values = { "comment.body": "<>".repeat(32_000) };
  await apply(here, { type: "add_comment", comment: "{{comment.body}}" }, issue.id, { values });
  const [comment] = (await here.owner.get(`P/issues/${issue.key}/comments`).expect(200)).data;
  expect(comment.body_md.length).toBeLessThanOrEqual(64_000);
  expect(await apply(here, { type: "add_comment", comment: "{{comment.body}}" }, issue.id)).toMatchObject([
    { result: "skipped" },
  ]);
});

test("the preview shows the texts as they would be sent, and says what would happen", () => {
  const known = running(null, { values: { "issue.title": "*A*", "issue.key": "WEB-1" } });
  const shown = (action: object) => preview(ActionInput.parse(action), known, { key: "WEB-1" });
  expect(shown({ type: "add_comment", comment: "{{issue.title}}" })).toEqual({
    type: "add_comment",
    issue_key: "WEB-1",
    summary: "Comment: \\*A\\*",
    action: { type: "add_comment", comment: "\\*A\\*", target: "self" },
  });
  expect(shown({ type: "create_issue", title: "On {{issue.title}}", link_kind: "blocks" })).toMatchObject({
    issue_key: null,
    summary: 'Create the issue "On *A*", linked to this one (blocks)',
    action: { issue: { title: "On *A*" } },
  });
  expect(shown({ type: "set_status", status: "done" }).summary).toBe("Set the status to done");
});
