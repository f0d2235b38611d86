import { setTimeout as sleep } from "node:timers/promises";
import { frameOf } from "../../src/domain/automation/agent-events/frame.ts";
import { publishFrames } from "../../src/domain/automation/agent-events/live.ts";
import { newId } from "../../src/domain/kernel/ids.ts";
import type { Client } from "./client.ts";
import type { World } from "./world.ts";

/** An agent with a key of its own. */
export async function agentIn(here: World, key: { projectIds?: string[]; scopes?: string[] } = {}) {
  const body = { name: "Bot", agent_name: `Bot ${newId()}`, scopes: ["write"] };
  const { agent_id: id, id: keyId } = (await here.owner.post("W/api-keys", body).expect(201)).data;
  const person = await here.as({ role: "member" });
  const client = await here.keyFor(Object.assign(person, { userId: id as string }), {
    scopes: ["write"],
    kind: "agent",
    ...key,
  });
  return { id: id as string, keyId: keyId as string, client };
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into messages freely
export type Received = { id: string | null; event: string; data: Record<string, any> };

export type ListenOptions = { query?: string; lastEventId?: string; base?: string };

/** Opens the event stream of an agent with plain `fetch`, and collects the frames until it ends. */
export async function openStream(here: World, client: Client, options: ListenOptions = {}) {
  const { query = "", lastEventId, base = here.app.baseUrl } = options;
  const abort = new AbortController();
  const reply = await fetch(`${base}/v1/workspaces/${here.workspace.slug}/agent-events${query}`, {
    headers: { authorization: `Bearer ${client.key}`, ...(lastEventId ? { "last-event-id": lastEventId } : {}) },
    signal: abort.signal,
  });
  const frames: Received[] = [];
  const collected = { text: "" };
  const ended = (async () => {
    let rest = "";
    for await (const chunk of reply.body!.pipeThrough(new TextDecoderStream())) {
      collected.text += chunk;
      rest += chunk;
      for (let at = rest.indexOf("\n\n"); at !== -1; at = rest.indexOf("\n\n")) {
        const [, id = null, event, data] = /^(?:id: (.*)\n)?event: (.*)\ndata: (.*)$/.exec(rest.slice(0, at)) ?? [];
        if (event) frames.push({ id, event, data: JSON.parse(data!) });
        rest = rest.slice(at + 2);
      }
    }
    return true;
  })().catch(() => false);
  const until = async (is: (frame: Received) => boolean, ms = 15_000) => {
    for (const deadline = Date.now() + ms; Date.now() < deadline; await sleep(5)) {
      const found = frames.find(is);
      if (found) return found;
    }
    throw new Error(`The frame did not come. Frames: ${JSON.stringify(frames).slice(0, 2_000)}`);
  };
  return { reply, frames, collected, ended, until, stop: () => abort.abort() };
}

/** As `openStream`, and waits until the stream is ready. */
export async function listenToAgent(here: World, client: Client, options: ListenOptions = {}) {
  const stream = await openStream(here, client, options);
  if (stream.reply.status !== 200) throw new Error(`The stream was refused: ${stream.reply.status}`);
  const ready = await stream.until(({ event }) => event === "stream.ready");
  return { ...stream, ready: ready.data };
}

export type FrameOptions = { name?: string; projectId?: string | null; at?: string; text?: string };

/** Stores frames of an agent as a worker does. Each one's event has its number as `n`. Returns them in order. */
export async function storeFrames(here: World, agentId: string, ns: readonly number[], options: FrameOptions = {}) {
  const { name = "issue.assigned", projectId = null, at = new Date().toISOString(), text = "" } = options;
  const { id: workspaceId, slug } = here.workspace;
  const frames = [];
  for (const n of ns) {
    const id = newId();
    const data = { n, text };
    await here.sql(
      `insert into event (id, workspace_id, type, actor_kind, cause, data, created_at) values ($1, $2, $3, 'system', '{}', $4, $5)`,
      [id, workspaceId, name, JSON.stringify(data), new Date().toISOString()],
    );
    const [row] = await here.sql<{ seq: number }>(
      `with next as (
         insert into agent_stream (agent_id, last_seq) values ($1, 1)
         on conflict (agent_id) do update set last_seq = agent_stream.last_seq + 1 returning last_seq
       )
       insert into agent_frame (agent_id, seq, workspace_id, id, event_id, name, context, project_id, created_at)
       select $1, last_seq, $2, $3, $3, $4, '{}', $5, $6 from next returning seq`,
      [agentId, workspaceId, id, name, projectId, at],
    );
    const event = { id, type: name, actor_id: null, actor_kind: "system", actor_name: null, cause: {}, data } as never;
    const told = { seq: row!.seq, id, name, project_id: projectId, context: {}, event };
    frames.push(frameOf(told, { id: workspaceId, slug }, false));
  }
  return frames;
}

/** Stores frames and tells the processes that serve the agent. */
export async function sendFrames(here: World, agentId: string, ns: readonly number[], options: FrameOptions = {}) {
  const frames = await storeFrames(here, agentId, ns, options);
  publishFrames(here.app.resources.ports, agentId, frames);
  return frames;
}

/** The numbers of the events that were received, in order. */
export const numbersIn = (frames: readonly Received[]): number[] =>
  frames.filter(({ event }) => !event.startsWith("stream.")).map(({ data }) => data.data.n);
