import { expect, test } from "vitest";
import { browser } from "../support/browser.ts";
import { noBrowser } from "../support/browser-path.ts";
import { look } from "../support/chromium.ts";
import { drain } from "../support/jobs.ts";
import { servePublicly } from "../support/oauth.ts";
import { linkOn, open, sendForm } from "../support/page-forms.ts";
import { tabOf } from "../support/signed-in.ts";
import { type World, world } from "../support/world.ts";

/** Automations, workflows and the audit log as pages. */

await servePublicly();

const RULE = {
  name: "<b>Bugs</b> first",
  trigger: "issue.created",
  project_id: "WEB",
  conditions: {
    match: "all",
    rules: [
      { field: "type", op: "is", value: "bug" },
      {
        match: "any",
        rules: [
          { field: "title", op: "contains", value: "crash" },
          { field: "due_at", op: "is_set" },
        ],
      },
    ],
  },
  actions: [
    { type: "set_priority", priority: "critical" },
    { type: "add_comment", comment: "On it." },
  ],
};

const GRAPH = {
  nodes: [
    { id: "start", kind: "start" },
    { id: "review", kind: "person", label: "Review <i>it</i>" },
    { id: "end", kind: "end" },
  ],
  edges: [
    { id: "e1", source_node_id: "start", target_node_id: "review" },
    { id: "e2", source_node_id: "review", target_node_id: "end" },
  ],
};

async function start() {
  const here = await world();
  const visitor = await browser(here.app, here.owner.userId);
  return { here, visitor, base: `/w/${here.workspace.slug}` };
}

/** An automation that ran once. */
async function ran(here: World): Promise<string> {
  const { data } = await here.owner.post("W/automations", RULE).expect(201);
  await here.owner.post("P/issues", { title: "A crash", type: "bug" }).expect(201);
  await drain();
  return data.id;
}

/** A workflow with a run that waits for a person. */
async function running(here: World): Promise<{ id: string; run: string }> {
  const { data } = await here.owner.post("W/workflows", { name: "Review", ...GRAPH }).expect(201);
  await here.owner.patch(`W/workflows/${data.id}`, { status: "enabled" }).expect(200);
  const issue = await here.owner.post("P/issues", { title: "To review" }).expect(201);
  const path = `P/issues/${issue.data.key}/workflow`;
  const started = await here.owner.post(path, { workflow_id: data.id }).expect(201);
  return { id: data.id, run: started.data.run_id };
}

test("an automation is created from JSON, reads as a sentence, and is tried, disabled and deleted", async () => {
  const { here, visitor, base } = await start();
  const page = await visitor.get(`${base}/automations`);
  const bad = await sendForm(visitor, page, { definition: "{ not json" });
  expect(bad.status).toBe(400);
  expect(bad.text).toContain("This is not JSON");
  expect(bad.text).toContain("{ not json");
  const wrong = await sendForm(visitor, page, {
    definition: JSON.stringify({ ...RULE, actions: [{ type: "set_priority", priority: "x" }] }),
  });
  expect(wrong.text).toContain("&#x2F;actions&#x2F;0");

  const made = await sendForm(visitor, page, { definition: JSON.stringify(RULE) });
  expect(made.text).toContain("&lt;b&gt;Bugs&lt;&#x2F;b&gt; first");
  expect(made.text).toContain("if type is bug and (title contains crash or due at is set)");
  expect(made.text).toContain("Set priority: critical");
  const [{ id }] = (await here.owner.get("W/automations")).body.data;

  await here.owner.post("P/issues", { title: "A crash", type: "bug" });
  await drain();
  const one = await visitor.get(`${base}/automations/${id}`);
  expect(one.text).toContain("WEB-1");
  expect((await sendForm(visitor, one, { issue_key: "WEB-1" })).text).toContain("Nothing was changed.");
  const changed = await sendForm(visitor, one, { definition: JSON.stringify({ ...RULE, name: "Crashes" }) });
  expect(changed.text).toContain("The automation is changed.");
  expect((await sendForm(visitor, one, { definition: JSON.stringify(RULE) })).status).toBe(412);
  const off = await sendForm(visitor, changed, { enabled: "false" });
  expect(off.text).toContain("The automation is disabled.");
  await visitor.post(`${base}/automations/${id}/delete`);
  expect((await here.owner.get("W/automations")).body.data).toEqual([]);
});

test("a sentence names columns, labels, fields and agents, and a refused form keeps what was typed", async () => {
  const { here, visitor, base } = await start();
  const label = (await here.owner.post("P/labels", { name: "Back <end>", color: "#112233" }).expect(201)).data;
  const field = { name: "Cause", kind: "text" };
  const cause = (await here.owner.post("P/custom-field-defs", field).expect(201)).data;
  const rule = {
    name: "Names",
    trigger: "issue.labelled",
    trigger_config: { label_ids: [label.id] },
    project_id: "WEB",
    conditions: { match: "all", rules: [{ field: `custom_field:${cause.id}`, op: "is_set" }] },
    actions: [
      { type: "set_status", status: here.columns.Done },
      { type: "remove_label", label_id: label.id },
    ],
  };
  const made = (await here.owner.post("W/automations", rule).expect(201)).data;
  for (const path of ["/automations", `/automations/${made.id}`]) {
    const { text } = await visitor.get(base + path);
    for (const said of ["label Back &lt;end&gt;", "if Cause is set", "Set status: Done"]) expect(text).toContain(said);
    expect(text).not.toContain("a chosen one");
  }
  const tried = await visitor.post(`${base}/automations/${made.id}/try`, { issue_key: "NO-77" });
  expect([tried.status, tried.text]).toEqual([expect.any(Number), expect.stringContaining('value="NO-77"')]);
  const flow = (await here.owner.post("W/workflows", { name: "Flow" }).expect(201)).data;
  const path = `${base}/workflows/${flow.id}/change`;
  const refused = await visitor.post(path, { name: "x".repeat(200), description: "Typed <text>" });
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("Typed &lt;text&gt;")]);
});

test("a workflow is made, its graph is saved with problems, and a stage of its run is completed", async () => {
  const { here, visitor, base } = await start();
  const made = await sendForm(visitor, await visitor.get(`${base}/workflows`), {
    name: "Ship <it>",
    project_id: "WEB",
  });
  expect(made.text).toContain("Ship &lt;it&gt;");
  expect(made.text).toContain("data:image/svg+xml;base64,");
  const cut = await sendForm(visitor, made, { definition: JSON.stringify({ ...GRAPH, edges: GRAPH.edges.slice(1) }) });
  expect(cut.text).toContain("It cannot be enabled yet");
  expect((await sendForm(visitor, made, { definition: JSON.stringify(GRAPH) })).status).not.toBe(200);
  expect((await sendForm(visitor, cut, { status: "enabled" })).status).toBe(400);

  const { id, run } = await running(here);
  const page = await open(visitor, linkOn(await visitor.get(`${base}/workflows/${id}`), "WEB-1"));
  expect(page.text).toContain("Review &lt;i&gt;it&lt;&#x2F;i&gt;");
  // Force skips only the stages that the page shows.
  expect(page.text).toContain('<input type="hidden" name="node_ids" value="review">');
  const done = await sendForm(visitor, page, { node_id: "review", outcome: "success", note_md: "Looks good." });
  expect(done.text).toContain("Looks good.");
  expect((await here.owner.get(`W/workflow-runs/${run}`)).body.data.status).toBe("completed");
});

test("members read rules without forms, others nothing; the audit log is for admins", async () => {
  const { here, visitor, base } = await start();
  const rule = await ran(here);
  const { id } = await running(here);
  const viewer = await browser(here.app, (await here.as({ role: "viewer" })).userId);
  for (const path of [`/automations`, `/automations/${rule}`, `/workflows`, `/workflows/${id}`]) {
    const page = await viewer.get(base + path);
    expect(page.status, path).toBe(200);
    expect(page.text.slice(page.text.indexOf("<main")), path).not.toContain("<form");
  }
  expect((await viewer.post(`${base}/automations/${rule}/delete`)).status).toBe(403);
  expect((await viewer.get(`${base}/audit`)).status).toBe(403);

  const log = await visitor.get(`${base}/audit?type=automation.*`);
  expect(log.text).toContain("Automation created");
  expect(log.text).toContain("&lt;b&gt;Bugs");
  expect((await visitor.get(`${base}/audit?since=never`)).status).toBe(400);

  const other = await here.other();
  const stranger = await browser(here.app, other.owner.userId);
  for (const path of [`/automations/${rule}`, `/workflows/${id}`, "/audit"]) {
    expect((await stranger.get(base + path)).status, path).toBe(404);
    expect((await stranger.post(`/w/${other.workspace.slug}/automations/${rule}/delete`)).status).toBe(404);
  }
});

test.skipIf(noBrowser)(`rules and the audit log in four looks${noBrowser}`, { timeout: 120_000 }, async () => {
  const { here, base } = await start();
  const rule = await ran(here);
  const { id, run } = await running(here);
  const page = await tabOf(here, here.owner);
  for (const [path, name] of [
    ["/automations", "automations"],
    [`/automations/${rule}`, "automation"],
    ["/workflows", "workflows"],
    [`/workflows/${id}`, "workflow"],
    [`/workflow-runs/${run}`, "workflow-run"],
    ["/audit", "audit"],
  ]) {
    await page.goto(here.app.baseUrl + base + path);
    await look(page, name!);
  }
});
