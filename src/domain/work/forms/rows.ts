import type { Priority } from "../../access/identity/issue-row.ts";
import { isAdminsCredentialLive } from "../../access/identity/set-up-by.sql.ts";
import type { SetUpBy } from "../../access/identity/set-up-by.ts";

/** Enums and rows of forms. */

export const FORM_STATUSES = ["draft", "published", "closed"] as const;
export const FORM_ISSUE_TYPES = ["task", "story", "bug"] as const;
export const CONFIRMATION_MODES = ["message", "redirect"] as const;
export const ACCESS_MODES = ["anyone", "members", "invited"] as const;
export const MAPPINGS = ["none", "title", "description", "priority"] as const;
export const SOURCES = ["public", "internal"] as const;
export const RULE_OPS = ["is", "is_not", "contains", "is_set", "is_empty"] as const;

export const FORM_FIELD_KINDS = [
  "short_text",
  "long_text",
  "select",
  "multi_select",
  "number",
  "date",
  "email",
  "radio",
  "phone",
  "url",
  "rating",
  "section",
  "file",
  "checkbox",
] as const;
export type FormFieldKind = (typeof FORM_FIELD_KINDS)[number];

/** Shows a field only if the answer to an earlier field meets the rule. */
export type VisibilityRule = {
  /** Id of the earlier field. */
  field: string;
  op: (typeof RULE_OPS)[number];
  value: string | number | boolean | null;
};

/** A field, as it is stored in its form's row. Its position is its index in the list. */
export type FormField = {
  id: string;
  kind: FormFieldKind;
  label: string;
  help_text: string | null;
  placeholder: string | null;
  required: boolean;
  options: string[];
  /** What the options name, if they set a custom field of people, projects or docs. Fields from before have none. */
  option_ids?: string[] | null;
  mapping: (typeof MAPPINGS)[number];
  min_value: number | null;
  max_value: number | null;
  max_length: number | null;
  default_value: string | null;
  visibility_rule: VisibilityRule | null;
  custom_field_id: string | null;
  created_at: string;
};

/** Settings of a form, except its fields and password. */
export type FormSettings = {
  title: string;
  description: string | null;
  status: (typeof FORM_STATUSES)[number];
  issue_type: (typeof FORM_ISSUE_TYPES)[number];
  priority: Priority;
  success_message: string | null;
  accent_color: string | null;
  header_text: string | null;
  show_project_header: boolean;
  close_at: string | null;
  response_limit: number | null;
  one_per_email: boolean;
  confirmation_mode: (typeof CONFIRMATION_MODES)[number];
  redirect_url: string | null;
  default_assignee_id: string | null;
  default_label_ids: string[];
  default_sprint_id: string | null;
  default_status_id: string | null;
  access_mode: (typeof ACCESS_MODES)[number];
  allowed_emails: string[];
  notify_submission: boolean;
  confirmation_email: boolean;
  public_enabled: boolean;
};

export type FormRow = FormSettings &
  SetUpBy & {
    /** The credential that last defined the form does not work any more. */
    has_ended: boolean;
    id: string;
    project_id: string;
    password_hash: string | null;
    token_sealed: string;
    fields: FormField[];
    submission_count: number;
    created_by: string;
    created_at: string;
    updated_at: string;
  };

/** The columns that lists show. */
export type FormSummaryRow = Pick<
  FormRow,
  | ("id" | "title" | "description" | "status" | "public_enabled" | "token_sealed" | "submission_count")
  | ("close_at" | "response_limit" | "created_by" | "created_at" | "updated_at" | "has_ended")
>;

export const HAS_ENDED = `not ${isAdminsCredentialLive("f")} as has_ended`;

/** The columns above, read from `form f`. */
export const formColumns = `
  f.id, f.project_id, f.title, f.description, f.status, f.issue_type, f.priority, f.success_message, f.accent_color,
  f.header_text, f.show_project_header, f.close_at, f.response_limit, f.one_per_email, f.confirmation_mode,
  f.redirect_url, f.default_assignee_id, f.default_label_ids, f.default_sprint_id, f.default_status_id, f.access_mode,
  f.allowed_emails, f.password_hash, f.notify_submission, f.confirmation_email, f.public_enabled, f.token_sealed,
  f.fields, f.submission_count, f.created_by, f.created_at, f.updated_at, f.key_id, f.key_scopes, ${HAS_ENDED}`;

/** A stored answer: numbers and ratings as numbers, dates as `YYYY-MM-DD`, choices as their texts. */
export type Answer = string | number | boolean | string[] | FileAnswer;
/** A file, with the id of its attachment. */
export type FileAnswer = { attachment_id: string; file_name: string; byte_size: number };
/** By field id. */
export type Answers = Record<string, Answer>;

/** Whether the answer is one of the field's options. */
export const hasOptions = (kind: FormFieldKind): boolean =>
  kind === "select" || kind === "multi_select" || kind === "radio";

/** Whether a form accepts answers at this time. */
export const isAccepting = (
  form: Pick<FormRow, "status" | "close_at" | "response_limit" | "submission_count" | "has_ended">,
  now: string,
): boolean =>
  form.status === "published" &&
  !form.has_ended &&
  (form.close_at === null || now < form.close_at) &&
  (form.response_limit === null || form.submission_count < form.response_limit);
