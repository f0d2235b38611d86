import { agentRevoked, agentUpdated } from "../../src/domain/access/agents/events.ts";
import { readAgentDetails } from "../../src/domain/access/agents/read.sql.ts";
import { settleEverywhere } from "../../src/domain/automation/agent-sessions/settle.ts";
import { backgroundOf, write } from "../../src/domain/events/background.ts";
import { record, recordChange } from "../../src/domain/events/record.ts";
import type { InWorkspace } from "../../src/domain/kernel/context.ts";
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

/** Pauses or resumes an agent, and records it. */
export const setPaused = (here: World, agentId: string, paused: boolean): Promise<void> =>
  changeAgent(here, agentId, `paused_at = ${paused ? "now()" : "null"}`, (ctx, before, after) =>
    recordChange(ctx, agentUpdated, before, after),
  );

/** Marks an agent as revoked, and records it. */
export const revoke = (here: World, agentId: string): Promise<void> =>
  changeAgent(here, agentId, "revoked_at = now()", (ctx, _, after) => record(ctx, agentRevoked, after));

type Recording = Parameters<Parameters<typeof write<ReturnType<typeof background> & InWorkspace, void>>[2]>[0];
type Detail = Awaited<ReturnType<typeof readAgentDetails>>[number];

async function changeAgent(
  here: World,
  agentId: string,
  set: string,
  recorded: (ctx: Recording, before: Detail, after: Detail) => void,
): Promise<void> {
  const workspace = { ...here.workspace, name: "", plan: "business" };
  const base = { ...background(here), workspace } as ReturnType<typeof background> & InWorkspace;
  await write(base, here.workspace.id, async (ctx) => {
    const detail = async () => (await readAgentDetails(ctx.tx, here.workspace.id, [agentId], ctx.now))[0]!;
    const before = await detail();
    await ctx.tx.query({ text: `update agent set ${set} where user_id = $1` }, [agentId]);
    recorded(ctx, before, await detail());
  });
}
