import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { instantColumn, owned, ownedByWorkspace, textList, uuidList } from "../../kernel/entity.ts";
import type { StoredHeaders } from "./headers.ts";

export const WebhookEntity = defineEntity({
  name: "Webhook",
  tableName: "webhook",
  filters: ownedByWorkspace,
  properties: {
    ...owned,
    // The automation or workflow whose actions send to this address. Null for webhooks that people made.
    owner_id: p.uuid().strictNullable(),
    url: p.string(),
    url_set_by: p.uuid().strictNullable(),
    event_types: textList(),
    description: p.string().strictNullable(),
    project_ids: uuidList().strictNullable(),
    headers: p.json<StoredHeaders>(),
    secret_sealed: p.string(),
    secret_prefix: p.string(),
    secret_rotated_at: instantColumn().strictNullable(),
    previous_secret_sealed: p.string().strictNullable(),
    previous_secret_expires_at: instantColumn().strictNullable(),
    older_secret_sealed: p.string().strictNullable(),
    older_secret_expires_at: instantColumn().strictNullable(),
    disabled_at: instantColumn().strictNullable(),
    disabled_reason: p.string().$type<"user" | "gone" | "failing" | "credential_ended">().strictNullable(),
    probing: p.boolean(),
    consecutive_failures: p.integer(),
    failing_since: instantColumn().strictNullable(),
    failing_notified_at: instantColumn().strictNullable(),
    last_success_at: instantColumn().strictNullable(),
    last_delivery_at: instantColumn().strictNullable(),
    last_delivery_status: p.integer().strictNullable(),
    deleted_at: instantColumn().strictNullable(),
    created_by: p.uuid(),
    // The key that last defined the webhook, with all scopes that it includes.
    key_id: p.uuid().strictNullable(),
    key_scopes: textList().strictNullable(),
  },
});
export type WebhookEntity = InferEntity<typeof WebhookEntity>;
