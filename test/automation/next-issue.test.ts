import pg from "pg";
import { expect, test } from "vitest";
import { startWeb } from "../../src/start-web.ts";
import { app } from "../support/app.ts";
import { Client } from "../support/client.ts";
import { hold, waitersFor } from "../support/locks.ts";
import { type World, world } from "../support/world.ts";

/** `issue_key: "next"`: a session on the first issue that is ready. */

async function agentIn(here: World, name = "Bot") {
  const body = { name, agent_name: name, scopes: ["write"] };
  const id = (await here.owner.post("W/api-keys", body).expect(201)).data.agent_id as string;
  const member = Object.assign(await here.as({ role: "member" }), { userId: id });
  return { id, client: await here.keyFor(member, { scopes: ["write"] }) };
}
const file = async ({ owner }: World, more: Record<string, unknown> = {}) =>
  (await owner.post("P/issues", { title: "x", ...more }).expect(201)).data as { id: string; key: string };
const BODY = { title: "x", issue_key: "next", project: "WEB" };
const next = (client: Client, more: Record<string, unknown> = {}) =>
  client.post("W/agent-sessions", { ...BODY, ...more });

test("an agent gets the first ready issue by rank, and another one each time", async () => {
  const here = await world();
  const bot = await agentIn(here);
  const [last, first] = [await file(here), await file(here)];
  await here.owner.patch(`P/issues/${first.key}`, { before: last.key }).expect(200);
  const { data } = await next(bot.client).expect(201);
  expect(data).toMatchObject({ issue_id: first.id, issue_key: first.key, claim: true, claimed_by: bot.id });
  expect((await next(bot.client).expect(201)).data.issue_key).toBe(last.key);
  await next(bot.client).expect(409, "nothing_ready");
});

test("the same Idempotency-Key gives the same issue", async () => {
  const here = await world();
  const bot = await agentIn(here);
  await file(here);
  await file(here);
  const once = () =>
    bot.client.post(
      "W/agent-sessions",
      { title: "x", issue_key: "Next", project: here.project.id },
      { headers: { "Idempotency-Key": "one" } },
    );
  const first = (await once().expect(201)).data;
  expect((await once().expect(201)).data.id).toBe(first.id);
});

test("filters choose among ready issues", async () => {
  const here = await world();
  const bot = await agentIn(here);
  await here.owner.post("P/labels", { name: "easy" }).expect(201);
  await file(here, { priority: "low" });
  const [high, easy] = [await file(here, { priority: "high" }), await file(here, { labels: ["easy"] })];
  expect((await next(bot.client, { filter: { label: "easy" } }).expect(201)).data.issue_key).toBe(easy.key);
  expect((await next(bot.client, { filter: { priority: "high,critical" } }).expect(201)).data.issue_key).toBe(high.key);
  const none = await next(bot.client, { filter: { label: "easy" } }).expect(409, "nothing_ready");
  expect(none.body.error.details.counts).toMatchObject({ open: 1, held: 1 });
  const unknown = await next(bot.client, { filter: { label: "unheard of" } }).expect(400, "validation_failed");
  expect(unknown.body.detail).toMatch(/^filter\.label: unheard of is not a label of this project\. /);

  const wrong = await next(bot.client, { filter: { priority: "huge" } }).expect(400, "validation_failed");
  expect(wrong.body.error.details.errors[0].path).toBe("/filter/priority");
  await next(bot.client, { filter: { ready: "true" } }).expect(400);
  await bot.client.post("W/agent-sessions", { title: "x", issue_key: "next" }).expect(400, "validation_failed");
  await bot.client.post("W/agent-sessions", { title: "x", filter: { label: "easy" } }).expect(400, "validation_failed");
});

test("a refusal says what stands in the way of each issue", async () => {
  const here = await world();
  const { owner, columns } = here;
  const [bot, other] = [await agentIn(here), await agentIn(here, "Other")];
  const hidden = await here.hidden();
  const secret = (await hidden.owner.post("P/issues", { title: "s" }).expect(201)).data;
  const [held, blocked, mine, review, stuck] = [
    await file(here),
    await file(here),
    await file(here, { assignee: owner.userId }),
    await file(here, { status: "in_review" }),
    await file(here, { status: "backlog" }),
  ];
  await file(here, { status: "done" });
  const session = (await next(other.client).expect(201)).data;
  for (const blocker of [held, secret]) {
    const link = { kind: "blocks", target_key: blocked.key };
    const place = blocker === secret ? hidden.owner : owner;
    await place.post(`P/issues/${blocker.key}/links`, link).expect(201);
  }
  const rules = { [columns.Backlog!]: [columns["To Do"]] };
  await owner.patch("P", { transition_rules: rules }).expect(200);
  const { details } = (await next(bot.client).expect(409, "nothing_ready")).body.error;
  expect(details).toEqual({
    counts: {
      ...{ open: 5, blocked: 1, held: 1, in_review: 1, assigned_to_others: 1 },
      ...{ not_allowed_by_board: 1, being_changed: 0 },
    },
    more: false,
    examples: {
      held: [
        {
          issue_key: held.key,
          held_by: [{ session_id: session.id, agent_id: other.id, agent_name: "Other" }],
        },
      ],
      // The blocker in a project that the agent does not see has no key here.
      blocked: [{ issue_key: blocked.key, blocked_by: [held.key] }],
      assigned_to_others: [{ issue_key: mine.key, assignee_ids: [owner.userId] }],
      in_review: [{ issue_key: review.key }],
      not_allowed_by_board: [{ issue_key: stuck.key }],
    },
  });
});

test("people ask for an agent of theirs, which has to see the project", async () => {
  const here = await world();
  const bot = await agentIn(here);
  const theirs = await file(here, { assignee: here.owner.userId });
  const its = await file(here, { assignee: bot.id });
  const { data } = await next(here.owner, { agent_id: bot.id }).expect(201);
  expect(data).toMatchObject({ agent_id: bot.id, issue_key: its.key });
  expect((await next(here.owner).expect(201)).data).toMatchObject({
    agent_id: here.owner.userId,
    issue_key: theirs.key,
  });
  const hidden = await here.hidden();
  await hidden.owner.post("P/issues", { title: "s" }).expect(201);
  const project = hidden.project.key;
  await next(here.owner, { agent_id: bot.id, project }).expect(400, "invalid_reference");
  await next(bot.client, { project }).expect(400, "invalid_reference");
  const viewer = await here.as({ role: "member", projectRole: "viewer" });
  await next(viewer).expect(403, "insufficient_role");
});

test("an issue that another call has locked is passed over at once", async () => {
  const here = await world();
  const bot = await agentIn(here);
  const [first, second] = [await file(here), await file(here)];
  const release = await hold("select 1 from issue where id = $1 for no key update", [first.id]);
  expect((await next(bot.client).expect(201)).data.issue_key).toBe(second.key);
  await release();
  expect((await next(bot.client).expect(201)).data.issue_key).toBe(first.key);
});

test("if only a locked issue is left, a call waits for it and then decides", async () => {
  const here = await world();
  const bot = await agentIn(here);
  const only = await file(here);
  const lock = "select 1 from issue where id = $1 for no key update";
  let release = await hold(lock, [only.id]);
  const call = Promise.resolve(next(bot.client));
  await waitersFor(here, 1);
  await release();
  expect(await call).toMatchObject({ status: 201, data: { issue_key: only.key } });

  const last = await file(here);
  release = await hold(lock, [last.id]);
  const late = Promise.resolve(next(bot.client));
  await waitersFor(here, 1);
  await release();
  // Whoever is first after the wait gets it.
  const replies = [await late, await next(bot.client)];
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 409]);
});

/** Looks for statements that wait for locks until it is stopped; returns how many it saw. */
async function watchLocks(): Promise<() => Promise<number>> {
  const client = new pg.Client({ connectionString: (await app()).config.DATABASE_URL });
  await client.connect();
  const text = `select count(*)::int as waiting from pg_stat_activity
                where datname = current_database() and wait_event_type = 'Lock'`;
  let [stopped, waited] = [false, 0];
  const watching = (async () => {
    while (!stopped) {
      waited += (await client.query<{ waiting: number }>(text)).rows[0]!.waiting;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  })();
  return async () => {
    stopped = true;
    await watching;
    await client.end();
    return waited;
  };
}

/** Agents and people in turn, because a workspace has at most 25 agents. */
const caller = async (here: World, n: number) => (n % 2 ? here.as({ role: "member" }) : (await agentIn(here)).client);

test("of fifty who ask two web processes at once, each gets another issue, and none waits", async () => {
  const here = await world();
  const { config } = await app();
  const second = await startWeb(config);
  const agents: Client[] = [];
  for (let n = 0; n < 50; n++) {
    await file(here);
    const client = await caller(here, n);
    const places = { W: `/v1/workspaces/${here.workspace.slug}` };
    agents.push(n % 4 < 2 ? client : new Client(`http://127.0.0.1:${second.port}`, places, client));
  }
  const stop = await watchLocks();
  const sessions = await Promise.all(agents.map(async (client) => (await next(client).expect(201)).data));
  const waits = await stop();
  expect(new Set(sessions.map(({ issue_key }) => issue_key)).size).toBe(50);
  expect(waits).toBe(0);
  await next(agents[0]!).expect(409, "nothing_ready");
  await second.stop();
});

test("of fifty who ask for ten issues, ten get one each and the others are told why not", async () => {
  const here = await world();
  const agents = [];
  for (let n = 0; n < 50; n++) agents.push(await caller(here, n));
  for (let n = 0; n < 10; n++) await file(here);
  const replies = await Promise.all(agents.map((client) => client.call("POST", "W/agent-sessions", BODY)));
  const started = replies.filter(({ status }) => status === 201);
  expect(new Set(started.map(({ data }) => data.issue_key)).size).toBe(10);
  expect(started).toHaveLength(10);
  const refused = replies.filter(({ body }) => body.code === "nothing_ready");
  expect(refused).toHaveLength(40);
  expect(refused.map(({ body }) => body.error.details.counts)).toEqual(
    refused.map(() => expect.objectContaining({ open: 10, held: 10, being_changed: 0 })),
  );
});
