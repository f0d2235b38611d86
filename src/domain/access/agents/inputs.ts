import { z } from "zod";
import { input, inputPart } from "../../kernel/described.ts";
import { choice, flag, line, text } from "../../kernel/wire.ts";
import { aboutAgentInput, aboutAgentQuery } from "./descriptions.ts";
import { handle } from "./handles.ts";
import { SPEND_CAP_ACTIONS } from "./view.ts";

export const agentName = line(1, 60);
export const agentKind = line(1, 40).overwrite((kind) => kind.toLowerCase());
/** US dollars a month. The column has six decimals. */
export const spendCap = z
  .number()
  .min(0)
  .max(999_999)
  .overwrite((usd) => Math.round(usd * 1e6) / 1e6);
/** Custom fields can be named one by one. */
export const fieldPolicy = z.array(z.string().max(100)).max(200);

export const AgentPatchInput = input("AgentPatchInput", aboutAgentInput, {
  name: agentName.optional(),
  description: text(0, 2_000).nullable().optional(),
  handle: handle.optional(),
  kind: agentKind.optional(),
  spend_cap_usd: spendCap.nullable().optional(),
  spend_cap_action: choice(SPEND_CAP_ACTIONS).optional(),
  field_policy: fieldPolicy.nullable().optional(),
  paused: z.boolean().optional(),
});
export type AgentPatchInput = z.output<typeof AgentPatchInput>;

export const AgentQuery = inputPart(aboutAgentQuery, {
  online: flag.optional(),
  kind: z.string().trim().max(40).optional(),
});
export type AgentQuery = z.output<typeof AgentQuery>;
