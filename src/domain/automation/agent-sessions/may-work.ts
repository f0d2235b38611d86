import { agentErrors } from "../../access/agents/errors.ts";
import { keepLimits } from "../../access/agents/lifecycle.sql.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";

/**
 * Checks that an agent may begin or go on. It is not paused or disconnected before the session is stored, so what follows
 * for open sessions (`settle.ts`) finds this one too. Persons always may. The caller has locked the issue.
 * @throws Refusal agent_paused, invalid_state_change if the agent has no key that works
 */
export async function checkMayWork(ctx: InWorkspace & Writing, agentId: string): Promise<void> {
  const agent = await keepLimits(ctx, ctx.workspace.id, agentId);
  if (agent?.is_revoked) {
    const message = "The agent is disconnected, because it has no key that works. Create a key for it first.";
    refuse("invalid_state_change", { message, from: "revoked", allowed: [] });
  }
  if (agent?.is_paused) {
    const message = "The agent is paused. Resume it first: its open sessions then go on by themselves.";
    refuse(agentErrors.agent_paused, { message });
  }
}
