/**
 * The guides of `docs/` that the service serves, each at `/<name>.md`, so that links between them
 * work here too. Their part for developers is left out.
 */
export const GUIDES: Readonly<Record<string, { title: string; about: string }>> = {
  agents: { title: "Agents", about: "keys, sessions, ready work, usage and spend caps, the event stream" },
  tools: { title: "Tools", about: "the tool server for MCP clients" },
  webhooks: { title: "Webhooks", about: "verify, order, retry and replay messages" },
  automations: { title: "Automations", about: "triggers, conditions, actions, schedules and limits" },
  workflows: { title: "Workflows", about: "nodes, runs and approvals" },
  chat: { title: "Chat", about: "messages, mentions, streamed messages and their readers" },
  search: { title: "Search", about: "which words, phrases and keys a query may have, and what they find" },
  "other-names": { title: "Other names", about: "names and words of other services that calls take" },
  audit: { title: "Audit log", about: "entries, filters and files" },
  versioning: { title: "Versions", about: "which changes of the API to expect" },
};
