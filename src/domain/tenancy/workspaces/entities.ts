import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { instantColumn } from "../../kernel/entity.ts";
import type { Plan } from "../../kernel/plans.ts";

export const WorkspaceEntity = defineEntity({
  name: "Workspace",
  tableName: "workspace",
  properties: {
    id: p.uuid().primary(),
    slug: p.string(),
    name: p.string(),
    plan: p.string().$type<Plan>(),
    default_locale: p.string(),
    timezone: p.string(),
    created_at: instantColumn(),
    updated_at: instantColumn(),
  },
});
export type WorkspaceEntity = InferEntity<typeof WorkspaceEntity>;
