import { settleEverywhere } from "../../src/domain/automation/agent-sessions/settle.ts";
import { backgroundOf } from "../../src/domain/events/background.ts";
import type { World } from "../support/world.ts";

/** Agents and their sessions, for tests. */

export type Agent = Awaited<ReturnType<typeof agent>>;

/** An agent with a key. Its owner is the owner of the workspace. */
export async function agent(here: World) {
  const body = { name: "Bot", agent_name: "Bot", scopes: ["write"] };
  const id = (await here.owner.post("W/api-keys", body).expect(201)).data.agent_id as string;
  const person = await here.as({ role: "member" });
  return { id, client: await here.keyFor(Object.assign(person, { userId: id }), { scopes: ["write"] }) };
}

export const issue = async (here: Pick<World, "owner">) =>
  (await here.owner.post("P/issues", { title: "One" }).expect(201)).data as { id: string; key: string };

/** Starts a session on an issue, or on a new one, and moves it to a state. */
export async function session(here: World, { client }: Pick<Agent, "client">, key?: string, state?: string) {
  const issue_key = key ?? (await issue(here)).key;
  const { data } = await client.post("W/agent-sessions", { title: "Fix it", issue_key }).expect(201);
  if (state) await client.patch(`W/agent-sessions/${data.id}`, { state }).expect(200);
  return data as { id: string; issue_key: string; issue_id: string };
}

export const read = async ({ owner }: Pick<World, "owner">, { id }: { id: string }) =>
  (await owner.get(`W/agent-sessions/${id}`).expect(200)).data;

export const background = ({ app: { resources } }: World) => backgroundOf(resources, new Date().toISOString());

/** Runs the sweep once. */
export const sweep = (here: World, hours = 24) => {
  const ctx = background(here);
  const settings = { ...ctx.settings, agentHeartbeatHours: hours };
  return settleEverywhere({ ...ctx, settings }, new AbortController().signal);
};

export const setPaused = (here: Pick<World, "owner">, agentId: string, paused: boolean) =>
  here.owner.patch(`W/agents/${agentId}`, { paused }).expect(200);

export const revoke = (here: Pick<World, "owner">, agentId: string) =>
  here.owner.delete(`W/agents/${agentId}`).expect(200);
