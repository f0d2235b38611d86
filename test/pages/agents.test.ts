import { expect, test } from "vitest";
import { agentIn } from "../support/agent-stream.ts";
import { browser } from "../support/browser.ts";
import { noBrowser } from "../support/browser-path.ts";
import { look } from "../support/chromium.ts";
import { servePublicly } from "../support/oauth.ts";
import { sendForm } from "../support/page-forms.ts";
import { tabOf } from "../support/signed-in.ts";
import { world } from "../support/world.ts";

/** The agents of a workspace and their sessions. */

await servePublicly();

async function working() {
  const here = await world();
  const agent = await agentIn(here);
  await here.owner.patch(`W/agents/${agent.id}`, { name: "<b>Robo</b>", spend_cap_usd: 10 }).expect(200);
  await here.owner.post("P/issues", { title: "One" }).expect(201);
  const body = { title: "Fix <i>it</i>", issue_key: "WEB-1" };
  const { id } = (await agent.client.post("W/agent-sessions", body).expect(201)).body.data;
  const report = (body: object) => agent.client.patch(`W/agent-sessions/${id}`, body).expect(200);
  await report({
    plan: [
      { text: "Read", status: "completed" },
      { text: "<u>Write</u>", status: "in_progress" },
    ],
  });
  const agents = `/w/${here.workspace.slug}/agents`;
  return { here, agent, report, agents, session: `${agents}/sessions/${id}`, id: id as string };
}

test("people see an agent, cap it, pause it, give it work and disconnect it", async () => {
  const { here, agent, agents } = await working();
  const visitor = await browser(here.app, here.owner.userId);
  expect((await visitor.get(agents)).text).toContain("&lt;b&gt;Robo");
  const page = await visitor.get(`${agents}/${agent.id}`);
  expect(page.text).toContain("$0.00 of $10.00 this month");
  const capped = await sendForm(visitor, page, { spend_cap_usd: "25", spend_cap_action: "block" });
  expect(capped.text).toContain("of $25.00 this month");
  const wrong = await sendForm(visitor, capped, { spend_cap_usd: "many", spend_cap_action: "block" });
  expect(wrong.status).toBe(400);
  const about = { name: "Robo", description: "Sorts <b>", handle: "robo", kind: "claude", all_fields: [] };
  const limited = await sendForm(visitor, capped, { ...about, field_policy: "status, labels" });
  for (const said of ["Sorts &lt;b&gt;", "@robo", "status, labels"]) expect(limited.text).toContain(said);
  const unknown = await sendForm(visitor, limited, { ...about, name: "Typed", field_policy: "nothing" });
  expect(unknown.status).toBe(400);
  expect(unknown.text).toContain('value="Typed"');
  const paused = await sendForm(visitor, capped, { paused: "true" });
  expect(paused.text).toContain("is paused");
  expect(paused.text).toContain("Let it go on");
  const goes = await sendForm(visitor, paused, { paused: "false" });
  const given = await sendForm(visitor, goes, { title: "Tidy up", issue_key: "" });
  expect(given.text).toContain("Tidy up");
  const gone = await visitor.follow(await visitor.post(`${agents}/${agent.id}/disconnect`));
  expect(gone.text).toContain("is disconnected");
});

test("people follow a session, answer its question, accept its result or stop it", async () => {
  const { here, report, session, id } = await working();
  const visitor = await browser(here.app, here.owner.userId);
  await report({ state: "needs_input", question: { text: "<a>Which?</a>", options: ["Red", "Blue"] } });
  const page = await visitor.get(session);
  for (const said of ["Fix &lt;i&gt;it", "&lt;u&gt;Write", "&lt;a&gt;Which?"]) expect(page.text).toContain(said);
  const answered = await sendForm(visitor, page, { issue: "WEB-1", option: "Blue" });
  expect(answered.text).toContain("Your answer is on its way to the agent.");
  const { body } = await here.owner.get("P/issues/WEB-1/comments");
  expect(body.data.map((comment: { body_md: string }) => comment.body_md)).toEqual(["Blue"]);
  await report({ state: "review", external_url: "https://git.example/1", summary: "**Did** it" });
  const accepted = await visitor.follow(await visitor.post(`${session}/accept`));
  expect(accepted.text).toContain("The result is accepted.");
  expect(accepted.text).toContain("<strong>Did</strong> it");
  await report({ state: "running" });
  const stopped = await visitor.follow(await visitor.post(`${session}/cancel`));
  expect(stopped.text).toContain("The session is cancelled.");
  expect((await here.owner.get(`W/agent-sessions/${id}`)).body.data.state).toBe("cancelled");
});

test("viewers control nothing, and others find neither agent nor session", async () => {
  const { here, agent, agents, session } = await working();
  const viewer = await browser(here.app, (await here.as({ role: "viewer" })).userId);
  for (const path of [`${agents}/${agent.id}`, session]) {
    const page = await viewer.get(path);
    expect(page.status).toBe(200);
    expect(page.text).not.toContain("Control");
  }
  expect((await viewer.post(`${agents}/${agent.id}/pause`, { paused: "true" })).status).toBe(403);
  expect((await viewer.post(`${session}/cancel`)).status).toBe(403);
  const guest = await browser(here.app, (await here.as({ role: "guest" })).userId);
  expect((await guest.get(`${agents}/${agent.id}`)).status).toBe(404);
  expect((await guest.get(session)).status).toBe(404);
  expect((await guest.get(agents)).text).not.toContain("Robo");
  const stranger = await browser(here.app, (await here.other()).owner.userId);
  for (const path of [agents, `${agents}/${agent.id}`, session]) expect((await stranger.get(path)).status).toBe(404);
});

test.skipIf(noBrowser)(`agents in four looks${noBrowser}`, { timeout: 120_000 }, async () => {
  const { here, agent, agents, session, report } = await working();
  await report({
    state: "needs_input",
    question: { text: "Which colour?", options: ["Red", "Blue"] },
    note: "Reading",
  });
  const page = await tabOf(here, here.owner);
  for (const [name, path] of Object.entries({ agents, agent: `${agents}/${agent.id}`, "agent-session": session })) {
    await page.goto(here.app.baseUrl + path);
    await look(page, name);
  }
});
