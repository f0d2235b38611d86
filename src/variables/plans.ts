import { z } from "zod";
import { CAP_NAMES, PLANS } from "../domain/kernel/plans.ts";

const cap = z.int().min(0).nullable().optional();
const caps = z.strictObject(Object.fromEntries(CAP_NAMES.map((name) => [name, cap])));
const planCaps = z.strictObject(Object.fromEntries(PLANS.map((plan) => [plan, caps.optional()])));

/** Limits of the plans. */
export const planVariables = {
  DEFAULT_PLAN: z.enum(["free", "pro", "business"]).default("business").describe("Plan of a new workspace."),
  PLAN_CAPS: z
    .string()
    .default("{}")
    .transform((text, ctx) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        ctx.addIssue({ code: "custom", message: "is not JSON" });
        return z.NEVER;
      }
    })
    .pipe(planCaps)
    .describe('Overrides of plan caps as JSON, e.g. {"free":{"projects":10}}; null means no cap.'),
  RESTORE_WINDOW_DAYS: z
    .union([z.literal("null").transform(() => null), z.coerce.number().int().min(1)])
    .default(30)
    .describe("Days in which an archived object can be restored; null: no limit."),
};
