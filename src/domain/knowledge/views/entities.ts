import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { owned, ownedByWorkspace, textList } from "../../kernel/entity.ts";
import type { Group, Layout } from "../../work/saved-views/view.ts";
import type { ViewFilter } from "./view.ts";

/** A view of issues across projects. Its filter names projects and people by id; `me` is the reader. */
export const WorkspaceViewEntity = defineEntity({
  name: "WorkspaceView",
  tableName: "workspace_view",
  filters: ownedByWorkspace,
  properties: {
    ...owned,
    name: p.string(),
    filter: p.json<ViewFilter>(),
    is_shared: p.boolean(),
    layout: p.string().$type<Layout>(),
    group_by: p.string().$type<Group>().strictNullable(),
    columns: textList(),
    created_by: p.uuid(),
  },
});
export type WorkspaceViewEntity = InferEntity<typeof WorkspaceViewEntity>;
