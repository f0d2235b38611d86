import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { freePort } from "../../src/dev/ports.ts";
import { storedFor } from "../automation/framed.ts";
import { app, configure } from "../support/app.ts";
import { browser } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { type ExampleAgent, startExampleAgent } from "../support/example-agent.ts";
import { answerConsent, openConsent, WIDE } from "../support/oauth.ts";
import { startProcess } from "../support/process.ts";
import { type World, world } from "../support/world.ts";

/** The example agent, as a process of its own, against a service that is restarted in the middle. */

const port = await freePort();
const url = `http://127.0.0.1:${port}`;
configure({ BASE_URL: url, ...WIDE });

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** The service in two processes of its own. */
async function startService() {
  const processes = await Promise.all([startWeb(), startIn("worker")]);
  const [web] = processes;
  return { web, kill: () => Promise.all(processes.map((one) => one.kill())) };
}

const startWeb = () => startIn("web", { PORT: String(port), ...WIDE });

async function startIn(kind: "web" | "worker", env = {}) {
  const { config } = await app();
  const started = await startProcess(kind, config, env);
  cleanUps.push(started.kill);
  return started;
}

function startAgent(file: string): ExampleAgent {
  const agent = startExampleAgent(url, file);
  cleanUps.push(agent.kill);
  return agent;
}

/** A person opens the address and approves. */
async function approve(here: World, address: string): Promise<void> {
  const visitor = await browser({ ...here.app, baseUrl: url }, here.owner.userId);
  const { pathname, search } = new URL(address);
  const { path } = await openConsent(visitor, pathname + search);
  const back = await answerConsent(visitor, path, here);
  expect((await fetch(back)).status).toBe(200);
}

/** The agent's session on an issue, once it has this state. */
const sessionIn = (owner: Client, state: string, issue: string) =>
  vi.waitUntil(
    async () => {
      const { data } = await owner.get(`W/agent-sessions?issue_key=${issue}`).expect(200);
      return data[0]?.state === state ? data[0] : undefined;
    },
    { timeout: 30_000, interval: 100 },
  );

test("the example agent is approved, works on an issue, asks, and hands over a review", {
  timeout: 120_000,
}, async () => {
  const here = await world();
  const { owner } = here;
  const service = await startService();
  const folder = mkdtempSync(join(tmpdir(), "muster-agent-"));
  cleanUps.push(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "agent.json");
  const first = startAgent(file);
  await approve(here, (await first.says(/http\S+authorize\S+/))!);
  await first.says(/Listening in/);

  const [agent] = (await owner.get("W/agents").expect(200)).data;
  expect(agent).toMatchObject({ name: "Example agent", owner_user_id: owner.userId });
  // It has heard nothing yet, so there is no event to resume after, when it cannot reach the service for a while.
  await service.web.kill();
  const assigned = { title: "Update the imprint", assignee_ids: [agent.agent_id] };
  const { key } = (await owner.post("P/issues", assigned).expect(201)).data;
  await vi.waitUntil(async () => (await storedFor(here, { id: agent.agent_id })).length > 0, { timeout: 30_000 });
  const web = await startWeb();
  const asking = await sessionIn(owner, "needs_input", key);
  expect(asking.question).toEqual({
    text: 'How should I do "Update the imprint"?',
    options: ["Quickly", "Thoroughly"],
  });

  // The answer comes while the service is away for the agent.
  await Promise.all([web.kill(), service.kill()]);
  await owner.post(`P/issues/${key}/comments`, { body_md: "Thoroughly, please" }).expect(201);
  const restarted = await startService();
  const done = await sessionIn(owner, "review", key);
  expect(done).toMatchObject({
    id: asking.id,
    note: "The answer was: Thoroughly, please",
    external_url: `https://git.example/${key}`,
    tokens_in: 6_600,
    tokens_out: 980,
    usage_reports: 2,
    model: "claude-sonnet-5",
    cost_usd: (6_600 * 2 + 980 * 10) / 1e6,
    cost_estimated: true,
    unverified: false,
  });
  const comments = (await owner.get(`P/issues/${key}/comments`).expect(200)).data;
  expect(comments.map(({ body_md, session_id }: Record<string, string>) => [body_md, session_id])).toEqual([
    ["Thoroughly, please", null],
    ["It is done. Please have a look.", done.id],
  ]);

  // What happens while the agent is away, it hears when it is back.
  await first.kill();
  expect(existsSync(file)).toBe(true);
  const next = (await owner.post("P/issues", { ...assigned, title: "Another one" }).expect(201)).data.key;
  const second = startAgent(file);
  await sessionIn(owner, "needs_input", next);
  expect((await owner.get(`W/agent-sessions?issue_key=${key}`).expect(200)).data).toHaveLength(1);

  // A person disconnects it.
  const ended = once(second.child, "exit");
  await owner.delete(`W/agents/${agent.agent_id}`).expect(200);
  expect(await ended).toEqual([1, null]);
  await restarted.kill();
});
