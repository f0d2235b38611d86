import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { instantColumn, owned, ownedByWorkspace, textList, uuidList } from "../../kernel/entity.ts";
import type { KeyKind } from "../../kernel/principal.ts";

/** Without the hash, which only the lookup in access.sql.ts and the insert of a new key use. */
export const ApiKeyEntity = defineEntity({
  name: "ApiKey",
  tableName: "api_key",
  filters: ownedByWorkspace,
  properties: {
    ...owned,
    user_id: p.uuid(),
    kind: p.string().$type<KeyKind>(),
    name: p.string(),
    prefix: p.string(),
    last_four: p.string(),
    scopes: textList(),
    project_ids: uuidList().strictNullable(),
    rate_limit_per_minute: p.integer().strictNullable(),
    expires_at: instantColumn().strictNullable(),
    last_used_at: instantColumn().strictNullable(),
    last_used_ip: p.string().strictNullable(),
    revoked_at: instantColumn().strictNullable(),
    revoke_reason: p.string().strictNullable(),
    created_by: p.uuid(),
  },
});
export type ApiKeyEntity = InferEntity<typeof ApiKeyEntity>;
