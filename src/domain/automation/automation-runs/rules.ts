import type { Db } from "../../kernel/ports/ports.ts";
import { type Rule, rulesOf } from "./rules.sql.ts";

/** The enabled automations of a workspace by trigger. Each process keeps a copy of those that it used last. */

type Kept = { version: number; weight: number; byTrigger: ReadonlyMap<string, readonly Rule[]> };

/** Characters of JSON of all copies. */
const MOST = 8_000_000;
/** What a copy without automations counts as. */
const LEAST = 500;

const kept = new Map<string, Kept>();
let weight = 0;

/**
 * The enabled automations of a workspace by trigger.
 * @param version of the workspace's automations, read before. Newer automations than these may be returned, but no older
 *   ones.
 */
export async function rulesByTrigger(db: Db, workspaceId: string, version: number): Promise<Kept["byTrigger"]> {
  const found = kept.get(workspaceId);
  forget(workspaceId);
  const current = found?.version === version ? found : await read(db, workspaceId, version);
  keep(workspaceId, current);
  return current.byTrigger;
}

async function read(db: Db, workspaceId: string, version: number): Promise<Kept> {
  const rules = await rulesOf(db, workspaceId);
  return {
    version,
    weight: LEAST + rules.reduce((sum, rule) => sum + rule.weight, 0),
    byTrigger: Map.groupBy(rules, ({ trigger }) => trigger),
  };
}

/** The copies that were used last are at the end. */
function keep(workspaceId: string, one: Kept): void {
  forget(workspaceId);
  kept.set(workspaceId, one);
  weight += one.weight;
  for (const oldest of kept.keys()) {
    if (weight <= MOST) break;
    forget(oldest);
  }
}

function forget(workspaceId: string): void {
  weight -= kept.get(workspaceId)?.weight ?? 0;
  kept.delete(workspaceId);
}
