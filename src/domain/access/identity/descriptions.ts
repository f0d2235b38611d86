import { idOf, SAMPLE } from "../../kernel/described.ts";

/** Descriptions of the fields of `me` for the API description. */

export const aboutMe = {
  keyId: ["Id of the key or access token that made the call (UUIDv7).", SAMPLE.key],
  name: ["What the key's owner called it, to tell keys apart.", "Deploy bot"],
  workspaceSlug: ["Slug of the workspace that the key belongs to.", "acme"],
  scopes: ["Scopes as they were granted: bundles, fine scopes or both.", ["read", "issues:write"]],
  expiresAt: ["When the credential expires; for OAuth, when the access token expires. `null` if never.", null],
  kind: [
    "What the credential may be used for: a workspace key acts for whoever created it, an agent key acts as the agent.",
    "workspace",
  ],
  prefix: ["First characters of the key, to recognise it by.", "wk_1a2b3c4d"],
  role: ["Role of the person or agent in the workspace. `null` if they are not a member.", "member"],
  user: ["Person whom the key acts for. `null` if it acts for an agent."],
  agent: ["Agent that the key acts as. `null` if it acts for a person.", null],
  workspace: ["Workspace that the key belongs to."],
  projectIds: ["Ids of the projects that the key is limited to. `null` if it is not limited.", null],
  rateLimitPerMinute: ["Requests per minute that the key may make.", 600],
} as const;

export const aboutMyUser = {
  id: idOf("person", "user"),
  name: ["Display name. `null` until the person chooses one.", "Ada Lovelace"],
  email: ["E-mail address of the person.", "ada@example.com"],
} as const;

export const aboutMyAgent = {
  id: idOf("agent", "agent"),
  name: ["What people see as the agent's name, for instance as an assignee.", "Triage bot"],
} as const;

export const aboutMyWorkspace = {
  id: idOf("workspace", "workspace"),
  slug: ["Names the workspace in paths: `/v1/workspaces/{slug}`.", "acme"],
  name: ["What people see as the workspace's name.", "Acme"],
  plan: ["Decides the limits and which features the workspace has."],
} as const;
