import { z } from "zod";
import { input, inputPart } from "../../kernel/described.ts";
import { emailInput } from "../../kernel/email.ts";
import { choice, color, idInput, instant, line, reference, text } from "../../kernel/wire.ts";
import { MAX_LABELS, priority } from "../issues/inputs.ts";
import {
  aboutFormFieldInput,
  aboutFormInput,
  aboutFormPatch,
  aboutRuleInput,
  aboutSubmissionInput,
} from "./descriptions.ts";
import {
  ACCESS_MODES,
  CONFIRMATION_MODES,
  FORM_FIELD_KINDS,
  FORM_ISSUE_TYPES,
  FORM_STATUSES,
  MAPPINGS,
  RULE_OPS,
} from "./rows.ts";

/** Bodies of the form calls, named as the specification names them. */

const kind = choice(FORM_FIELD_KINDS);
const label = line(1, 200);
const bound = z.number().min(-1e15).max(1e15).nullable().optional();

const VisibilityRuleInput = inputPart(aboutRuleInput, {
  field: z.union([z.number().int().min(0).max(199), idInput]),
  op: choice(RULE_OPS),
  value: z
    .union([text(0, 500), z.number(), z.boolean()])
    .nullable()
    .optional(),
});

const fieldSettings = {
  required: z.boolean().optional(),
  options: z.array(line(1, 200)).max(50).optional(),
  placeholder: text(0, 200).nullable().optional(),
  help_text: text(0, 500).nullable().optional(),
  mapping: choice(MAPPINGS).optional(),
  min_value: bound,
  max_value: bound,
  max_length: z.number().int().min(1).max(20_000).nullable().optional(),
  default_value: text(0, 500).nullable().optional(),
  visibility_rule: VisibilityRuleInput.nullable().optional(),
  custom_field_id: idInput.nullable().optional(),
};

const FormFieldInput = input("FormFieldInput", aboutFormFieldInput, { kind, label, ...fieldSettings });

const FormFieldPatchInput = input("FormFieldPatchInput", aboutFormFieldInput, {
  id: idInput.optional(),
  kind: kind.optional(),
  label: label.optional(),
  ...fieldSettings,
  position: z.number().optional(),
  created_at: z.string().max(50).optional(),
});
export type FormFieldPatchInput = z.output<typeof FormFieldPatchInput>;

const email = emailInput.overwrite((address) => address.toLowerCase());

const MAX_FIELDS = 200;

const settings = {
  description: text(0, 2_000).nullable().optional(),
  status: choice(FORM_STATUSES).optional(),
  issue_type: choice(FORM_ISSUE_TYPES).optional(),
  priority: priority.optional(),
  success_message: text(0, 2_000).nullable().optional(),
  accent_color: color.nullable().optional(),
  header_text: text(0, 200).nullable().optional(),
  show_project_header: z.boolean().optional(),
  close_at: instant.nullable().optional(),
  response_limit: z.number().int().min(1).max(1_000_000).nullable().optional(),
  one_per_email: z.boolean().optional(),
  confirmation_mode: choice(CONFIRMATION_MODES).optional(),
  redirect_url: line(1, 2_000).nullable().optional(),
  default_assignee_id: reference.nullable().optional(),
  default_label_ids: z.array(reference).max(MAX_LABELS).optional(),
  default_sprint_id: idInput.nullable().optional(),
  default_status_id: idInput.nullable().optional(),
  access_mode: choice(ACCESS_MODES).optional(),
  allowed_emails: z.array(email).max(500).optional(),
  notify_submission: z.boolean().optional(),
  confirmation_email: z.boolean().optional(),
  public_enabled: z.boolean().optional(),
  password: text(4, 100).nullable().optional(),
};

export const FormCreateInput = input("FormCreateInput", aboutFormInput, {
  title: line(1, 200),
  ...settings,
  fields: z.array(FormFieldInput).max(MAX_FIELDS).optional(),
});
export type FormCreateInput = z.output<typeof FormCreateInput>;

export const FormPatchInput = input("FormPatchInput", aboutFormPatch, {
  title: line(1, 200).optional(),
  ...settings,
  fields: z.array(FormFieldPatchInput).max(MAX_FIELDS).optional(),
});
export type FormPatchInput = z.output<typeof FormPatchInput>;

export const FormSubmissionCreateInput = input("FormSubmissionCreateInput", aboutSubmissionInput, {
  answers: z.record(z.string().max(100), z.unknown()).meta({ maxProperties: MAX_FIELDS }),
  submitter_email: email.nullable().optional(),
});
export type FormSubmissionCreateInput = z.output<typeof FormSubmissionCreateInput>;
