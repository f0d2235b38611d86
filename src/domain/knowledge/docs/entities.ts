import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { instantColumn, owned, ownedByWorkspace } from "../../kernel/entity.ts";
import type { Visibility } from "./inputs.ts";

export const DocEntity = defineEntity({
  name: "Doc",
  tableName: "doc",
  filters: ownedByWorkspace,
  properties: {
    ...owned,
    project_id: p.uuid().strictNullable(),
    parent_id: p.uuid().strictNullable(),
    parent_branch: p.uuid().strictNullable(),
    branch: p.uuid(),
    title: p.string(),
    icon: p.string().strictNullable(),
    body_md: p.text().strictNullable(),
    body_json: p.text().strictNullable(),
    visibility: p.string().$type<Visibility>(),
    owner_id: p.uuid(),
    position: p.integer(),
    word_count: p.integer(),
    version: p.integer(),
    archived_at: instantColumn().strictNullable(),
    created_by: p.uuid(),
    updated_by: p.uuid(),
  },
});
export type DocEntity = InferEntity<typeof DocEntity>;
