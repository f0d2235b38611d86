import { Client } from "./client.ts";
import type { World } from "./world.ts";

/** An agent with an API key of its own, made by the workspace's owner or by another person. */
export async function agentIn(
  here: World,
  { by = here.owner, ...body }: { by?: Client } & Record<string, unknown> = {},
) {
  const key = (await by.post("W/api-keys", { name: "Bot", agent_name: "Bot", scopes: ["write"], ...body }).expect(201))
    .data;
  const places = {
    W: `/v1/workspaces/${here.workspace.slug}`,
    P: `/v1/workspaces/${here.workspace.slug}/projects/WEB`,
  };
  const id = key.agent_id as string;
  const client = new Client(here.app.baseUrl, places, { key: key.plaintext, userId: id, email: "" });
  return { id, key_id: key.id as string, client, path: `W/agents/${id}` };
}
