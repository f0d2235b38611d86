import type { Writing } from "../../kernel/context.ts";
import { newId } from "../../kernel/ids.ts";
import { insertAgent, setProfile } from "./agents.sql.ts";
import { freeHandle } from "./handles.ts";
import { kindOf } from "./kinds.ts";

export type NewAgent = {
  name: string;
  ownerId: string;
  /** The OAuth client that acts as the agent. Null: it has API keys. */
  clientId: string | null;
  /** Null: guessed from the names. */
  kind?: string | null;
  /** The name of its key, which may tell its provider. */
  keyName?: string;
  spendCapUsd?: number | null;
  fieldPolicy?: string[] | null;
};

/**
 * Creates an agent as a member of the workspace, which the caller has locked. It counts as revoked until its first
 * credential is stored (`credentialAdded`). An agent of the same client and person that had left is added again.
 */
export async function createAgent(ctx: Writing, workspaceId: string, agent: NewAgent): Promise<string> {
  const { name, ownerId, clientId, keyName = "", spendCapUsd = null, fieldPolicy = null } = agent;
  const id = await insertAgent(ctx.tx, workspaceId, { id: newId(), name, ownerId, clientId, now: ctx.now });
  await setProfile(ctx.tx, workspaceId, id, {
    kind: agent.kind ?? kindOf(name, keyName),
    handle: await freeHandle(ctx.tx, workspaceId, name),
    spendCapUsd,
    fieldPolicy,
    now: ctx.now,
  });
  return id;
}
