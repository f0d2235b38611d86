import { listenToAgent } from "../../src/domain/automation/agent-events/live.ts";
import { readFrames } from "../../src/domain/automation/agent-events/replay.ts";
import { expect } from "vitest";
import { undocumentedFrame } from "../contract/conformance.ts";
import type { Client } from "../support/client.ts";
import { drain } from "../support/jobs.ts";
import type { World } from "../support/world.ts";

/** Agents and what they are told. */

export type Agent = { id: string; name: string; client: Client; mention: string };

export async function agentIn(here: World, name = "Bot"): Promise<Agent> {
  const body = { name, agent_name: name, scopes: ["write"] };
  const id = (await here.owner.post("W/api-keys", body).expect(201)).data.agent_id as string;
  const client = await here.keyFor(Object.assign(await here.as({ role: "member" }), { userId: id }), {
    scopes: ["write"],
  });
  return { id, name, client, mention: `@[${name}](${id})` };
}

export const issueIn = async (here: World, body: object = {}) =>
  (await here.owner.post("P/issues", { title: "One", ...body }).expect(201)).data;

export type Told = {
  id: string;
  type: string;
  sequence: number | null;
  data: Record<string, unknown>;
  context: Record<string, unknown>;
  replayed: boolean;
} & Record<string, unknown>;

/** The fields of a frame, as a client reads them. */
export function parsed(text: string): { id: string | null; event: string; data: Told } {
  const [, id = null, event, data] = /^(?:id: (.+)\n)?event: (.+)\ndata: (.+)\n\n$/.exec(text)!;
  const frame = { event: event!, data: JSON.parse(data!) as Told };
  const sent = id === null ? frame : { id, ...frame };
  expect(undocumentedFrame("/v1/workspaces/{slug}/agent-events", sent)).toEqual([]);
  return { id, ...frame };
}

/** The stored frames that the agent may see. */
export async function storedFor({ app, workspace }: World, agent: { id: string }) {
  const options = { after: 0, limit: 1_000, replayed: true };
  const { frames } = await readFrames(app.resources.database, workspace, agent.id, options);
  return frames.map(({ seq, project_id, text }) => ({ seq, project_id, ...parsed(text) }));
}

export const namesFor = async (here: World, agent: { id: string }) =>
  (await storedFor(here, agent)).map(({ event }) => event);

/** What is sent to the open streams of an agent while `work` runs. */
export async function heardBy({ app }: World, agent: { id: string }, work: () => Promise<unknown>) {
  const heard: ReturnType<typeof parsed>[] = [];
  const started = Promise.withResolvers<void>();
  const end = listenToAgent(app.resources.ports, agent.id, {
    heard: (frames) => heard.push(...frames.map(({ text }) => parsed(text))),
    listening: () => started.resolve(),
  });
  await started.promise;
  try {
    await work();
    await drain();
    // A message that is sent now is the last one that arrives.
    await new Promise((resolve) => setTimeout(resolve, 50));
  } finally {
    end();
  }
  return heard;
}
