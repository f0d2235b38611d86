import { countOf, idOf, SAMPLE, timesOf, userId } from "../../kernel/described.ts";

/** Descriptions of the fields of API keys for the API description. */

const common = {
  name: ["Name of the key, for people.", "Deploy bot"],
  scopes: ["What the key may do: bundles (`read`, `write`, `admin`), fine scopes or both.", ["read", "issues:write"]],
  expires_at: ["When the key expires. `null` if never.", "2027-01-15T00:00:00.000Z"],
  rate_limit_per_minute: ["Requests per minute. `null` for the default of the service.", null],
} as const;

export const aboutKey = {
  ...common,
  id: idOf("key", "key"),
  prefix: ["First characters of the key, to recognise it by.", "wk_1a2b3c4d"],
  project_ids: ["Ids of the projects that the key is limited to. `null` if it is not limited.", null],
  created_by: userId("User id of the person who created the key."),
  last_used_at: ["When the key was last used. `null` if never.", "2026-01-16T14:05:12.480Z"],
  last_used_ip: ["Network address that last used the key. `null` if never used.", "203.0.113.7"],
  revoked_at: ["When the key was revoked. `null` if it was not.", null],
  revoke_reason: ["Why the key was revoked. `null` if not revoked or no reason was given.", null],
  kind: ["Whom the key acts for: a `workspace` key for its creator, an `agent` key as an agent.", "workspace"],
  last_four: ["The key's last four characters, to recognise it by. The rest cannot be read again.", "x7Qd"],
  agent_id: ["User id of the agent that the key acts as. `null` if it acts for a person.", null],
  state: ["Whether the key can be used."],
  effective_rate_limit: countOf("Requests per minute that the key may make, with the default applied.", 600),
  plaintext: ["The key itself. It is shown only in this reply; keep it safe.", "wk_1a2b3c4dEXAMPLEEXAMPLEEXAMPLEx7Qd"],
  ...timesOf("key"),
} as const;

export const aboutKeyInput = {
  ...common,
  expires_at: [
    "When the key expires: `YYYY-MM-DD` (midnight UTC) or a date-time with offset. `null` for never.",
    "2027-01-15T00:00:00.000Z",
  ],
  project_ids: ["Projects to limit the key to, by id, key or slug. `null` for no limit.", ["WEB"]],
  kind: ["Kind of the key. Default: `agent` if an agent is named, else `workspace`.", "workspace"],
  agent_id: ["User id of the agent that the key acts as. `null` if it acts for you.", SAMPLE.agent],
  agent_name: [
    "Name of a new agent for the key to act as, or of an agent of yours whose keys have all ended. Cannot be sent together with `agent_id`.",
    "Triage bot",
  ],
  agent_kind: ["Provider of the new agent. If it is missing: guessed from the names, else `custom`.", "claude"],
  spend_cap_usd: ["What the new agent may spend in a calendar month (UTC), in US dollars. `null`: no cap.", 100],
  field_policy: ["Fields of issues that the new agent may change. `null`: all.", ["status", "labels"]],
} as const;

export const aboutKeyRevoked = { id: idOf("key", "key"), revoked: ["Always `true`."] } as const;

export const aboutKeyDelete = {
  reason: ["Why the key is revoked; shown as `revoke_reason`.", "Leaked in a log"],
} as const;
