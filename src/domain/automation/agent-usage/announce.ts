import { agentSpendCapReached, agentSpendWarning } from "../../access/agents/events.ts";
import { readAgentDetails } from "../../access/agents/read.sql.ts";
import { record } from "../../events/record.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { storeAnnounced } from "./spend.sql.ts";
import type { AgentAfter } from "./usage.sql.ts";

/** What is announced at which percentage of the cap. */
const ALERTS = [
  [80, agentSpendWarning],
  [100, agentSpendCapReached],
] as const;

/**
 * Announces the percentages of the cap that a report has reached first in this month. The agent is locked, so of many
 * reports at the same time one does so. Costs that jump over 80 % announce both.
 */
export async function announceSpend(
  ctx: InWorkspace & Writing,
  agentId: string,
  { reached, announced }: AgentAfter,
): Promise<void> {
  if (reached <= announced) return;
  await storeAnnounced(ctx, agentId, reached);
  const [detail] = await readAgentDetails(ctx.db, ctx.workspace.id, [agentId], ctx.now);
  for (const [percentage, event] of ALERTS) {
    if (percentage > announced && percentage <= reached) record(ctx, event, detail!);
  }
}
