import { expect, test } from "vitest";
import { type World, world } from "../support/world.ts";

/** `auto_start`: the first session on an issue moves it to work in progress, if the project says so. */

async function agentIn(here: World, fieldPolicy: string[] | null = null) {
  const body = { name: "Bot", agent_name: "Bot", scopes: ["write"] };
  const id = (await here.owner.post("W/api-keys", body).expect(201)).data.agent_id as string;
  await here.sql(`update agent set field_policy = $2 where user_id = $1`, [id, fieldPolicy]);
  const member = Object.assign(await here.as({ role: "member" }), { userId: id });
  return here.keyFor(member, { scopes: ["write"] });
}
const file = async ({ owner }: World, more: Record<string, unknown> = {}) =>
  (await owner.post("P/issues", { title: "x", ...more }).expect(201)).data as { id: string; key: string };
const statusOf = async ({ owner }: World, { key }: { key: string }) =>
  (await owner.get(`P/issues/${key}`).expect(200)).data.status;
const on = (issue: { key: string }) => ({ title: "x", issue_key: issue.key });

test("a session moves an unstarted issue only if the project says so", async () => {
  const here = await world();
  const bot = await agentIn(here, ["title"]);
  const [before, after, taken] = [await file(here), await file(here), await file(here)];
  await bot.post("W/agent-sessions", on(before)).expect(201);
  expect(await statusOf(here, before)).toBe("todo");
  await here.owner.patch("P", { auto_start: true }).expect(200);
  // Its field policy does not keep the project from moving the issue.
  const { data } = await bot.post("W/agent-sessions", on(after)).expect(201);
  const moved = (await here.owner.get(`P/issues/${after.key}`).expect(200)).data;
  expect(moved).toMatchObject({ status: "in_progress", active_session_ids: [data.id] });
  expect(moved.started_at).not.toBe(null);
  await bot.post("W/agent-sessions", { title: "x", issue_key: "next", project: "WEB" }).expect(201);
  expect(await statusOf(here, taken)).toBe("in_progress");
  // The issue has a session already, so another one does not move it.
  await here.owner.post("W/agent-sessions", on(before)).expect(201);
  expect(await statusOf(here, before)).toBe("todo");
});

test("issues that have been started stay where they are", async () => {
  const here = await world();
  const bot = await agentIn(here);
  await here.owner.patch("P", { auto_start: true }).expect(200);
  for (const status of ["in_review", "done"]) {
    const issue = await file(here, { status });
    await bot.post("W/agent-sessions", on(issue)).expect(201);
    expect(await statusOf(here, issue)).toBe(status);
  }
});

test("the board's rules hold: the session starts, and the reply says why the issue did not move", async () => {
  const here = await world();
  const { owner, columns } = here;
  const bot = await agentIn(here);
  await owner.patch("P", { auto_start: true, wip_mode: "enforce" }).expect(200);
  await owner.patch(`P/statuses/${columns["In Progress"]}`, { wip_limit: 1 }).expect(200);
  const [one, two, three] = [await file(here), await file(here), await file(here)];
  await bot.post("W/agent-sessions", on(one)).expect(201);
  const full = await bot.post("W/agent-sessions", on(two)).expect(201);
  expect(full.body.warnings).toEqual([expect.objectContaining({ code: "wip_limit_exceeded" })]);
  expect(await statusOf(here, two)).toBe("todo");

  const rules = { [columns["To Do"]!]: [columns.Done] };
  await owner.patch("P", { wip_mode: "off", transition_rules: rules }).expect(200);
  const stuck = await bot.post("W/agent-sessions", on(three)).expect(201);
  expect(stuck.body.warnings).toEqual([expect.objectContaining({ code: "transition_not_allowed" })]);
  const view = (await owner.get(`P/issues/${three.key}`).expect(200)).data;
  expect(view).toMatchObject({ status: "todo", active_session_ids: [stuck.data.id] });
});

test("a column with room for one is taken by one of many who ask for the next issue", async () => {
  const here = await world();
  await here.owner.patch("P", { auto_start: true, wip_mode: "enforce" }).expect(200);
  await here.owner.patch(`P/statuses/${here.columns["In Progress"]}`, { wip_limit: 1 }).expect(200);
  const agents = [];
  for (let n = 0; n < 6; n++) {
    await file(here);
    agents.push(await agentIn(here));
  }
  const body = { title: "x", issue_key: "next", project: "WEB" };
  const replies = await Promise.all(agents.map((client) => client.call("POST", "W/agent-sessions", body)));
  expect(replies.map(({ status, body: { code } }) => code ?? status).sort()).toEqual([
    201,
    ...Array(5).fill("nothing_ready"),
  ]);
});
