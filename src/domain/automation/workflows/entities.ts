import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { instantColumn, owned, ownedByWorkspace } from "../../kernel/entity.ts";
import type { ProblemView, WorkflowView } from "./view.ts";

/** A workflow. Its graphs are rows of `workflow_version`, which never change. */
export const WorkflowEntity = defineEntity({
  name: "Workflow",
  tableName: "workflow",
  filters: ownedByWorkspace,
  properties: {
    ...owned,
    project_id: p.uuid().strictNullable(),
    name: p.string(),
    description: p.text().strictNullable(),
    status: p.string().$type<WorkflowView["status"]>(),
    disabled_reason: p.string().$type<WorkflowView["disabled_reason"]>().strictNullable(),
    version: p.integer(),
    problems: p.json().$type<ProblemView[]>(),
    deleted_at: instantColumn().strictNullable(),
    created_by: p.uuid(),
  },
});
export type WorkflowEntity = InferEntity<typeof WorkflowEntity>;
