import { agentErrors } from "../../access/agents/errors.ts";
import { spendOf } from "../../access/agents/spend.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { readSpend } from "./spend.sql.ts";

/**
 * Checks that an agent may begin work: its costs of the month have not reached a cap that blocks it. Persons and agents
 * whose cap only alerts always may. Reports of usage are never refused.
 * @throws Refusal spend_cap_reached
 */
export async function checkSpendCap(ctx: InWorkspace, userId: string): Promise<void> {
  const spend = await readSpend(ctx, userId);
  if (!spend?.blocked) return;
  const { period_usd, spend_cap_usd } = spend;
  const { resets_at } = spendOf(spend, ctx.now);
  refuse(agentErrors.spend_cap_reached, { spend_cap_usd, period_usd, resets_at });
}
