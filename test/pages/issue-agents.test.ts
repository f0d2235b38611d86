import { glob, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { type Line, SENTENCES, sentence } from "../../src/api/pages/issue/sentences.ts";
import { browser } from "../support/browser.ts";
import { noBrowser } from "../support/browser-path.ts";
import { look } from "../support/chromium.ts";
import { servePublicly } from "../support/oauth.ts";
import { open, sendForm } from "../support/page-forms.ts";
import { tabOf } from "../support/signed-in.ts";
import { world } from "../support/world.ts";

/** Agents and workflows on an issue's page, and its history in words. */

await servePublicly();

async function withSession() {
  const here = await world();
  await here.owner.post("P/issues", { title: "First" }).expect(201);
  const bot = await here.as({ role: "member", name: "Fix <b>bot</b>", isAgent: true, kind: "agent" });
  const { data: session } = await bot.post("W/agent-sessions", { title: "Fix it", issue_key: "WEB-1" }).expect(201);
  const report = (body: object) => bot.patch(`W/agent-sessions/${session.id}`, body).expect(200);
  const path = `/w/${here.workspace.slug}/p/web/WEB-1`;
  return { here, bot, session, report, path, visitor: await browser(here.app, here.owner.userId) };
}

const ASKS = {
  state: "needs_input",
  note: "Reading <i>code</i>",
  question: { text: "Which browsers?", options: ["Safari only", "All"] },
  plan: [
    { text: "Read the code", status: "completed" },
    { text: "Write a test", status: "in_progress" },
    { text: "Fix it", status: "pending" },
  ],
};

test("people see what an agent does, answer its question, accept its result and cancel it", async () => {
  const { here, report, path, visitor, session, bot } = await withSession();
  await report(ASKS);
  const page = await open(visitor, path);
  for (const text of [
    "Fix &lt;b&gt;bot",
    "Asks a question",
    "Which browsers?",
    "Write a test",
    "1 of 3 steps",
    'aria-label="In progress"',
    "Reading &lt;i&gt;",
  ]) {
    expect(page.text).toContain(text);
  }
  const answered = await sendForm(visitor, page, { session: session.id, body_md: "All" });
  expect(answered.text).toContain("Your answer is on its way");
  expect((await here.owner.get("P/issues/WEB-1/comments").expect(200)).data[0].body_md).toBe("All");

  await report({ state: "review", external_url: "https://git.test/pull/7", summary: "**Fixed**" });
  const review = await open(visitor, path);
  expect(review.text).toContain("Ready for review");
  expect(review.text).toContain("<strong>Fixed</strong>");
  await visitor.post(`${path}/session-done`, { session: session.id });
  expect((await here.owner.get(`W/agent-sessions/${session.id}`).expect(200)).data.state).toBe("done");
  expect((await open(visitor, path)).text).toContain("Earlier work of agents");

  const { data: second } = await bot.post("W/agent-sessions", { title: "Again", issue_key: "WEB-1" }).expect(201);
  const viewer = await browser(here.app, (await here.as({ role: "viewer" })).userId);
  expect((await viewer.post(`${path}/session-cancel`, { session: second.id })).status).toBe(403);
  await visitor.post(`${path}/session-cancel`, { session: second.id });
  expect((await here.owner.get(`W/agent-sessions/${second.id}`).expect(200)).data.state).toBe("cancelled");
});

const GRAPH = {
  nodes: [
    { id: "start", kind: "start" },
    { id: "review", kind: "person", label: "Review", config: { instructions: "Read the change." } },
    { id: "end", kind: "end" },
  ],
  edges: [
    { id: "e1", source_node_id: "start", target_node_id: "review" },
    { id: "e2", source_node_id: "review", target_node_id: "end" },
  ],
};

async function withWorkflow() {
  const here = await world();
  await here.owner.post("P/issues", { title: "First" }).expect(201);
  const { data: workflow } = await here.owner.post("W/workflows", { name: "Review & release", ...GRAPH }).expect(201);
  await here.owner.patch(`W/workflows/${workflow.id}`, { status: "enabled" }).expect(200);
  const path = `/w/${here.workspace.slug}/p/web/WEB-1`;
  return { here, path, workflow, visitor: await browser(here.app, here.owner.userId) };
}

test("people start a workflow, see its picture, and complete its stages", async () => {
  const { here, path, workflow, visitor } = await withWorkflow();
  const starting = await open(visitor, `${path}?edit=workflow`);
  const started = await sendForm(visitor, starting, { workflow_id: workflow.id, note_md: "Please hurry." });
  expect(started.text).toContain("Review &amp; release");
  expect(started.text).toContain("Now: Review");
  const address = /<img src="([^"]*workflow\.svg[^"]*)"/
    .exec(started.text)![1]!
    .replaceAll("&#x2F;", "/")
    .replaceAll("&#x3D;", "=");
  const picture = await visitor.get(address);
  expect(picture.headers.get("content-type")).toContain("image/svg+xml");
  expect(picture.text).toContain("<svg");
  await sendForm(visitor, started, { node_id: "review", outcome: "success", note_md: "Looks good." });
  expect((await here.owner.get("P/issues/WEB-1").expect(200)).data.active_workflow_run_id).toBe(null);
  const history = await open(visitor, path);
  expect(history.text).toContain("ended the workflow");
  expect((await visitor.get(`${path}/workflow.svg`)).status).toBe(404);

  await sendForm(visitor, await open(visitor, `${path}?edit=workflow`), { workflow_id: workflow.id });
  await visitor.post(`${path}/workflow-cancel`);
  expect((await here.owner.get("P/issues/WEB-1").expect(200)).data.active_workflow_run_id).toBe(null);
});

test("each kind of history that the code records has a sentence", async () => {
  const kinds = new Set<string>();
  for await (const file of glob("src/domain/**/*.ts")) {
    const source = await readFile(file, "utf8");
    for (const [, kind] of source.matchAll(/kind: "([a-z_]+)", payload/g)) kinds.add(kind!);
  }
  expect(kinds.size).toBeGreaterThan(5);
  for (const kind of kinds) expect(Object.keys(SENTENCES), kind).toContain(kind);
});

test("each sentence says what changed, also if values and names are missing, and escapes them", () => {
  const cause = { key_id: null, session_id: null, automation_id: null, workflow_run_id: null, request_id: null };
  const nothing = { field: null, from: null, to: null, from_name: null, to_name: null, cause };
  const hostile = "<script>";
  const values = {
    from: hostile,
    to: hostile,
    from_name: hostile,
    to_name: hostile,
    file_name: hostile,
    message: hostile,
  };
  const more = {
    field_name: hostile,
    reason: hostile,
    status_name: hostile,
    target_key: hostile,
    kind: hostile,
    direction: "out",
  };
  for (const kind of [...Object.keys(SENTENCES), "something_new"]) {
    for (const payload of [nothing, { ...nothing, ...values, ...more, field: hostile }]) {
      const line: Line = {
        id: "1",
        kind,
        actor_id: null,
        actor_name: null,
        actor_kind: "user",
        created_at: "",
        payload,
      };
      const said = String(sentence(line, "/w/acme/p/web"));
      expect(said, kind).not.toMatch(/<script>|undefined|null|NaN|\[object/);
      expect(said.length, kind).toBeGreaterThan(4);
    }
  }
  const moved = { ...nothing, field: "status", from: "todo", to: "in_progress", from_name: "To do", to_name: "Doing" };
  const line: Line = {
    id: "1",
    kind: "status_changed",
    actor_id: null,
    actor_name: "Ada",
    actor_kind: "user",
    created_at: "",
    payload: moved,
  };
  expect(String(sentence(line, ""))).toBe("moved it from <b>To do</b> to <b>Doing</b>");
});

test.skipIf(noBrowser)(`agents and workflows in four looks${noBrowser}`, { timeout: 120_000 }, async () => {
  const { here, report, path, visitor } = await withSession();
  await report(ASKS);
  const { data: workflow } = await here.owner.post("W/workflows", { name: "Review and release", ...GRAPH }).expect(201);
  await here.owner.patch(`W/workflows/${workflow.id}`, { status: "enabled" }).expect(200);
  await here.owner.post("P/issues/WEB-1/workflow", { workflow_id: workflow.id, note_md: "Please hurry." }).expect(201);
  expect((await visitor.get(path)).status).toBe(200);
  const page = await tabOf(here, here.owner);
  await page.goto(`${here.app.baseUrl}${path}`);
  await look(page, "issue-agents");
});
