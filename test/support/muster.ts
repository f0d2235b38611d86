import { Muster, type MusterOptions } from "../../clients/typescript/src/index.ts";
import { app } from "./app.ts";
import type { Client } from "./client.ts";

/** The official client with a test's key. */
export async function musterOf({ key }: Client, options: Partial<MusterOptions> = {}): Promise<Muster> {
  return new Muster({ url: (await app()).baseUrl, key: key!, ...options });
}
