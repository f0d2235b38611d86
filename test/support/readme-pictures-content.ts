import type { DevFile } from "../../src/dev/dev-file.ts";

/** What the demo workspace gets for the pictures of the README, through the API. */

export const VIEWED_ISSUE = "WEB-18";

type Made = { id: string; agent_id: string; plaintext: string; active_session_ids: string[] };
type Call = (method: string, path: string, body?: object) => Promise<Made>;

const DAY_MS = 86_400_000;
const daysFromNow = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

const LABELS = [
  { name: "checkout", color: "#0ea5e9", on: ["WEB-4", "WEB-6", "WEB-7", "WEB-18"] },
  { name: "search", color: "#a855f7", on: ["WEB-8", "WEB-9", "WEB-19"] },
  { name: "speed", color: "#f59e0b", on: ["WEB-12", "WEB-11"] },
] as const;

const SPRINT = ["WEB-4", "WEB-5", "WEB-6", "WEB-7", "WEB-8", "WEB-12", "WEB-18", "WEB-19", "WEB-20"];

const PLAN = [
  "Reproduce it in a test",
  "Find where the price is cached",
  "Key the cache by currency",
  "Open a pull request",
];

export async function fillForPictures({ base_url, workspace, project_key, api_key }: DevFile): Promise<void> {
  const callWith = (key: string): Call => {
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    return async (method, path, body) => {
      const address = `${base_url}/v1/workspaces/${workspace}/${path.replace(/^P\//, `projects/${project_key}/`)}`;
      const reply = await fetch(address, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      if (!reply.ok) throw new Error(`${method} ${path}: ${await reply.text()}`);
      return ((await reply.json()) as { data: Made }).data;
    };
  };
  const owner = callWith(api_key);
  // Filled by an earlier run.
  if ((await owner("GET", `P/issues/${VIEWED_ISSUE}`)).active_session_ids.length > 0) return;
  for (const { name, color, on } of LABELS) {
    await owner("POST", "P/labels", { name, color });
    for (const key of on) await owner("PATCH", `P/issues/${key}`, { labels: [name] });
  }
  const dates = { start_at: daysFromNow(-4), end_at: daysFromNow(10) };
  const sprint = await owner("POST", "P/sprints", { name: "Guest checkout", goal: "Guests can pay.", ...dates });
  for (const key of SPRINT) await owner("PATCH", `P/issues/${key}`, { sprint_id: sprint.id });
  await owner("PATCH", `P/sprints/${sprint.id}`, { status: "active" });
  await owner("PATCH", "P/issues/WEB-7", { due_at: daysFromNow(-1) });
  await owner("PATCH", "P/issues/WEB-4", { due_at: daysFromNow(3) });

  const fixer = await agent("Robo");
  const session = await begin(fixer, "Cart shows the old price after a currency change", VIEWED_ISSUE);
  await fixer.call("PATCH", `agent-sessions/${session.id}`, { plan: planAt(2), branch: "web-18-cart-price" });
  await fixer.call("POST", `agent-sessions/${session.id}/usage`, turn(412_000, 9_300));
  await fixer.call("PATCH", `agent-sessions/${session.id}`, {
    note: "The price is cached per cart. The test fails as described.",
    state: "needs_input",
    question: {
      text: "Carts that are open while this is deployed have old prices in their cache. What should happen to them?",
      options: ["Keep them until they expire", "Calculate them again"],
    },
  });
  const other = await agent("Scout");
  const reading = await begin(other, "Tolerate typos in search", "WEB-8");
  await other.call("POST", `agent-sessions/${reading.id}/usage`, turn(88_000, 2_100));

  async function agent(name: string) {
    const body = { name, agent_name: name, kind: "agent", scopes: ["read", "write"], spend_cap_usd: 50 };
    const made = await owner("POST", "api-keys", body);
    return { id: made.agent_id, call: callWith(made.plaintext) };
  }

  async function begin({ id, call }: Awaited<ReturnType<typeof agent>>, title: string, key: string): Promise<Made> {
    await owner("PATCH", `P/issues/${key}`, { assignee_ids: [id] });
    const session = await call("POST", "agent-sessions", { title, issue_key: key });
    await call("POST", `P/issues/${key}/transition`, { status: "in_progress", position: "top" });
    return session;
  }
}

const planAt = (step: number) =>
  PLAN.map((text, n) => ({ text, status: n < step ? "completed" : n === step ? "in_progress" : "pending" }));

const turn = (tokens_in: number, tokens_out: number) => ({
  turn_id: "1",
  model: "claude-sonnet-5",
  tokens_in,
  tokens_out,
});
