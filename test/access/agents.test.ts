import { expect, test } from "vitest";
import { FIELD_NAMES } from "../../src/domain/access/agents/field-policy.ts";
import { newId } from "../../src/domain/kernel/ids.ts";
import { agentIn } from "../support/agents.ts";
import { type World, world } from "../support/world.ts";

/** Profiles of agents: who reads and changes them, and what they contain. */

const updates = (here: World) =>
  here.sql<{ changed: string[] }>(
    `select changed from event where workspace_id = $1 and type = 'agent.updated' order by id`,
    [here.workspace.id],
  );

test("members read agents, newest first and page by page; guests see none", async () => {
  const here = await world();
  const first = await agentIn(here, { agent_name: "Triage bot" });
  const second = await agentIn(here, { agent_name: "Fixer" });
  const rows = (await here.owner.get("W/agents").expect(200)).data;
  expect(rows.map((row: { agent_id: string }) => row.agent_id)).toEqual([second.id, first.id]);
  expect(JSON.stringify(rows)).not.toContain("@");
  const page = (await here.owner.get("W/agents?limit=1").expect(200)).body;
  const next = (await here.owner.get(`W/agents?limit=1&cursor=${page.pagination.next_cursor}`).expect(200)).body;
  expect([page.data[0].agent_id, next.data[0].agent_id, next.pagination.next_cursor]).toEqual([
    second.id,
    first.id,
    null,
  ]);

  const viewer = await here.as({ role: "viewer" });
  expect((await viewer.get(first.path).expect(200)).data).toMatchObject({
    id: first.id,
    agent_id: first.id,
    name: "Triage bot",
    handle: "triage-bot",
    owner_user_id: here.owner.userId,
    credential: "key",
    key_revoked: false,
    key_scopes: ["write"],
    field_policy: null,
    paused: false,
    online: false,
  });
  expect((await first.client.get("W/agents/me").expect(200)).data.id).toBe(first.id);
  await here.owner.get("W/agents/me").expect(403, "agent_key_required");
  const guest = await here.as({ role: "guest" });
  expect((await guest.get("W/agents").expect(200)).data).toEqual([]);
  await guest.get(first.path).expect(404);
  const elsewhere = await here.other();
  await elsewhere.owner.get(first.path).expect(404);
  await elsewhere.owner.patch(first.path, { paused: true }).expect(404);
});

test("its owner and admins change an agent; others and the agent itself may not", async () => {
  const here = await world();
  const admin = await here.as({ role: "admin" });
  const bot = await agentIn(here, { by: admin });
  await here.owner.patch(`W/members/${admin.userId}`, { role: "member" }).expect(200);
  expect((await admin.patch(bot.path, { description: "Mine" }).expect(200)).data.description).toBe("Mine");
  expect((await here.owner.patch(bot.path, { description: "" }).expect(200)).data.description).toBeNull();
  const member = await here.as({ role: "member" });
  for (const client of [member, bot.client])
    await client.patch(bot.path, { kind: "x" }).expect(403, "not_owner_of_resource");
  await (await here.as({ role: "viewer" })).patch(bot.path, { kind: "x" }).expect(403, "insufficient_role");
  expect(await updates(here)).toEqual([{ changed: ["description"] }, { changed: ["description"] }]);
});

test("every field can be changed, and a whole profile that comes back changes nothing", async () => {
  const here = await world();
  const bot = await agentIn(here);
  const body = {
    name: "Triage",
    description: "Sorts\nissues",
    handle: "@Sorter",
    kind: "Claude",
    spend_cap_usd: 12.3456789,
    spend_cap_action: "block",
    field_policy: ["status_id", "status", "Add_Labels"],
    paused: true,
  };
  const changed = (await here.owner.patch(bot.path, body).expect(200)).data;
  expect(changed).toMatchObject({
    ...body,
    handle: "sorter",
    kind: "claude",
    spend_cap_usd: 12.345679,
    field_policy: ["status", "labels"],
  });
  const read = await here.owner.get(bot.path).expect(200);
  expect(read.data).toEqual(changed);
  expect((await here.owner.patch(bot.path, read.data).expect(200)).data).toEqual(changed);
  expect(await updates(here)).toHaveLength(1);

  const tag = read.headers.get("etag")!;
  const match = { headers: { "If-Match": tag } };
  const cleared = { spend_cap_usd: null, field_policy: null, description: null, paused: false };
  expect((await here.owner.patch(bot.path, cleared, match).expect(200)).data).toMatchObject(cleared);
  await here.owner.patch(bot.path, { name: "Late" }, match).expect(412);
});

test("a handle is made from the name, is unique in the workspace, and can be changed to a free one", async () => {
  const here = await world();
  const [first, second] = [
    await agentIn(here, { agent_name: "Ünïcode  Bot!" }),
    await agentIn(here, { agent_name: "unicode bot" }),
  ];
  const handleOf = async ({ path }: { path: string }) => (await here.owner.get(path).expect(200)).data.handle;
  expect([await handleOf(first), await handleOf(second)]).toEqual(["unicode-bot", "unicode-bot-2"]);
  expect(await handleOf(await agentIn(here, { agent_name: "бот" }))).toBe("bot");
  const refusal = await here.owner.patch(second.path, { handle: "Unicode-Bot" }).expect(409, "already_exists");
  expect(refusal.body.error.details.existing_id).toBe(first.id);
  await here.owner.patch(first.path, { handle: "other" }).expect(200);
  await here.owner.patch(second.path, { handle: "unicode-bot" }).expect(200);
  for (const handle of ["", "-a", "a--b", "a b", "ä", newId(), "x".repeat(41)])
    await here.owner.patch(first.path, { handle }).expect(400, "validation_failed");
  const elsewhere = await here.other();
  expect(
    (await elsewhere.owner.get((await agentIn(elsewhere, { agent_name: "other" })).path).expect(200)).data.handle,
  ).toBe("other");
});

test("two agents that get the same handle at once: one gets it", async () => {
  const here = await world();
  const bots = [await agentIn(here), await agentIn(here), await agentIn(here)];
  const replies = await Promise.all(bots.map(({ path }) => here.owner.patch(path, { handle: "wanted" })));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
});

test("a field policy takes names of fields and custom fields of the workspace", async () => {
  const here = await world();
  const bot = await agentIn(here);
  const set = (field_policy: unknown) => here.owner.patch(bot.path, { field_policy });
  expect((await set([...FIELD_NAMES]).expect(200)).data.field_policy).toEqual([...FIELD_NAMES]);
  expect((await set([]).expect(200)).data.field_policy).toEqual([]);
  const unknown = await set(["status", "colour"]).expect(400, "validation_failed");
  expect(unknown.body.error.details.errors[0]).toMatchObject({ path: "/field_policy/1", code: "not_allowed" });
  expect(unknown.body.error.details.errors[0].allowed).toContain("assignee");
  const field = (await here.owner.post("P/custom-field-defs", { name: "Team", kind: "text" }).expect(201)).data;
  const name = `custom_field:${field.id}`;
  expect((await set([name.toUpperCase(), name]).expect(200)).data.field_policy).toEqual([name]);
  await set([`custom_field:${newId()}`]).expect(400, "invalid_reference");
  await set(["custom_field:x"]).expect(400, "validation_failed");
  await here.owner.delete(`P/custom-field-defs/${field.id}`).expect(200);
  // A policy that names a deleted field can come back with another change.
  await set([name, "title"]).expect(200);
  await set(["title"]).expect(200);
  await set([name]).expect(400, "invalid_reference");
});

test("a profile shows when the agent was last active, also if it reports no usage", async () => {
  const here = await world();
  const bot = await agentIn(here);
  const lastActivity = async () => (await here.owner.get(bot.path).expect(200)).data.last_activity_at;
  expect(await lastActivity()).toBeNull();
  const session = (await bot.client.post("W/agent-sessions", { title: "x" }).expect(201)).data;
  expect(await lastActivity()).toBe(session.last_activity_at);
  const beat = (await bot.client.patch(`W/agent-sessions/${session.id}`, {}).expect(200)).data;
  expect(await lastActivity()).toBe(beat.last_activity_at);
  expect((await here.owner.get("W/agents").expect(200)).data[0].last_activity_at).toBe(beat.last_activity_at);
});
