import type { SpendView } from "./view.ts";

/** Costs of the current month, and what is left of the cap. */
export function spendOf(
  { period_usd, spend_cap_usd: cap }: { period_usd: number; spend_cap_usd: number | null },
  now: string,
): SpendView {
  return {
    period: "month",
    period_usd,
    remaining_usd: cap === null ? null : Math.max(0, Math.round((cap - period_usd) * 1e6) / 1e6),
    over_cap: cap !== null && period_usd >= cap,
    resets_at: nextMonth(now),
  };
}

function nextMonth(now: string): string {
  const date = new Date(now);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)).toISOString();
}
