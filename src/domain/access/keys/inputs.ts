import { z } from "zod";
import { input, inputPart } from "../../kernel/described.ts";
import { projectLimitInput } from "../../kernel/project-limit.ts";
import { choice, idInput, instant, line } from "../../kernel/wire.ts";
import { agentKind, agentName, fieldPolicy, spendCap } from "../agents/inputs.ts";
import { scope } from "../identity/scope-input.ts";
import { SCOPES } from "../identity/scopes.ts";
import { aboutKeyDelete, aboutKeyInput } from "./descriptions.ts";

const rateLimit = z.number().int().min(1).max(100_000).nullable();

/**
 * The kinds that POST creates. Personal keys come from their owner's profile, and OAuth tokens from the authorization
 * server.
 */
const CREATED_KINDS = ["workspace", "agent"] as const;

export const ApiKeyCreateInput = input("ApiKeyCreateInput", aboutKeyInput, {
  name: line(1, 80),
  scopes: z.array(scope).min(1).max(SCOPES.length).default(["read"]),
  project_ids: projectLimitInput.optional(),
  expires_at: instant.nullable().optional(),
  rate_limit_per_minute: rateLimit.optional(),
  kind: choice(CREATED_KINDS).optional(),
  agent_id: idInput.nullable().optional(),
  agent_name: agentName.nullable().optional(),
  agent_kind: agentKind.nullable().optional(),
  spend_cap_usd: spendCap.nullable().optional(),
  field_policy: fieldPolicy.nullable().optional(),
});
export type ApiKeyCreateInput = z.output<typeof ApiKeyCreateInput>;

/** The fields of a personal token that its owner chooses. */
export const PersonalTokenInput = ApiKeyCreateInput.pick({ name: true, scopes: true, expires_at: true });
export type PersonalTokenInput = z.output<typeof PersonalTokenInput>;

export const ApiKeyPatchInput = input("ApiKeyPatchInput", aboutKeyInput, {
  name: line(1, 80).optional(),
  rate_limit_per_minute: rateLimit.optional(),
  expires_at: instant.nullable().optional(),
});
export type ApiKeyPatchInput = z.output<typeof ApiKeyPatchInput>;

export const ApiKeyDeleteQuery = inputPart(aboutKeyDelete, { reason: line(1, 200).optional() });
