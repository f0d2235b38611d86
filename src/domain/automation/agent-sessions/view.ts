import { z } from "zod";
import type { WithProject } from "../../access/identity/project-access.sql.ts";
import { part, view } from "../../kernel/described.ts";
import { id, timestamp } from "../../kernel/wire.ts";
import { aboutQuestion, aboutSession, aboutStep } from "./descriptions.ts";
import { STEP_STATUSES } from "./inputs.ts";
import { isOpen, STATES } from "./states.ts";

export const AgentSessionView = view("AgentSession", aboutSession, {
  id,
  agent_id: id,
  agent_name: z.string(),
  agent_kind: z.string(),
  state: z.enum(STATES),
  title: z.string(),
  note: z.string().nullable(),
  external_url: z.string().nullable(),
  cost_usd: z.number().nullable(),
  tokens_in: z.number().int().nullable(),
  tokens_out: z.number().int().nullable(),
  model: z.string().nullable(),
  usage_reports: z.number().int(),
  issue_id: id.nullable(),
  issue_key: z.string().nullable(),
  started_at: timestamp,
  last_activity_at: timestamp,
  ended_at: timestamp.nullable(),
  cached_tokens: z.number().int().nullable(),
  cost_estimated: z.boolean(),
  burn_rate_usd_per_hour: z.number().nullable(),
  stalled: z.boolean(),
  unverified: z.boolean(),
  question: part(aboutQuestion, { text: z.string(), options: z.array(z.string()) }).nullable(),
  plan: z.array(part(aboutStep, { text: z.string(), status: z.enum(STEP_STATUSES) })),
  branch: z.string().nullable(),
  summary: z.string().nullable(),
  error: z.string().nullable(),
  state_reason: z.string().nullable(),
  reopened: z.number().int(),
  claim: z.boolean(),
  claimed_by: id.nullable(),
  existing: z.boolean(),
  other_open_session_ids: z.array(id),
  workflow_run_id: id.nullable(),
  started_by: id,
  needs_input_at: timestamp.nullable(),
  review_at: timestamp.nullable(),
  updated_at: timestamp,
});
export type AgentSessionView = z.output<typeof AgentSessionView>;

/** A session as it is read. */
export type SessionRow = WithProject &
  Omit<AgentSessionView, "stalled" | "unverified" | "existing"> & {
    /** The person who answers for the agent. */
    owner_user_id: string | null;
    issue_archived_at: string | null;
    /** Whether the agent commented on the issue since the session began. */
    has_commented: boolean;
  };

/** An open session counts as stalled after so much silence. */
const SILENCE_MS = 30 * 60_000;

export function sessionView({ now }: { now: string }, row: SessionRow, existing = false): AgentSessionView {
  const { state, last_activity_at, external_url, has_commented } = row;
  const isFinished = state === "done" || state === "review";
  return AgentSessionView.parse({
    ...row,
    stalled: isOpen(state) && Date.parse(now) - Date.parse(last_activity_at) >= SILENCE_MS,
    unverified: isFinished && external_url === null && !has_commented,
    existing,
  });
}
