import { SAMPLE } from "../../kernel/described.ts";

/** Descriptions of the fields of reports of usage, for the API description. */

export const aboutUsage = {
  tokens_in: ["Input tokens of the turn. Those that were read from or written to a cache are part of them.", 12_000],
  tokens_out: ["Tokens that the model produced in the turn, reasoning included.", 800],
  cached_tokens: ["Part of the input tokens that the model read from its cache, at a lower price.", 9_000],
  cache_write_tokens: ["Input tokens that were written to a cache.", 1_000],
  tokens: [
    "All tokens of the turn, of which 80 % count as input; or an object with each kind. Send it or `tokens_in` and `tokens_out`.",
    12_800,
  ],
  cost_usd: [
    "Costs of the turn in US dollars, of which six decimal places count. Without it, they are estimated from tokens and model.",
    0.042,
  ],
  model: ["Model that was used. Without it, the session's newest one counts.", "claude-sonnet-5"],
  turn_id: ["Your id of the turn. If the session has a report with it already, this one changes nothing.", "turn-17"],
  agent_id: ["User id of the session's agent, as a check.", SAMPLE.agent],
} as const;

export const aboutTokens = {
  input: ["All input tokens of the turn.", 12_000],
  output: ["Tokens that the model produced in the turn, reasoning included.", 800],
  cache_read: ["Part of the input tokens that the model read from its cache, at a lower price.", 9_000],
  cache_write: ["Input tokens that were written to a cache.", 1_000],
} as const;

export const aboutTurn = {
  cost_usd: ["Costs of the turn in US dollars. `null` if not known.", 0.042],
  source: [
    "Where the costs come from. `reported`: they were sent. `estimated`: from tokens and the price of the model. `none`: they are not known.",
  ],
  price_match: [
    "Name in the price table that the model's name begins with. `null` unless the costs are estimated.",
    null,
  ],
} as const;

export const aboutReported = {
  turn: ["The turn as it was stored. For a turn that was reported before: the first report."],
  spend: ["Costs of the agent in the current month. `null` for a session of a person."],
} as const;
