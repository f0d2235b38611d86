import { own } from "../kernel/own.ts";

/**
 * The scopes that a key needs to be sent an event, by the beginning of the event's name. They are those of the calls that
 * return what the event contains.
 */
const SCOPES: Readonly<Record<string, readonly string[]>> = {
  agent: ["agents:read"],
  agent_session: ["agents:read"],
  api_key: ["api_keys:read"],
  automation: ["automations:read"],
  "automation.fired": ["automations:read", "issues:read"],
  automation_run: ["automations:read"],
  chat: ["chat:read"],
  comment: ["comments:read"],
  credits: ["workspaces:read"],
  custom_field: ["custom_fields:read"],
  doc: ["docs:read"],
  form: ["forms:read"],
  goal: ["goals:read"],
  invite: ["members:read"],
  issue: ["issues:read"],
  "issue.attachment": ["attachments:read"],
  key_result: ["goals:read"],
  label: ["labels:read"],
  member: ["members:read"],
  milestone: ["projects:read"],
  portfolio: ["portfolios:read"],
  project: ["projects:read"],
  release: ["projects:read"],
  sprint: ["projects:read"],
  status: ["projects:read"],
  webhook: ["webhooks:read"],
  workflow: ["workflows:read"],
  workflow_run: ["workflows:read"],
  workspace: ["workspaces:read"],
};

/** The scopes of an event by its name. Null: the table does not know it, so no key may be sent it. */
export function scopesOfEvent(name: string): readonly string[] | null {
  for (let prefix = name; prefix !== ""; prefix = prefix.slice(0, Math.max(0, prefix.lastIndexOf(".")))) {
    const scopes = own(SCOPES, prefix);
    if (scopes) return scopes;
  }
  return null;
}

const longestFirst = Object.entries(SCOPES).sort(([a], [b]) => b.length - a.length);

/** SQL: the scopes of an event with this type, as `scopesOfEvent` has them. */
export const scopesOfEventSql = (type: string): string => `case
  ${longestFirst.map(([name, scopes]) => `when starts_with(${type} || '.', '${name}.') then '{${scopes.join()}}'::text[]`).join("\n  ")}
  end`;
