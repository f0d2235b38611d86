import { record } from "../../events/record.ts";
import type { Writing } from "../../kernel/context.ts";
import { newId } from "../../kernel/ids.ts";
import type { KeyKind } from "../../kernel/principal.ts";
import { newSecret, type SecretPrefix } from "../../kernel/secrets.ts";
import { apiKeyCreated } from "./events.ts";
import { findKey, insertKey } from "./keys.sql.ts";
import { type ApiKeyView, apiKeyView } from "./view.ts";

export type NewKeyOptions = {
  workspaceId: string;
  /** The user that the key acts as. */
  userId: string;
  createdBy: string;
  kind: KeyKind;
  name: string;
  scopes: string[];
  /** Null: all projects. */
  projectIds?: string[] | null;
  /** Null: the installation's default. */
  rateLimitPerMinute?: number | null;
  /** RFC 3339. Null: never. */
  expiresAt?: string | null;
};

/** Creates a key. The caller has made all checks. `plaintext` is returned here and stored nowhere. */
export async function createKey(
  ctx: Writing,
  options: NewKeyOptions,
): Promise<{ id: string; plaintext: string; view: ApiKeyView }> {
  const secret = newSecret(PREFIXES[options.kind]);
  const id = newId();
  const key = {
    id,
    user_id: options.userId,
    kind: options.kind,
    name: options.name,
    scopes: options.scopes,
    project_ids: options.projectIds ?? null,
    rate_limit_per_minute: options.rateLimitPerMinute ?? null,
    expires_at: options.expiresAt ?? null,
    created_by: options.createdBy,
  };
  await insertKey(ctx, options.workspaceId, key, secret);
  const view = apiKeyView(ctx, (await findKey(ctx, options.workspaceId, id))!);
  record({ ...ctx, workspace: { id: options.workspaceId } }, apiKeyCreated, view);
  return { id, plaintext: secret.plaintext, view };
}

const PREFIXES: Record<KeyKind, SecretPrefix> = { workspace: "wk_", agent: "ak_", personal: "pat_", oauth: "oat_" };
