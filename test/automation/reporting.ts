import type { Client } from "../support/client.ts";
import type { World } from "../support/world.ts";

/** Agents that report what they use. */

export type Reporter = {
  id: string;
  client: Client;
  /** Starts a session, on a new issue. */
  start(body?: Record<string, unknown>): Promise<string>;
};

export async function reporterIn(here: World): Promise<Reporter> {
  const body = { name: "Bot", agent_name: "Bot", scopes: ["write"] };
  const id = (await here.owner.post("W/api-keys", body).expect(201)).data.agent_id as string;
  // A key without a limit that tests would reach.
  const client = await here.keyFor(Object.assign(await here.as({ role: "member" }), { userId: id }), {
    scopes: ["write"],
    rateLimit: 100_000,
  });
  return {
    id,
    client,
    async start(more = {}) {
      const issue_key = (await here.owner.post("P/issues", { title: "Work" }).expect(201)).data.key;
      return (await client.post("W/agent-sessions", { title: "Work", issue_key, ...more }).expect(201)).data.id;
    },
  };
}

export const usageOf = (id: string) => `W/agent-sessions/${id}/usage`;
export const report = (client: Client, id: string, body: unknown) => client.post(usageOf(id), body);

export type Sums = Record<
  "cost_total" | "tokens_in" | "tokens_out" | "cached_tokens" | "usage_reports" | "spend_usd" | "spend_announced",
  number | null
> & { spend_month: string };

/** What the agent's row says. */
export async function sumsOf(here: World, id: string): Promise<Sums> {
  const text = `select cost_total, tokens_in, tokens_out, cached_tokens, usage_reports, spend_usd, spend_announced,
                       spend_month::text from agent where user_id = $1`;
  return (await here.sql<Sums>(text, [id]))[0]!;
}

export const eventsOf = async (here: World, like: string) =>
  (
    await here.sql<{ type: string }>(`select type from event where workspace_id = $1 and type like $2 order by id`, [
      here.workspace.id,
      like,
    ])
  ).map(({ type }) => type);
