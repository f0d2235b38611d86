import { SAMPLE, timesOf, userId } from "../../kernel/described.ts";

/** Descriptions of the fields of agents for the API description. */

export const aboutAgent = {
  agent_id: ["User id of the agent.", SAMPLE.agent],
  name: ["Name of the agent.", "Triage bot"],
  owner_user_id: userId("User id of the person who approved the agent. `null` if it came with an API key."),
  key_prefix: ["First characters of the agent's newest credential. `null` if it has none.", "ak_1a2b3c4d"],
  key_revoked: ["Whether all of the agent's credentials are revoked or expired."],
  created_at: timesOf("agent").created_at,
} as const;
