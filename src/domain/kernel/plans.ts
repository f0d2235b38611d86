import { own } from "./own.ts";
/** The limits of each plan. Operators override any number through PLAN_CAPS; null means no cap. */

export const PLANS = ["free", "pro", "business"] as const;
export type Plan = (typeof PLANS)[number];

const MiB = 1024 ** 2;
const GiB = 1024 ** 3;

const CAPS = {
  guests: [5, 50, null],
  agents: [25, 25, 25],
  streams_per_agent: [2, 5, 20],
  projects: [5, 100, null],
  storage_bytes: [128 * MiB, 100 * GiB, 1024 * GiB],
  attachment_bytes: [25 * MiB, 250 * MiB, 2 * GiB],
  form_file_bytes: [MiB, 25 * MiB, 100 * MiB],
  ai_credits_per_month: [25, 5_000, 15_000],
  ai_credits_per_day: [25, 1_000, 3_000],
  goals: [5, 50, 1_000],
  portfolios: [1, 10, 100],
  enabled_workflows: [1, 10, 100],
  automations: [0, 50, 250],
  automation_runs_per_month: [0, 10_000, 100_000],
  reports: [0, null, null],
  webhooks: [3, 20, 100],
  field_defs_per_project: [5, 50, 200],
  forms_per_project: [1, 20, 100],
  doc_versions: [20, 100, 1_000],
  delivery_history_days: [3, 15, 30],
} as const satisfies Record<string, readonly [number | null, number | null, number | null]>;

/** The number that means "no limit" in fields that cannot be null. */
export const NO_CAP = Number.MAX_SAFE_INTEGER;

export type Cap = keyof typeof CAPS;
export const CAP_NAMES = Object.keys(CAPS) as Cap[];
export type Plans = (plan: Plan, cap: Cap) => number | null;

/** The table of caps with an operator's overrides, e.g. `{ free: { projects: 10 } }`. */
export function definePlans(overrides: Partial<Record<string, Partial<Record<string, number | null>>>> = {}): Plans {
  return (plan, cap) => {
    const override = own(own(overrides, plan) ?? {}, cap);
    return override === undefined ? CAPS[cap][PLANS.indexOf(plan)]! : override;
  };
}
