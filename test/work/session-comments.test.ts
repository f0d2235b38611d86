import { expect, test } from "vitest";
import { newId } from "../../src/domain/kernel/ids.ts";
import { agent, issue, read, session } from "../automation/sessions.ts";
import { drain } from "../support/jobs.ts";
import { type World, world } from "../support/world.ts";

/** Comments that agents write in their sessions. */

const silentSince = ({ sql }: World, id: string) =>
  sql(`update agent_session set last_activity_at = now() - interval '1 hour' where id = $1`, [id]);

test("an agent's comment names its session, which is the cause of its event and counts as a heartbeat", async () => {
  const here = await world({ webhook: ["comment.created"] });
  const bot = await agent(here);
  const one = await session(here, bot);
  await silentSince(here, one.id);
  expect(await read(here, one)).toMatchObject({ stalled: true });
  const body = { body_md: "Found it", session_id: one.id.toUpperCase(), external_id: "a" };
  const path = `P/issues/${one.issue_key}/comments`;
  const { data } = await bot.client.post(path, body).expect(201);
  expect(data).toMatchObject({ session_id: one.id, author_kind: "agent" });
  expect((await here.owner.get(path).expect(200)).data).toMatchObject([{ session_id: one.id }]);
  expect(await read(here, one)).toMatchObject({ stalled: false, state: "running" });

  // Without it the agent's comment is no sign of life.
  await silentSince(here, one.id);
  await bot.client.post(path, { body_md: "Aside" }).expect(201);
  expect(await read(here, one)).toMatchObject({ stalled: true });
  await drain();
  expect(here.receiver.requests.map(({ json }) => json)).toMatchObject([
    { data: { id: data.id }, cause: { agent_session_id: one.id } },
    { data: { body_md: "Aside" }, cause: { agent_session_id: null } },
  ]);
  const activity = (await here.owner.get(`P/issues/${one.issue_key}/activity`).expect(200)).data;
  const lines = activity.filter(({ kind }: { kind: string }) => kind === "commented");
  expect(lines.map((line: { payload: { cause: { session_id?: string } } }) => line.payload.cause.session_id)).toEqual([
    null,
    one.id,
  ]);
});

test("a comment's session must be the author's own, on the same issue", async () => {
  const here = await world();
  const [bot, other] = [await agent(here), await agent(here)];
  const one = await session(here, bot);
  const [elsewhere, theirs] = [await session(here, bot), await session(here, other, one.issue_key)];
  const free = (await bot.client.post("W/agent-sessions", { title: "Without an issue" }).expect(201)).data;
  const path = `P/issues/${one.issue_key}/comments`;
  await silentSince(here, theirs.id);
  for (const session_id of [elsewhere.id, theirs.id, free.id, newId(), "mine"]) {
    const reply = await bot.client.post(path, { body_md: "x", session_id }).expect(400);
    expect(["invalid_reference", "validation_failed"]).toContain(reply.body.code);
  }
  await bot.client.post(path, { body_md: "x", session_id: theirs.id }).expect(400, "invalid_reference");
  await here.owner.post(path, { body_md: "x", session_id: one.id }).expect(400, "invalid_reference");
  expect(await read(here, theirs)).toMatchObject({ stalled: true });
  expect((await here.owner.get(path).expect(200)).data).toEqual([]);

  const items = [
    { body_md: "one", session_id: one.id },
    { body_md: "two" },
    { body_md: "three", session_id: theirs.id },
    { body_md: "four", session_id: one.id },
  ];
  const { data } = await bot.client.post(`${path}/bulk`, { items }).expect(207);
  expect(data.map(({ status }: { status: number }) => status)).toEqual([201, 201, 400, 201]);
  const events = await here.sql(
    `select data ->> 'body_md' as body, cause ->> 'session_id' as session from event
     where workspace_id = $1 and type = 'comment.created' order by id`,
    [here.workspace.id],
  );
  expect(events).toEqual([
    { body: "one", session: one.id },
    { body: "two", session: null },
    { body: "four", session: one.id },
  ]);
});

test("a session is verified by a comment of its agent since its start, until that is deleted", async () => {
  const here = await world();
  const bot = await agent(here);
  const { key } = await issue(here);
  const path = `P/issues/${key}/comments`;
  await bot.client.post(path, { body_md: "Before" }).expect(201);
  await here.sql(`update comment set created_at = created_at - interval '1 minute' where workspace_id = $1`, [
    here.workspace.id,
  ]);
  const one = await session(here, bot, key, "done");
  expect(await read(here, one)).toMatchObject({ unverified: true });
  await here.owner.post(path, { body_md: "Is it done?" }).expect(201);
  expect(await read(here, one)).toMatchObject({ unverified: true });
  const { data } = await bot.client.post(path, { body_md: "It is", session_id: one.id }).expect(201);
  expect(await read(here, one)).toMatchObject({ unverified: false, state: "done" });
  await bot.client.delete(`${path}/${data.id}`).expect(200);
  expect(await read(here, one)).toMatchObject({ unverified: true });
});
