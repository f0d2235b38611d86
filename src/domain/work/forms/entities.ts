import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { instantColumn, owned, ownedByWorkspace, textList, uuidList } from "../../kernel/entity.ts";
import type { FormField, FormSettings } from "./rows.ts";

/** A form, with the address of its public page and the hash of its password. */
export const FormEntity = defineEntity({
  name: "Form",
  tableName: "form",
  filters: ownedByWorkspace,
  properties: {
    ...owned,
    project_id: p.uuid(),
    title: p.string(),
    description: p.string().strictNullable(),
    status: p.string().$type<FormSettings["status"]>(),
    issue_type: p.string().$type<FormSettings["issue_type"]>(),
    priority: p.string().$type<FormSettings["priority"]>(),
    success_message: p.string().strictNullable(),
    accent_color: p.string().strictNullable(),
    header_text: p.string().strictNullable(),
    show_project_header: p.boolean(),
    close_at: instantColumn().strictNullable(),
    response_limit: p.integer().strictNullable(),
    one_per_email: p.boolean(),
    confirmation_mode: p.string().$type<FormSettings["confirmation_mode"]>(),
    redirect_url: p.string().strictNullable(),
    default_assignee_id: p.uuid().strictNullable(),
    default_label_ids: uuidList(),
    default_sprint_id: p.uuid().strictNullable(),
    default_status_id: p.uuid().strictNullable(),
    access_mode: p.string().$type<FormSettings["access_mode"]>(),
    allowed_emails: textList(),
    password_hash: p.string().strictNullable(),
    notify_submission: p.boolean(),
    confirmation_email: p.boolean(),
    public_enabled: p.boolean(),
    token_hash: p.blob(),
    token_sealed: p.string(),
    fields: p.json<FormField[]>(),
    submission_count: p.integer(),
    deleted_at: instantColumn().strictNullable(),
    created_by: p.uuid(),
    key_id: p.uuid().strictNullable(),
    key_scopes: textList().strictNullable(),
  },
});
export type FormEntity = InferEntity<typeof FormEntity>;
