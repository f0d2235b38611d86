import { readFileSync } from "node:fs";
import { z } from "zod";
import { readPrices, SHIPPED_PRICES } from "../domain/automation/agent-usage/price-table.ts";
import { optional, some } from "./types.ts";

/** Usage: what agents report of their costs, and the calls of keys. */
export const usageVariables = {
  MODEL_PRICES_FILE: optional
    .transform((path, ctx) => {
      try {
        return path === undefined ? SHIPPED_PRICES : readPrices(JSON.parse(readFileSync(path, "utf8")));
      } catch (error) {
        ctx.addIssue({ code: "custom", message: (error as Error).message });
        return z.NEVER;
      }
    })
    .describe(
      "JSON file with prices of models, in the form of src/domain/automation/agent-usage/prices.json. Unset: that file.",
    ),
  USAGE_RETENTION_DAYS: some
    .default(400)
    .describe("Days to keep agents' reports of usage after the end of their session. Sums are kept."),
  KEY_USAGE_RETENTION_DAYS: some.default(400).describe("Days to keep the daily counts of the calls of each key."),
};
