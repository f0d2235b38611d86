import { expect, test } from "vitest";
import { lastSeqs, positionOf, readFrames } from "../../src/domain/automation/agent-events/replay.ts";
import { AgentEventView } from "../../src/domain/automation/agent-events/view.ts";
import { newId } from "../../src/domain/kernel/ids.ts";
import { cleanUpNow, drain } from "../support/jobs.ts";
import { world } from "../support/world.ts";
import { agentIn, heardBy, issueIn, namesFor, storedFor } from "./framed.ts";

/** How frames of agents are made, stored, sent and read again. */

test("an assigned agent gets a frame with the issue, stored and at once", async () => {
  const here = await world();
  const bot = await agentIn(here);
  const heard = await heardBy(here, bot, () => issueIn(here, { assignee: bot.id }));
  const [stored, ...more] = await storedFor(here, bot);
  expect(more).toEqual([]);
  const [event] = await here.sql<{ id: string; data: object }>(
    "select id, data from event where workspace_id = $1 and type = 'issue.assigned'",
    [here.workspace.id],
  );
  expect(stored).toEqual({
    seq: 1,
    project_id: here.project.id,
    id: event!.id,
    event: "issue.assigned",
    data: {
      id: event!.id,
      type: "issue.assigned",
      timestamp: expect.any(String),
      sequence: 1,
      workspace: here.workspace,
      actor: { id: here.owner.userId, kind: "user", name: "Olive Owner" },
      cause: { automation_id: null, agent_session_id: null, workflow_run_id: null },
      data: event!.data,
      context: { assigned_by: here.owner.userId },
      replayed: true,
    },
  });
  // The API description has the same fields.
  expect(AgentEventView.strict().parse(stored!.data)).toEqual(stored!.data);
  const { seq: _, project_id: __, ...frame } = stored!;
  expect(heard).toEqual([{ ...frame, data: { ...frame.data, replayed: false } }]);
});

test("an issue that assigns and mentions an agent gives two frames with ids of their own", async () => {
  const here = await world();
  const bot = await agentIn(here);
  await issueIn(here, { assignee: bot.id, description_md: `Over to ${bot.mention}.` });
  await here.owner.post(`P/issues/${(await issueIn(here, {})).key}/comments`, { body_md: `Hi ${bot.mention}` });
  await drain();
  const frames = await storedFor(here, bot);
  expect(frames.map(({ event }) => event).sort()).toEqual(["issue.assigned", "mention.created", "mention.created"]);
  expect(frames.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  expect(new Set(frames.map(({ id }) => id)).size).toBe(3);
  for (const { id, data } of frames) expect(data.id).toBe(id);
});

test("one event with two frames for an agent: the second id has the same time, and is the same each time", async () => {
  const here = await world();
  const bot = await agentIn(here);
  const issue = await issueIn(here);
  await bot.client.post("W/agent-sessions", { title: "x", issue_key: issue.key }).expect(201);
  await here.owner.post(`P/issues/${issue.key}/comments`, { body_md: `${bot.mention} stop` }).expect(201);
  await drain();
  const both = await storedFor(here, bot);
  expect(both.map(({ event }) => event)).toEqual(["mention.created", "agent_session.input"]);
  const [first, second] = both.map(({ id }) => id!);
  expect(second).not.toBe(first);
  expect(second).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(second!.slice(0, 13)).toBe(first!.slice(0, 13));

  await here.sql("delete from agent_frame where agent_id = $1", [bot.id]);
  await here.sql(
    `insert into reaction (event_id, queue, workspace_id, due_at) select id, 'stream-to-agent', workspace_id, now()
     from event where workspace_id = $1 and type = 'comment.created'`,
    [here.workspace.id],
  );
  await drain();
  expect((await storedFor(here, bot)).map(({ id }) => id)).toEqual([first, second]);
});

test("an event that is processed again adds nothing", async () => {
  const here = await world();
  const bot = await agentIn(here);
  await issueIn(here, { assignee: bot.id });
  await drain();
  await here.sql(
    `insert into reaction (event_id, queue, workspace_id, due_at)
     select event_id, 'stream-to-agent', workspace_id, now() from agent_frame where agent_id = $1`,
    [bot.id],
  );
  expect(await heardBy(here, bot, async () => undefined)).toEqual([]);
  expect(await lastSeqs(here.app.resources.database, [bot.id])).toEqual(new Map([[bot.id, 1]]));
  expect(await namesFor(here, bot)).toEqual(["issue.assigned"]);
});

test("frames are read in pages; those that the agent can no longer see are left out, yet counted as read", async () => {
  const here = await world();
  const { database } = here.app.resources;
  const hidden = await here.hidden();
  const bot = await agentIn(here);
  await hidden.owner.post("P/members", { user_id: bot.id, role: "member" }).expect(201);
  await issueIn(here, { assignee: bot.id });
  await issueIn(hidden, { assignee: bot.id });
  await drain();
  const page = (after: number, limit = 1) =>
    readFrames(database, here.workspace, bot.id, { after, limit, replayed: true });
  expect(await page(0, 10)).toMatchObject({ frames: [{ seq: 1 }, { seq: 2 }], last: 2 });
  expect(await page(1)).toMatchObject({ frames: [{ seq: 2, project_id: hidden.project.id }], last: 2 });
  await hidden.owner.delete(`P/members/${bot.id}`).expect(200);
  expect(await page(0)).toMatchObject({ frames: [{ seq: 1 }], last: 1 });
  expect(await page(1)).toEqual({ frames: [], last: 2 });
  expect(await page(2)).toEqual({ frames: [], last: 2 });
  // Another workspace's frames are not there.
  const other = await here.other();
  const foreign = { after: 0, limit: 10, replayed: true };
  expect(await readFrames(database, other.workspace, bot.id, foreign)).toEqual({ frames: [], last: 0 });
});

test("a stream resumes after an id or at a time; unknown ids and old times give the last 24 hours", async () => {
  const here = await world();
  const { database } = here.app.resources;
  const bot = await agentIn(here);
  const issue = await issueIn(here);
  for (const assignee of [bot.id, null, bot.id, null]) {
    await here.owner.patch(`P/issues/${issue.key}`, { assignee }).expect(200);
    await drain();
  }
  const ids = (await storedFor(here, bot)).map(({ id }) => id!);
  const age = (seq: number, hours: number) =>
    here.sql("update agent_frame set created_at = now() - $3 * interval '1 hour' where agent_id = $1 and seq = $2", [
      bot.id,
      seq,
      hours,
    ]);
  await age(1, 24.5);
  await age(2, 10);
  await age(3, 5);
  const now = new Date();
  const at = (hours: number) => new Date(now.getTime() - hours * 3_600_000).toISOString();
  const from = (where: { lastEventId: string } | { since: string }) =>
    positionOf(database, here.workspace, bot.id, where, now.toISOString());
  expect(await from({ lastEventId: ids[2]! })).toEqual({ after: 3, clamped: false, gap: false, count: 1 });
  expect(await from({ lastEventId: ids[3]!.toUpperCase() })).toEqual({
    after: 4,
    clamped: false,
    gap: false,
    count: 0,
  });
  expect(await from({ lastEventId: newId() })).toEqual({ after: 1, clamped: false, gap: true, count: 3 });
  expect(await from({ lastEventId: "what" })).toEqual({ after: 1, clamped: false, gap: true, count: 3 });
  expect(await from({ since: at(6) })).toEqual({ after: 2, clamped: false, gap: false, count: 2 });
  expect(await from({ since: at(24.9) })).toEqual({ after: 1, clamped: true, gap: false, count: 3 });
  // The clocks differ: what was stored five seconds before is sent again.
  expect(await from({ since: new Date(now.getTime() - 5 * 3_600_000 + 3_000).toISOString() })).toMatchObject({
    after: 2,
  });
  expect(await from({ since: new Date(now.getTime() + 60_000).toISOString() })).toMatchObject({ after: 4, count: 0 });
  const newcomer = await agentIn(here, "Newcomer");
  const nothing = await positionOf(database, here.workspace, newcomer.id, { since: at(1) }, now.toISOString());
  expect(nothing).toEqual({ after: 0, clamped: false, gap: false, count: 0 });
});

test("frames are deleted after 25 hours, and numbers go on", async () => {
  const here = await world();
  const bot = await agentIn(here);
  await issueIn(here, { assignee: bot.id });
  await issueIn(here, { assignee: bot.id });
  await drain();
  await here.sql(
    "update agent_frame set created_at = now() - interval '25 hours 1 minute' where agent_id = $1 and seq = 1",
    [bot.id],
  );
  await here.sql(
    "update agent_frame set created_at = now() - interval '24 hours 50 minutes' where agent_id = $1 and seq = 2",
    [bot.id],
  );
  await cleanUpNow();
  expect((await storedFor(here, bot)).map(({ seq }) => seq)).toEqual([2]);
  await issueIn(here, { assignee: bot.id });
  await drain();
  expect((await storedFor(here, bot)).map(({ seq }) => seq)).toEqual([2, 3]);
});
