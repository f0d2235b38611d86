import { z } from "zod";
import { input, part, view } from "../../kernel/described.ts";
import { id, reference } from "../../kernel/wire.ts";
import { aboutDryRun, aboutDryRunInput, aboutFailed, aboutWould } from "./descriptions.ts";
import { ActionView, LastSkipped } from "./view.ts";

export const AutomationDryRunInput = input("AutomationDryRunInput", aboutDryRunInput, {
  issue_key: reference.nullable().optional(),
});
export type AutomationDryRunInput = z.output<typeof AutomationDryRunInput>;

export const WouldView = part(aboutWould, {
  type: z.string(),
  issue_key: z.string().nullable(),
  would: z.string(),
  ok: z.boolean(),
  detail: z.string().nullable(),
  action: ActionView,
});

export const AutomationDryRunView = view("AutomationDryRun", aboutDryRun, {
  automation_id: id,
  issue_key: z.string().nullable(),
  matched: z.boolean(),
  failed: part(aboutFailed, { path: z.string(), message: z.string() }).nullable(),
  skipped_reason: z.string().nullable(),
  actions: z.array(WouldView),
  omitted: z.number().int(),
  last_skipped: LastSkipped,
});
export type AutomationDryRunView = z.output<typeof AutomationDryRunView>;
