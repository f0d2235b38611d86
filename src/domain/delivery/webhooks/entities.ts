import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { instantColumn, owned, ownedByWorkspace, textList, uuidList } from "../../kernel/entity.ts";
import type { StoredHeaders } from "./headers.ts";

export const WebhookEntity = defineEntity({
  name: "Webhook",
  tableName: "webhook",
  filters: ownedByWorkspace,
  properties: {
    ...owned,
    url: p.string(),
    event_types: textList(),
    description: p.string().nullable(),
    project_ids: uuidList().nullable(),
    headers: p.json<StoredHeaders>(),
    secret_sealed: p.string(),
    secret_prefix: p.string(),
    secret_rotated_at: instantColumn().nullable(),
    previous_secret_sealed: p.string().nullable(),
    previous_secret_expires_at: instantColumn().nullable(),
    older_secret_sealed: p.string().nullable(),
    older_secret_expires_at: instantColumn().nullable(),
    disabled_at: instantColumn().nullable(),
    disabled_reason: p.string().$type<"user" | "gone" | "failing">().nullable(),
    probing: p.boolean(),
    consecutive_failures: p.integer(),
    failing_since: instantColumn().nullable(),
    failing_notified_at: instantColumn().nullable(),
    last_success_at: instantColumn().nullable(),
    last_delivery_at: instantColumn().nullable(),
    last_delivery_status: p.integer().nullable(),
    deleted_at: instantColumn().nullable(),
    created_by: p.uuid(),
  },
});
export type WebhookEntity = InferEntity<typeof WebhookEntity>;
