import { z } from "zod";
import { SpendView } from "../../access/agents/view.ts";
import { described, part } from "../../kernel/described.ts";
import { AgentSessionView } from "../agent-sessions/view.ts";
import { aboutReported, aboutTurn } from "./descriptions.ts";

/** Where the costs of a turn come from. */
export const SOURCES = ["reported", "estimated", "none"] as const;

export const TurnView = part(aboutTurn, {
  cost_usd: z.number().nullable(),
  source: z.enum(SOURCES),
  price_match: z.string().nullable(),
});
export type TurnView = z.output<typeof TurnView>;

/** The session after a report, with the turn and the agent's costs. */
export const AgentUsageView = AgentSessionView.extend(
  described(aboutReported, { turn: TurnView, spend: SpendView.nullable() }),
).meta({ id: "AgentUsage" });
export type AgentUsageView = z.output<typeof AgentUsageView>;
