import { z } from "zod";
import type { InWorkspace } from "../../kernel/context.ts";
import { part, view } from "../../kernel/described.ts";
import { type Cap, NO_CAP, PLANS } from "../../kernel/plans.ts";
import { timestamp } from "../../kernel/wire.ts";
import { readBalances } from "../credits/balances.ts";
import {
  aboutAgentSpend,
  aboutCapped,
  aboutCaps,
  aboutCredits,
  aboutPlan,
  aboutStorage,
  aboutUsage,
} from "./descriptions.ts";
import { readUsage } from "./usage.sql.ts";

const count = z.number().int();
const capped = part(aboutCapped, { used: count, limit: count.nullable() });

/**
 * Storage in bytes, credits in whole credits. For both, no limit is shown as 9007199254740991; elsewhere it is null.
 */
export const UsageView = view("Usage", aboutUsage, {
  plan: part(aboutPlan, {
    plan: z.enum(PLANS),
    status: z.string().nullable(),
    trialing: z.boolean(),
    cycle: z.string().nullable(),
    current_period_end: timestamp.nullable(),
  }),
  storage: part(aboutStorage, {
    used_bytes: count,
    cap_bytes: count,
    base_cap_bytes: count,
    addon_bytes: count,
    remaining_bytes: count,
    used_pct: count,
  }),
  ai_credits: part(aboutCredits, {
    monthly_grant: count,
    used: count,
    remaining: count,
    topup_balance: count,
    daily_limit: count,
    daily_used: count,
    daily_remaining: count,
  }),
  seats: capped,
  guests: capped,
  caps: part(aboutCaps, {
    projects: capped,
    goals: capped,
    portfolios: capped,
    enabled_workflows: capped,
    automations: capped,
    automation_runs: capped,
    webhooks: capped,
    agents: capped,
  }),
  agent_spend: part(aboutAgentSpend, { period_usd: z.number(), cap_usd: z.number().nullable() }),
  period_start: timestamp,
  resets_at: timestamp,
});
export type UsageView = z.output<typeof UsageView>;

/** The workspace's use of its plan. */
export async function describeUsage(ctx: InWorkspace): Promise<UsageView> {
  const { plan, id } = ctx.workspace;
  const used = await readUsage(ctx.db, id, ctx.now);
  const limit = (cap: Cap) => ctx.settings.plans(plan, cap);
  const of = (cap: Cap, amount = 0) => ({ used: amount, limit: limit(cap) });
  return {
    // These come from a subscription. Self-hosted workspaces have none.
    plan: { plan, status: null, trialing: false, cycle: null, current_period_end: null },
    storage: storageOf(limit("storage_bytes"), used.used_bytes),
    ai_credits: await readBalances(ctx, ctx.workspace),
    seats: { used: used.editors, limit: null },
    guests: of("guests", used.guests),
    caps: {
      projects: of("projects", used.projects),
      goals: of("goals", used.goals),
      portfolios: of("portfolios", used.portfolios),
      enabled_workflows: of("enabled_workflows", used.enabled_workflows),
      automations: of("automations", used.automations),
      automation_runs: of("automation_runs_per_month", used.automation_runs),
      webhooks: of("webhooks", used.webhooks),
      agents: of("agents", used.agents),
    },
    agent_spend: { period_usd: used.agents_spent_usd, cap_usd: used.agents_cap_usd },
    period_start: firstOfMonth(ctx.now, 0),
    resets_at: firstOfMonth(ctx.now, 1),
  };
}

function storageOf(cap: number | null, used: number): UsageView["storage"] {
  const capBytes = cap ?? NO_CAP;
  return {
    used_bytes: used,
    cap_bytes: capBytes,
    base_cap_bytes: capBytes,
    addon_bytes: 0,
    remaining_bytes: Math.max(0, capBytes - used),
    used_pct: capBytes === 0 ? 100 : Math.floor((used / capBytes) * 100),
  };
}

/** Midnight UTC on the first day of a month. `months` is relative to the month of `now`. */
const firstOfMonth = (now: string, months: number): string =>
  new Date(Date.UTC(Number(now.slice(0, 4)), Number(now.slice(5, 7)) - 1 + months, 1)).toISOString();
