import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { instantColumn, owned, ownedByWorkspace, textList } from "../../kernel/entity.ts";
import type { SPEND_CAP_ACTIONS } from "./view.ts";

/** What people decide about an agent. Usage and sessions count in other columns of the same row. */
export const AgentEntity = defineEntity({
  name: "Agent",
  tableName: "agent",
  filters: ownedByWorkspace,
  properties: {
    ...owned,
    id: p.uuid().primary().fieldName("user_id"),
    kind: p.string(),
    handle: p.string().strictNullable(),
    description: p.text().strictNullable(),
    field_policy: textList().strictNullable(),
    spend_cap_usd: p.decimal("number").strictNullable(),
    spend_cap_action: p.string().$type<(typeof SPEND_CAP_ACTIONS)[number]>(),
    paused_at: instantColumn().strictNullable(),
    revoked_at: instantColumn().strictNullable(),
  },
});
export type AgentEntity = InferEntity<typeof AgentEntity>;
