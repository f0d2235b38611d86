import { z } from "zod";
import { PRIORITIES } from "../../access/identity/issue-row.ts";
import type { Ctx } from "../../kernel/context.ts";
import { part, view } from "../../kernel/described.ts";
import { shownEmail } from "../../kernel/email.ts";
import { id, timestamp } from "../../kernel/wire.ts";
import { aboutForm, aboutFormField, aboutFormSummary, aboutRule, aboutSubmission } from "./descriptions.ts";
import {
  ACCESS_MODES,
  CONFIRMATION_MODES,
  FORM_FIELD_KINDS,
  FORM_ISSUE_TYPES,
  FORM_STATUSES,
  type FormField,
  type FormRow,
  type FormSummaryRow,
  isAccepting,
  MAPPINGS,
  RULE_OPS,
  SOURCES,
} from "./rows.ts";

const text = z.string().nullable();

export const FormFieldView = view("FormField", aboutFormField, {
  id,
  position: z.number().int(),
  kind: z.enum(FORM_FIELD_KINDS),
  label: z.string(),
  help_text: text,
  placeholder: text,
  required: z.boolean(),
  options: z.array(z.string()),
  mapping: z.enum(MAPPINGS),
  min_value: z.number().nullable(),
  max_value: z.number().nullable(),
  max_length: z.number().int().nullable(),
  default_value: text,
  visibility_rule: part(aboutRule, {
    field: id,
    op: z.enum(RULE_OPS),
    value: z.union([z.string(), z.number(), z.boolean()]).nullable(),
  }).nullable(),
  custom_field_id: id.nullable(),
  created_at: timestamp,
});
export type FormFieldView = z.output<typeof FormFieldView>;

export const FormSummaryView = view("FormSummary", aboutFormSummary, {
  id,
  title: z.string(),
  description: text,
  status: z.enum(FORM_STATUSES),
  public_enabled: z.boolean(),
  share_url: text,
  submission_count: z.number().int(),
  accepting: z.boolean(),
  disabled_reason: z.enum(["credential_ended"]).nullable(),
  created_by: id,
  created_at: timestamp,
  updated_at: timestamp,
});
export type FormSummaryView = z.output<typeof FormSummaryView>;

export const FormView = view("Form", aboutForm, {
  ...FormSummaryView.shape,
  issue_type: z.enum(FORM_ISSUE_TYPES),
  priority: z.enum(PRIORITIES),
  success_message: text,
  accent_color: text,
  header_text: text,
  show_project_header: z.boolean(),
  close_at: timestamp.nullable(),
  response_limit: z.number().int().nullable(),
  one_per_email: z.boolean(),
  confirmation_mode: z.enum(CONFIRMATION_MODES),
  redirect_url: text,
  default_assignee_id: id.nullable(),
  default_label_ids: z.array(id),
  default_sprint_id: id.nullable(),
  default_status_id: id.nullable(),
  access_mode: z.enum(ACCESS_MODES),
  allowed_emails: z.array(z.string()),
  has_password: z.boolean(),
  notify_submission: z.boolean(),
  confirmation_email: z.boolean(),
  fields: z.array(FormFieldView),
});
export type FormView = z.output<typeof FormView>;

export const FormSubmissionView = view("FormSubmission", aboutSubmission, {
  id,
  form_id: id,
  answers: z.record(z.string(), z.unknown()),
  submitter_email: text,
  submitter_user_id: id.nullable(),
  source: z.enum(SOURCES),
  created_issue_id: id.nullable(),
  created_issue_key: text,
  created_at: timestamp,
});
export type FormSubmissionView = z.output<typeof FormSubmissionView>;

/** What a form's view needs besides its row. */
type Shown = Pick<Ctx, "settings" | "ports" | "now">;

const summarised = <Row extends FormSummaryRow>(ctx: Shown, form: Row) => ({
  ...form,
  share_url: form.public_enabled ? shareUrl(ctx, form) : null,
  accepting: isAccepting(form, ctx.now),
  disabled_reason: form.has_ended ? "credential_ended" : null,
});

export const summaryView = (ctx: Shown, form: FormSummaryRow): FormSummaryView =>
  FormSummaryView.parse(summarised(ctx, form));

export const formView = (ctx: Shown, form: FormRow): FormView =>
  FormView.parse({
    ...summarised(ctx, form),
    allowed_emails: form.allowed_emails.map(shownEmail),
    has_password: form.password_hash !== null,
    fields: fieldViews(form.fields),
  });

export const fieldViews = (fields: FormField[]): FormFieldView[] =>
  fields.map((field, position) => ({ ...field, position }));

const shareUrl = ({ settings, ports }: Shown, { token_sealed }: FormSummaryRow): string =>
  `${settings.baseUrl}/f/${ports.sealer.open(token_sealed)}`;
