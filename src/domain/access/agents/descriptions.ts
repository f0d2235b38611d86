import { countOf, idOf, SAMPLE, timesOf, userId } from "../../kernel/described.ts";

/** Descriptions of the fields of agents for the API description. */

export const aboutAgent = {
  id: idOf("agent"),
  agent_id: ["Identifies the agent. Use it as an assignee and in `agent_id` of sessions.", SAMPLE.agent],
  name: ["What people see as the agent's name.", "Triage bot"],
  handle: ["Texts can mention the agent as `@` and this. `null` if it has none.", "triage-bot"],
  kind: ["Provider of the agent, such as `claude`. `custom` if not known.", "claude"],
  description: ["What the agent is for. `null` if nobody said.", "Sorts new issues"],
  owner_user_id: userId("User id of the person who approved the agent, or created its first key."),
  credential: ["How the agent authenticates: a grant that a person approved, or an API key."],
  client_id: ["OAuth client that acts as the agent. `null` if it uses an API key.", null],
  running_sessions: countOf("Number of sessions in the state `running`.", 1),
  pending_sessions: countOf(
    "Number of open issues that are assigned to the agent, themselves or by a stage of their workflow, and that it has not begun since. At most 1,000.",
    2,
  ),
  total_sessions: countOf("Number of sessions, including those that have ended.", 40),
  last_activity_at: [
    "When the last activity in a session of the agent was. `null` if it never had one.",
    "2026-01-15T09:42:00.000Z",
  ],
  cost_total: ["Costs of all sessions, in US dollars. `null` if none were reported.", 12.5],
  tokens_in: ["Input tokens of all sessions. `null` if none were reported.", 120_000],
  tokens_out: ["Output tokens of all sessions. `null` if none were reported.", 8_000],
  cached_tokens: [
    "Part of the input tokens that the model read from its cache, at a lower price. `null` if none were reported.",
    90_000,
  ],
  usage_reports: countOf("How many reports of tokens and cost the totals contain.", 42),
  key_prefix: ["First characters of the agent's newest credential. `null` if it has none.", "ak_1a2b3c4d"],
  key_revoked: ["Whether all of the agent's credentials are revoked or expired."],
  key_scopes: ["Scopes of the newest credential. Empty if it has none.", ["read", "write"]],
  key_last_used_at: ["When the newest credential was last used. `null` if never.", "2026-01-15T09:42:00.000Z"],
  key_expires_at: ["When the newest credential expires. `null` if never.", null],
  field_policy: [
    "Fields of issues that the agent may change: names of the fields of PATCH, `status` (also by a transition), `assignee` (also `assignee_ids`), `custom_fields` or `custom_field:<id>`. `null` if it may change all.",
    ["status", "labels"],
  ],
  spend_cap_usd: ["What the agent may spend in a calendar month (UTC), in US dollars. `null`: no cap.", 100],
  spend_cap_action: [
    "What happens at the cap. `alert`: people are told. `block`: also, the agent cannot start sessions until the next month.",
  ],
  spend: ["Costs of the current month."],
  paused: ["Whether the agent is paused. A paused agent can only read."],
  online: ["Whether the agent has an open event stream."],
  created_at: timesOf("agent").created_at,
  updated_at: ["When people last changed the agent.", "2026-01-15T09:30:00.000Z"],
} as const;

export const aboutSpend = {
  period: ["After which time the cap starts again at zero, by UTC."],
  period_usd: ["Costs in the period, in US dollars.", 4.25],
  remaining_usd: ["What is left of the cap, in US dollars. `null`: no cap.", 95.75],
  over_cap: ["Whether the cap is reached."],
  resets_at: ["When the next period begins.", "2026-02-01T00:00:00.000Z"],
} as const;

const { name, handle, kind, description, field_policy, spend_cap_usd, spend_cap_action } = aboutAgent;
export const aboutAgentInput = {
  name,
  handle: ["Texts can mention the agent as `@` and this. Unique in the workspace.", handle[1]],
  kind,
  description,
  field_policy,
  spend_cap_usd,
  spend_cap_action,
  paused: ["`true` pauses the agent: from its next call it can only read. `false` lets it go on."],
} as const;

export const aboutAgentQuery = {
  online: ["`true`: only agents with an open event stream. `false`: only the others."],
  kind: ["Only agents of this provider.", "claude"],
} as const;
