import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "./client.ts";
import { rollUpKeyUsageNow } from "./jobs.ts";
import type { World } from "./world.ts";

/** The id of the key with which a client calls. */
export async function keyIdOf({ sql }: World, { key }: Pick<Client, "key">): Promise<string> {
  const text = "select id from api_key where prefix = $1 and last_four = $2";
  const [row] = await sql<{ id: string }>(text, [key!.slice(0, 11), key!.slice(-4)]);
  return row!.id;
}

export const readUsage = async ({ owner }: World, id: string, query = "") =>
  (await owner.get(`W/api-keys/${id}/usage${query}`).expect(200)).data;

/** Rolls up until a key has that many calls, or for a while. Returns its usage. */
export async function counted(here: World, id: string, requests: number, timeoutMs = 20_000) {
  for (const end = Date.now() + timeoutMs; ; await sleep(200)) {
    await rollUpKeyUsageNow();
    const usage = await readUsage(here, id);
    if (usage.totals.requests >= requests || Date.now() > end) return usage;
  }
}
