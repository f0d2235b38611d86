import { z } from "zod";
import type { Ctx } from "../../kernel/context.ts";
import { described, view } from "../../kernel/described.ts";
import { KEY_KINDS } from "../../kernel/principal.ts";
import { id, timestamp } from "../../kernel/wire.ts";
import { aboutKey } from "./descriptions.ts";

export const ApiKeyView = view("ApiKey", aboutKey, {
  id,
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(z.string()),
  project_ids: z.array(id).nullable(),
  rate_limit_per_minute: z.number().int().nullable(),
  created_by: id,
  created_at: timestamp,
  expires_at: timestamp.nullable(),
  last_used_at: timestamp.nullable(),
  last_used_ip: z.string().nullable(),
  revoked_at: timestamp.nullable(),
  revoke_reason: z.string().nullable(),
  kind: z.enum(KEY_KINDS),
  last_four: z.string(),
  agent_id: id.nullable(),
  state: z.enum(["active", "revoked", "expired"]),
  effective_rate_limit: z.number().int(),
  updated_at: timestamp,
});
export type ApiKeyView = z.output<typeof ApiKeyView>;

/** The reply of POST, the only one that contains the key itself. */
export const NewApiKeyView = ApiKeyView.extend(described(aboutKey, { plaintext: z.string() })).meta({
  id: "NewApiKey",
});

/** A key as queries return it. The hash of its secret never leaves the table. */
export type ApiKeyRow = Omit<ApiKeyView, "agent_id" | "state" | "effective_rate_limit"> & { user_id: string };

export const apiKeyView = (ctx: Ctx, row: ApiKeyRow): ApiKeyView =>
  ApiKeyView.parse({
    ...row,
    agent_id: row.kind === "agent" || row.kind === "oauth" ? row.user_id : null,
    state: stateOf(row, ctx.now),
    effective_rate_limit: row.rate_limit_per_minute ?? ctx.settings.rateLimitPerMinute,
  });

function stateOf({ revoked_at, expires_at }: ApiKeyRow, now: string): ApiKeyView["state"] {
  if (revoked_at) return "revoked";
  return expires_at && expires_at <= now ? "expired" : "active";
}
