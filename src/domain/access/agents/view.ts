import { z } from "zod";
import { described, part, view } from "../../kernel/described.ts";
import { id, timestamp } from "../../kernel/wire.ts";
import { aboutAgent, aboutSpend } from "./descriptions.ts";

export const SPEND_CAP_ACTIONS = ["alert", "block"] as const;
/** How an agent authenticates: by a grant that a person approved, or with an API key. */
export const CREDENTIALS = ["oauth", "key"] as const;

const count = z.number().int();

/** What an agent has spent in the current month. */
export const SpendView = part(aboutSpend, {
  period: z.literal("month"),
  period_usd: z.number(),
  remaining_usd: z.number().nullable(),
  over_cap: z.boolean(),
  resets_at: timestamp,
});
export type SpendView = z.output<typeof SpendView>;

/** A program that works as a member of one workspace. */
export const AgentView = view("Agent", aboutAgent, {
  id,
  agent_id: id,
  name: z.string(),
  handle: z.string().nullable(),
  kind: z.string(),
  owner_user_id: id.nullable(),
  running_sessions: count,
  last_activity_at: timestamp.nullable(),
  created_at: timestamp,
  cost_total: z.number().nullable(),
  key_prefix: z.string().nullable(),
  key_revoked: z.boolean(),
  field_policy: z.array(z.string()).nullable(),
  spend_cap_usd: z.number().nullable(),
  paused: z.boolean(),
  online: z.boolean(),
  updated_at: timestamp,
});
export type AgentView = z.output<typeof AgentView>;

/** The full profile of an agent. */
export const AgentDetailView = AgentView.extend(
  described(aboutAgent, {
    description: z.string().nullable(),
    credential: z.enum(CREDENTIALS),
    client_id: z.string().nullable(),
    pending_sessions: count,
    total_sessions: count,
    tokens_in: count.nullable(),
    tokens_out: count.nullable(),
    cached_tokens: count.nullable(),
    usage_reports: count,
    key_scopes: z.array(z.string()),
    key_last_used_at: timestamp.nullable(),
    key_expires_at: timestamp.nullable(),
    spend_cap_action: z.enum(SPEND_CAP_ACTIONS),
    spend: SpendView,
  }),
).meta({ id: "AgentDetail" });
export type AgentDetailView = z.output<typeof AgentDetailView>;
