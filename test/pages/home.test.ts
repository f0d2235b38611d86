import { expect, test } from "vitest";
import { agentIn } from "../support/agent-stream.ts";
import { browser } from "../support/browser.ts";
import { noBrowser } from "../support/browser-path.ts";
import { look } from "../support/chromium.ts";
import { servePublicly } from "../support/oauth.ts";
import { tabOf } from "../support/signed-in.ts";
import { type World, world } from "../support/world.ts";

/** The home of a workspace. */

await servePublicly();

/** Agents at work, with questions and results, and issues of the owner. */
async function busy(): Promise<World> {
  const here = await world();
  const { owner } = here;
  await owner.post("P/issues", { title: "<i>Mine</i>", assignee_ids: ["me"], due_at: "2026-01-01T00:00:00Z" });
  await owner.post("P/issues", { title: "Somebody else's" });
  const { client } = await agentIn(here);
  const start = async (body: object) =>
    (await client.post("W/agent-sessions", body).expect(201)).body.data.id as string;
  const first = await start({ title: "Fix the checkout", issue_key: "WEB-1", note: "Reading the code" });
  await client.patch(`W/agent-sessions/${first}`, {
    plan: [{ text: "Read", status: "completed" }, { text: "Write" }],
    note: "Running <script>",
  });
  const second = await start({ title: "Sort the backlog", issue_key: "WEB-2" });
  await client.patch(`W/agent-sessions/${second}`, {
    state: "needs_input",
    question: { text: "Should guests get an account?", options: ["Yes", "No"] },
  });
  return here;
}

test("the home shows what agents do, what waits, and the person's issues", async () => {
  const here = await busy();
  const visitor = await browser(here.app, here.owner.userId);
  const { text, status } = await visitor.get(`/w/${here.workspace.slug}`);
  expect(status).toBe(200);
  for (const said of [
    "&lt;i&gt;Mine",
    "Fix the checkout",
    "Running &lt;script&gt;",
    "Should guests get an account?",
    "1 of 2 steps",
  ])
    expect(text).toContain(said);
  const mine = text.slice(text.indexOf('id="mine"'), text.indexOf('id="projects"'));
  expect(mine).toContain("WEB-1");
  expect(mine).not.toContain("WEB-2");
  expect(text.slice(text.indexOf('id="recent"'))).toContain("WEB-2");
});

test("guests see their projects only, and strangers nothing", async () => {
  const here = await busy();
  const guest = await browser(here.app, (await here.as({ role: "guest" })).userId);
  const page = await guest.get(`/w/${here.workspace.slug}`);
  expect(page.status).toBe(200);
  expect(page.text).not.toContain("WEB-1");
  expect(page.text).not.toContain("Fix the checkout");
  expect(page.text).not.toContain("New project");
  const stranger = await browser(here.app, (await here.other()).owner.userId);
  expect((await stranger.get(`/w/${here.workspace.slug}`)).status).toBe(404);
});

test("an empty workspace says how to begin", async () => {
  const here = await world();
  await here.owner.delete("P").expect(200);
  const visitor = await browser(here.app, here.owner.userId);
  const { text } = await visitor.get(`/w/${here.workspace.slug}`);
  for (const step of ["Make a project", "Invite people", "Connect an agent"]) expect(text).toContain(step);
  const viewer = await browser(here.app, (await here.as({ role: "viewer" })).userId);
  expect((await viewer.get(`/w/${here.workspace.slug}`)).text).not.toContain("New project");
});

test("the first steps stay until they are done or put away", async () => {
  const here = await world();
  const home = `/w/${here.workspace.slug}`;
  const visitor = await browser(here.app, here.owner.userId);
  const steps = (text: string) => text.slice(text.indexOf('id="steps"'), text.indexOf('id="mine"'));
  const first = steps((await visitor.get(home)).text);
  expect(first).toMatch(/Make a project.*Done/);
  expect(first).toMatch(/Invite people.*<p>.*Connect an agent.*<p>/s);
  const member = await browser(here.app, (await here.as({ role: "member" })).userId);
  expect((await member.get(home)).text).not.toContain('id="steps"');
  expect(steps((await visitor.get(home)).text)).toMatch(/Invite people.*Done/);

  expect((await visitor.post(`${home}/first-steps`, {})).status).toBe(303);
  const after = (await visitor.get(home)).text;
  expect(after).not.toContain('id="steps"');
  expect(after).toContain("The first steps are put away.");
  const other = await browser(here.app, here.owner.userId);
  expect((await other.get(home)).text).toContain('id="steps"');
  await agentIn(here);
  expect((await other.get(home)).text).not.toContain('id="steps"');
  const stranger = await browser(here.app, (await here.other()).owner.userId);
  expect((await stranger.post(`${home}/first-steps`, {})).status).toBe(404);
});

test("a guest without a project is told what to do, and so is who invites them", async () => {
  const here = await world();
  const owner = await browser(here.app, here.owner.userId);
  const base = `/w/${here.workspace.slug}`;
  const sent = await owner.post(`${base}/invites`, { email: "guest@x.test", role: "guest", message: "" });
  const { text } = await owner.follow(sent);
  expect(text).toContain("this guest sees nothing at first");
  expect(text).toContain("in no project yet");
  const guest = await browser(here.app, (await here.as({ role: "guest" })).userId);
  const home = (await guest.get(base)).text;
  expect(home).toContain("You are in no project yet");
  const menu = home.slice(home.indexOf('id="side"'), home.indexOf("<main"));
  for (const closed of ["Automations", "Workflows", "Agents", "Goals", "Billing", "Audit"])
    expect(menu).not.toContain(closed);
  expect(menu).toContain("Projects");
});

test("mistyped addresses below a workspace keep its frame", async () => {
  const here = await world();
  const visitor = await browser(here.app, here.owner.userId);
  const base = `/w/${here.workspace.slug}`;
  const { status, text } = await visitor.get(`${base}/isues/1`);
  expect(status).toBe(404);
  expect(text).toContain('id="side"');
  expect(text).toContain("the search is at the top");
  expect((await visitor.get(`${base}/p`)).headers.get("location")).toBe(`${base}/projects`);
  const stranger = await browser(here.app, (await here.other()).owner.userId);
  expect((await stranger.get(`${base}/isues/1`)).status).toBe(404);
  expect((await stranger.get(`${base}/isues/1`)).text).not.toContain(`id="side"`);
});

test("issues are listed across projects", async () => {
  const here = await busy();
  const { owner } = here;
  const keys = async (query: string) =>
    (await owner.get(`W/issues?${query}`).expect(200)).body.data.map(({ key }: { key: string }) => key);
  expect(await keys("assignee=me")).toEqual(["WEB-1"]);
  expect(await keys("sort=created_desc")).toEqual(["WEB-2", "WEB-1"]);
  expect(await keys("project=web&status=done")).toEqual([]);
  const refused = await owner.get("W/issues?status=nothing").expect(400);
  expect(refused.body.error.details).toMatchObject({ parameter: "status", value: "nothing" });
  await owner.get("W/issues?project=none").expect(400);
  const guest = await here.as({ role: "guest" });
  expect((await guest.get("W/issues")).body.data).toEqual([]);
});

test.skipIf(noBrowser)(`the home in four looks${noBrowser}`, { timeout: 60_000 }, async () => {
  const here = await busy();
  const page = await tabOf(here, here.owner);
  await page.goto(`${here.app.baseUrl}/w/${here.workspace.slug}`);
  await look(page, "home");
  const empty = await world();
  await empty.owner.delete("P");
  const first = await tabOf(empty, empty.owner);
  await first.goto(`${empty.app.baseUrl}/w/${empty.workspace.slug}`);
  await look(first, "home-empty");
});
