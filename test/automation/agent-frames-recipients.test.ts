import { expect, test } from "vitest";
import { agentSpendCapReached, agentSpendWarning } from "../../src/domain/access/agents/events.ts";
import { readAgentDetails } from "../../src/domain/access/agents/read.sql.ts";
import { record } from "../../src/domain/events/record.ts";
import { closeStreams } from "../../src/workers/knowledge/close-streams.ts";
import { actingAs, transact } from "../support/acting.ts";
import { drain } from "../support/jobs.ts";
import { type World, world } from "../support/world.ts";
import { apply, RULE } from "./acting.ts";
import { start, workflow } from "./flows.ts";
import { type Agent, agentIn, heardBy, issueIn, namesFor, storedFor } from "./framed.ts";

/** Which agents are told of each event, and what. */

/** Name and context of what an agent is told, and the id of its object. */
async function toldOf(here: World, agent: Agent) {
  await drain();
  const frames = await storedFor(here, agent);
  return frames.map(({ event, data }) => ({ event, about: data.data?.id, ...data.context }));
}

const sessionOf = async (agent: Agent, issue: { key: string }) =>
  (await agent.client.post("W/agent-sessions", { title: "Fix it", issue_key: issue.key }).expect(201)).data;

test("assignments reach the agents that were added or removed, whoever else is assigned", async () => {
  const here = await world();
  const [bot, other] = [await agentIn(here), await agentIn(here, "Other")];
  const issue = await issueIn(here, { assignee_ids: [here.owner.userId, bot.id] });
  const patch = (assignee_ids: string[]) => here.owner.patch(`P/issues/${issue.key}`, { assignee_ids }).expect(200);
  await patch([bot.id, other.id]);
  await patch([here.owner.userId]);
  const about = { about: issue.id, assigned_by: here.owner.userId };
  expect(await toldOf(here, bot)).toEqual([
    { event: "issue.assigned", ...about },
    { event: "issue.unassigned", ...about },
  ]);
  expect(await toldOf(here, other)).toEqual([
    { event: "issue.assigned", ...about },
    { event: "issue.unassigned", ...about },
  ]);
  // What an agent does itself is no news to it.
  await bot.client.patch(`P/issues/${issue.key}`, { assignee_ids: [bot.id, other.id] }).expect(200);
  await drain();
  expect(await namesFor(here, bot)).toHaveLength(2);
  expect(await namesFor(here, other)).toHaveLength(3);
});

test("mentions in issues, comments, docs and their comments, once for each text", async () => {
  const here = await world();
  const [bot, other] = [await agentIn(here), await agentIn(here, "Other")];
  const text = `Ask ${bot.mention}.`;
  const issue = await issueIn(here, { description_md: text });
  const path = `P/issues/${issue.key}`;
  const comment = (await here.owner.post(`${path}/comments`, { body_md: text }).expect(201)).data;
  const doc = (await here.owner.post("W/docs", { title: "Plan", body_md: text }).expect(201)).data;
  const note = (await here.owner.post(`W/docs/${doc.id}/comments`, { body_md: text }).expect(201)).data;
  const mentions = (changes: object) => ({
    event: "mention.created",
    issue_key: null,
    doc_id: null,
    channel_id: null,
    text,
    ...changes,
  });
  const expected = [
    mentions({ about: issue.id, source: "issue", issue_key: issue.key }),
    mentions({ about: comment.id, source: "issue_comment", issue_key: issue.key }),
    mentions({ about: doc.id, source: "doc", doc_id: doc.id }),
    mentions({ about: note.id, source: "doc_comment", doc_id: doc.id }),
  ];
  expect(await toldOf(here, bot)).toEqual(expected);

  // Changes mention those who were not mentioned before.
  const both = `${text} Or ${other.mention}.`;
  await here.owner.patch(path, { description_md: both }).expect(200);
  await here.owner.patch(`${path}/comments/${comment.id}`, { body_md: both }).expect(200);
  await here.owner.patch(`W/docs/${doc.id}`, { body_md: both }).expect(200);
  await here.owner.patch(`W/docs/${doc.id}/comments/${note.id}`, { body_md: both }).expect(200);
  expect(await toldOf(here, other)).toEqual(expected.map((one) => ({ ...one, text: both })));
  expect(await toldOf(here, bot)).toEqual(expected);
  await bot.client.post(`${path}/comments`, { body_md: `I am ${bot.mention}` }).expect(201);
  expect(await toldOf(here, bot)).toEqual(expected);
});

test("of a long text, the part around the mention", async () => {
  const here = await world();
  const bot = await agentIn(here);
  await issueIn(here, { description_md: `${"a".repeat(10_000)} ${bot.mention} ${"😀".repeat(5_000)}` });
  const [{ text }] = (await toldOf(here, bot)) as unknown as [{ text: string }];
  expect(text).toContain(bot.mention);
  expect(text.length).toBeLessThanOrEqual(4_000);
});

test("nothing of what an agent cannot see", async () => {
  const here = await world();
  const hidden = await here.hidden();
  const [bot, elsewhere] = [await agentIn(here), await agentIn(await here.other())];
  const text = `Ask ${bot.mention} and ${elsewhere.mention}`;
  await issueIn(hidden, { description_md: text });
  const secret = (await here.owner.post("W/docs", { title: "Mine", visibility: "private", body_md: text }).expect(201))
    .data;
  await here.owner.post(`W/docs/${secret.id}/comments`, { body_md: text }).expect(201);
  expect(await toldOf(here, bot)).toEqual([]);

  const doc = (await here.owner.post("W/docs", { title: "Ours", body_md: text }).expect(201)).data;
  expect(await toldOf(here, bot)).toHaveLength(1);
  await here.owner.patch(`W/docs/${doc.id}`, { visibility: "private" }).expect(200);
  expect(await toldOf(here, bot)).toEqual([]);
  await here.owner.patch(`W/docs/${doc.id}`, { visibility: "workspace" }).expect(200);
  // A doc that is shared again mentions everybody in it.
  expect((await toldOf(here, bot)).map(({ event }) => event)).toEqual(["mention.created", "mention.created"]);
  await drain();
  expect(await here.sql("select 1 from agent_frame where agent_id = $1", [elsewhere.id])).toEqual([]);
});

test("nothing to agents without a live key, and to suspended ones", async () => {
  const here = await world();
  const [bot, revoked, suspended] = [await agentIn(here), await agentIn(here, "Gone"), await agentIn(here, "Held")];
  await here.sql("update api_key set revoked_at = now() where user_id = $1", [revoked.id]);
  await here.sql("update member set status = 'suspended' where user_id = $1", [suspended.id]);
  const all = [bot, revoked, suspended];
  await here.sql(
    `insert into event (id, workspace_id, type, project_id, actor_kind, cause, data, context, created_at)
     values (uuidv7(), $1, 'issue.assigned', $2, 'user', '{}', '{}', $3, now())`,
    [here.workspace.id, here.project.id, JSON.stringify({ added: all.map(({ id }) => id) })],
  );
  await here.sql(
    "insert into outbox (event_id, workspace_id, type) select id, workspace_id, type from event where workspace_id = $1 and type = 'issue.assigned'",
    [here.workspace.id],
  );
  await drain();
  const rows = await here.sql("select agent_id from agent_frame where workspace_id = $1", [here.workspace.id]);
  expect(rows).toEqual([{ agent_id: bot.id }]);
});

test("an agent hears of its sessions, also of what it did itself, and of none of others", async () => {
  const here = await world();
  const [bot, other] = [await agentIn(here), await agentIn(here, "Other")];
  const issue = await issueIn(here);
  const own = await sessionOf(bot, issue);
  const path = `W/agent-sessions/${own.id}`;
  await bot.client.patch(path, { note: "Half way" }).expect(200);
  await bot.client.patch(path, {}).expect(200);
  await here.owner.patch(path, { state: "cancelled" }).expect(200);
  const started = (await here.owner.post("W/agent-sessions", { title: "Do it", agent_id: bot.id }).expect(201)).data;
  expect(await toldOf(here, bot)).toEqual([
    { event: "agent_session.updated", about: own.id },
    { event: "agent_session.state_changed", about: own.id },
    { event: "agent_session.created", about: started.id },
  ]);
  const [changed] = await storedFor(here, bot);
  expect(changed!.data).toMatchObject({ previous: { note: null }, changed: ["note"], data: { note: "Half way" } });
  expect(await toldOf(here, other)).toEqual([]);
});

test("what people write goes to every agent with an open session on the issue, as the answer to its question", async () => {
  const here = await world();
  const [bot, other, third] = [await agentIn(here), await agentIn(here, "Other"), await agentIn(here, "Third")];
  const [issue, elsewhere] = [await issueIn(here), await issueIn(here)];
  const [own, its] = [await sessionOf(bot, issue), await sessionOf(other, issue)];
  await sessionOf(third, elsewhere);
  const ended = await sessionOf(third, issue);
  await third.client.patch(`W/agent-sessions/${ended.id}`, { state: "done" }).expect(200);
  await bot.client
    .patch(`W/agent-sessions/${own.id}`, { state: "needs_input", question: { text: "Which one?" } })
    .expect(200);
  const path = `P/issues/${issue.key}/comments`;
  const comment = (await here.owner.post(path, { body_md: "The second." }).expect(201)).data;
  // Neither agents nor automations answer.
  await other.client.post(path, { body_md: "Me too" }).expect(201);
  await apply(here, { type: "add_comment", comment: "Reminder", target: "self" }, issue.id);
  const inputs = async (agent: Agent) =>
    (await toldOf(here, agent)).filter(({ event }) => event === "agent_session.input");
  const input = { event: "agent_session.input", about: comment.id, issue_key: issue.key };
  expect(await inputs(bot)).toEqual([{ ...input, session_id: own.id, answer_to: "Which one?" }]);
  expect(await inputs(other)).toEqual([{ ...input, session_id: its.id, answer_to: null }]);
  expect(await inputs(third)).toEqual([]);
});

test("a wake goes to its agent, with the issue or without one", async () => {
  const here = await world();
  const [bot, other] = [await agentIn(here), await agentIn(here, "Other")];
  const issue = await issueIn(here);
  const action = { type: "notify_agent", agent_user_id: bot.id, prompt: "Triage it" };
  await apply(here, action, issue.id);
  await apply(here, { ...action, prompt: null }, null);
  const wake = { event: "agent.wake", automation_id: RULE.id };
  expect(await toldOf(here, bot)).toEqual([
    { ...wake, about: issue.id, prompt: "Triage it" },
    { ...wake, about: undefined, prompt: null },
  ]);
  const [withIssue, without] = await storedFor(here, bot);
  expect(withIssue!.data.data).toMatchObject({ key: issue.key, title: "One" });
  expect(without!.data.data).toBeNull();
  expect(await toldOf(here, other)).toEqual([]);
});

test("stages of workflows tell their agent when they begin and when they are no longer wanted", async () => {
  const here = await world();
  const [bot, other] = [await agentIn(here), await agentIn(here, "Other")];
  const issue = await issueIn(here);
  const config = { title: "Fix it", instructions: "On main." };
  const flow = await workflow(
    here,
    [{ id: "fix", kind: "agent", assignee_user_id: bot.id, config }],
    [["start", "fix"]],
  );
  const run = await start(here, issue.key, flow);
  await here.owner.delete(`P/issues/${issue.key}/workflow`).expect(200);
  const told = (await toldOf(here, bot)).filter(({ event }) => event.startsWith("workflow."));
  const stage = { about: run.id, node_id: "fix", issue_key: issue.key, ...config };
  expect(told).toEqual([
    { event: "workflow.stage_activated", ...stage },
    { event: "workflow.stage_cancelled", ...stage },
  ]);
  expect(await toldOf(here, other)).toEqual([]);
});

test("an agent hears that it is paused and resumed, and of its spend, and nothing else of its profile", async () => {
  const here = await world();
  const [bot, other] = [await agentIn(here), await agentIn(here, "Other")];
  for (const change of [{ paused: true }, { description: "Sorts" }, { paused: false }]) {
    await here.owner.patch(`W/agents/${bot.id}`, change).expect(200);
  }
  const ctx = await actingAs(here, { userId: here.owner.userId });
  await transact(here.app, ctx, here.workspace.id, async (tx) => {
    const [detail] = await readAgentDetails(tx.db, here.workspace.id, [bot.id], tx.now);
    record(tx, agentSpendWarning, detail!);
    record(tx, agentSpendCapReached, detail!);
  });
  const names = ["agent.paused", "agent.resumed", "agent.spend_warning", "agent.spend_cap_reached"];
  expect(await toldOf(here, bot)).toEqual(names.map((event) => ({ event, about: bot.id })));
  const [paused] = await storedFor(here, bot);
  expect(paused!.data).toMatchObject({ type: "agent.paused", data: { paused: true, agent_id: bot.id } });
  expect(await toldOf(here, other)).toEqual([]);
});

test("messages are sent to the agents in their channel, and stored for nobody", async () => {
  const here = await world();
  const [bot, outside] = [await agentIn(here), await agentIn(here, "Outside")];
  const channel = (await here.owner.post("W/chat/channels", { name: "General" }).expect(201)).data;
  const closed = (await here.owner.post("W/chat/channels", { name: "Closed", kind: "private" }).expect(201)).data;
  const dm = (await here.owner.post("W/chat/dms", { user_ids: [bot.id] }).expect(201)).data;
  await here.owner.post(`W/chat/channels/${channel.id}/members`, { user_id: bot.id }).expect(201);
  const say = async (client: typeof here.owner, to: { id: string }, body_md: string) =>
    (await client.post(`W/chat/channels/${to.id}/messages`, { body_md }).expect(201)).data.id as string;
  let ids: string[] = [];
  const talk = async () => {
    await say(bot.client, channel, "My own");
    ids = [
      await say(here.owner, channel, "Hi"),
      await say(here.owner, dm, "You"),
      await say(here.owner, closed, `Not for ${outside.mention}`),
      await say(here.owner, channel, `For ${outside.mention}`),
    ];
  };
  let outsideHeard: Awaited<ReturnType<typeof heardBy>> = [];
  const heard = await heardBy(here, bot, async () => {
    outsideHeard = await heardBy(here, outside, talk);
  });
  const shown = heard.map(({ event, data }) => ({ event, about: data.data.id, ...data.context }));
  const created = { event: "chat.message.created" };
  const general = { id: channel.id, kind: "public", name: "General" };
  expect(shown).toEqual([
    { ...created, about: ids[0], channel: general },
    { ...created, about: ids[1], channel: { id: dm.id, kind: "dm", name: null } },
    { ...created, about: ids[3], channel: general },
  ]);
  expect(heard.every(({ id, data }) => id === null && data.sequence === null && !data.replayed)).toBe(true);
  expect(outsideHeard.map(({ event, data }) => ({ event, about: data.data.id, ...data.context }))).toEqual([
    {
      ...{ event: "mention.created", about: ids[3], source: "chat", text: `For ${outside.mention}` },
      ...{ channel_id: channel.id, issue_key: null, doc_id: null },
    },
  ]);
  expect(await here.sql("select 1 from agent_frame where workspace_id = $1", [here.workspace.id])).toEqual([]);
});

test("a streamed message is told once it is complete, with its whole text", async () => {
  const here = await world();
  const [bot, author, outside] = [await agentIn(here), await agentIn(here, "Author"), await agentIn(here, "Outside")];
  const channel = (await here.owner.post("W/chat/channels", { name: "General" }).expect(201)).data;
  for (const { id } of [bot, author]) {
    await here.owner.post(`W/chat/channels/${channel.id}/members`, { user_id: id }).expect(201);
  }
  const path = `W/chat/channels/${channel.id}/messages/stream`;
  const write = async (finish: (message_id: string) => Promise<unknown>) => {
    const { message_id } = (await author.client.post(path, { delta: "Ask " }).expect(201)).data;
    await author.client.post(path, { message_id, delta: outside.mention, seq: 1 }).expect(201);
    await drain();
    await finish(message_id);
  };
  const body_md = `Ask ${outside.mention}`;
  const told = { data: { body_md, streaming: false }, type: "chat.message.created" };
  const end = (message_id: string) => author.client.post(path, { message_id, seq: 2, done: true }).expect(201);
  const heard = await heardBy(here, bot, () => write(end));
  expect(heard).toMatchObject([{ event: "chat.message.created", data: told }]);
  expect(heard[0]!.data).not.toHaveProperty("changed");
  const mention = { event: "mention.created", data: { data: { body_md }, context: { source: "chat", text: body_md } } };
  expect(await heardBy(here, outside, () => write(end))).toMatchObject([mention]);

  // Nobody ends the message of an author who falls silent, who still does not hear of it.
  const silent = () =>
    write(async () => {
      await here.sql("update chat_message set stream_due_at = now() where stream_status = 'open'");
      await drain({ also: [closeStreams] });
    });
  expect(await heardBy(here, author, silent)).toEqual([]);
  expect(await heardBy(here, bot, silent)).toMatchObject([{ event: "chat.message.created", data: told }]);
});
