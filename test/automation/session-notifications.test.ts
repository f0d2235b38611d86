import { expect, test } from "vitest";
import type { Client } from "../support/client.ts";
import { drain } from "../support/jobs.ts";
import { world } from "../support/world.ts";
import { agent, issue, revoke, session, setPaused, sweep } from "./sessions.ts";

/** Who hears of a session that needs an answer or a review, or that failed. */

const told = async (client: Client) => {
  const { data } = await client.get("W/notifications").expect(200);
  const ofSessions = data.filter(({ kind }: { kind: string }) => kind.startsWith("session_"));
  return ofSessions.map(({ kind, body }: { kind: string; body: string }) => `${kind}: ${body}`) as string[];
};

test("a question and a review reach the owner, the starter, the assigner and the watchers who see the issue", async () => {
  const here = await world();
  const bot = await agent(here);
  const [assigner, watcher, other, admin] = [
    await here.as({ role: "member" }),
    await here.as({ role: "member" }),
    await here.as({ role: "member" }),
    await here.as({ role: "admin" }),
  ];
  const guest = await here.as({ role: "guest" });
  const { key } = await issue(here);
  await here.sql(`delete from watcher where workspace_id = $1`, [here.workspace.id]);
  await assigner.patch(`P/issues/${key}`, { assignee_ids: [bot.id] }).expect(200);
  await watcher.post(`P/issues/${key}/watchers`).expect(200);
  await here.sql(
    `insert into watcher (issue_id, user_id, workspace_id, created_at) select id, $1, $2, now() from issue where key = $3
     and workspace_id = $2`,
    [guest.userId, here.workspace.id, key],
  );
  // An admin starts it for the agent.
  const body = { title: "Fix it", issue_key: key, agent_id: bot.id };
  const { id } = (await admin.post("W/agent-sessions", body).expect(201)).data;
  const path = `W/agent-sessions/${id}`;
  const question = { text: "Which **branch**?", options: ["main"] };
  await bot.client.patch(path, { state: "needs_input", question }).expect(200);
  await drain();
  const people = { owner: here.owner, assigner, watcher, admin };
  for (const client of Object.values(people)) {
    expect(await told(client)).toEqual(["session_needs_input: Which branch?"]);
  }
  const { data } = await here.owner.get("W/notifications").expect(200);
  expect(data[0]).toMatchObject({
    title: `Bot needs your input on ${key}`,
    issue_key: key,
    session_id: id,
    actor_id: bot.id,
    url: expect.stringMatching(new RegExp(`/${key}$`)),
  });

  // The next question, then the result.
  await bot.client.patch(path, { question: { text: "And which tag?" } }).expect(200);
  await bot.client.patch(path, { note: "Waiting" }).expect(200);
  await bot.client.patch(path, { state: "running" }).expect(200);
  const external_url = "https://git.example/pull/1";
  await bot.client.patch(path, { state: "review", external_url, summary: "Done" }).expect(200);
  await drain();
  for (const client of Object.values(people)) {
    expect(await told(client)).toEqual([
      "session_review: https://git.example/pull/1 Done",
      "session_needs_input: And which tag?",
      "session_needs_input: Which branch?",
    ]);
  }
  // The one who moves it hears nothing of it.
  await bot.client.patch(path, { state: "running" }).expect(200);
  await here.owner.patch(path, { state: "needs_input" }).expect(200);
  await drain();
  expect((await told(here.owner)).length).toBe(3);
  expect((await told(watcher)).length).toBe(4);
  for (const client of [other, guest, bot.client]) expect(await told(client)).toEqual([]);
});

test("a failure reaches the owner and the starter only, also one by silence", async () => {
  const here = await world();
  const bot = await agent(here);
  const [watcher, admin] = [await here.as({ role: "member" }), await here.as({ role: "admin" })];
  const { key } = await issue(here);
  await watcher.post(`P/issues/${key}/watchers`).expect(200);
  const body = { title: "Fix it", issue_key: key, agent_id: bot.id };
  const { id } = (await admin.post("W/agent-sessions", body).expect(201)).data;
  await bot.client.patch(`W/agent-sessions/${id}`, { state: "failed", error: "No access" }).expect(200);
  await drain();
  for (const client of [here.owner, admin]) expect(await told(client)).toEqual(["session_failed: No access"]);

  const own = await session(here, bot);
  await here.sql(`update agent_session set last_activity_at = now() - interval '25 hours' where id = $1`, [own.id]);
  await sweep(here);
  await drain();
  expect((await told(here.owner))[0]).toBe("session_failed: It has been silent for too long.");
  expect((await told(admin)).length).toBe(1);
  for (const client of [watcher, bot.client]) expect(await told(client)).toEqual([]);
});

test("a person whose own session failed by silence hears of it", async () => {
  const here = await world();
  const member = await here.as({ role: "member" });
  const own = await session(here, { client: member });
  await here.sql(`update agent_session set last_activity_at = now() - interval '25 hours' where id = $1`, [own.id]);
  await sweep(here);
  await drain();
  expect(await told(member)).toEqual(["session_failed: It has been silent for too long."]);
});

test("pausing, resuming and revoking an agent notifies of no session, and a hidden issue nobody who cannot see it", async () => {
  const here = await world();
  const bot = await agent(here);
  const hidden = await here.hidden();
  await here.sql(
    `insert into project_member (project_id, user_id, workspace_id, role, added_at) values ($1, $2, $3, 'member', now())`,
    [hidden.project.id, bot.id, here.workspace.id],
  );
  const { key } = await issue(hidden);
  const outsider = await here.as({ role: "member" });
  await here.sql(`update app_user set agent_owner_id = $2 where id = $1`, [bot.id, outsider.userId]);
  const secret = await session(here, bot, key);
  const review = await session(here, bot, undefined, "review");
  const free = (await bot.client.post("W/agent-sessions", { title: "Without an issue" }).expect(201)).data;
  await drain();
  expect(await told(outsider)).toEqual(["session_review: Fix it"]);
  for (const paused of [true, false]) {
    await setPaused(here, bot.id, paused);
    await drain();
  }
  await bot.client.patch(`W/agent-sessions/${secret.id}`, { state: "needs_input", note: "Secret" }).expect(200);
  await bot.client.patch(`W/agent-sessions/${free.id}`, { state: "needs_input", note: "Open" }).expect(200);
  await drain();
  expect(await told(outsider)).toEqual(["session_needs_input: Open", "session_review: Fix it"]);
  await bot.client.patch(`W/agent-sessions/${review.id}`, { state: "running" }).expect(200);
  await revoke(here, bot.id);
  await drain();
  expect((await told(outsider)).length).toBe(2);
});
