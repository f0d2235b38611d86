import { countOf, idOf, SAMPLE, timesOf, userId } from "../../kernel/described.ts";

/** Descriptions of the fields of forms and submissions, for the API description. */

const question = {
  kind: ["Decides which input people see and which answers are taken.", "short_text"],
  label: ["Question that the form asks.", "What went wrong?"],
  help_text: ["Explanation below the question. `null` if none.", "One sentence is enough"],
  placeholder: ["Text in the empty field. `null` if none.", "The page stays blank"],
  required: ["Whether the field must be answered.", true],
  options: ["Answers to choose from, for `select`, `multi_select` and `radio`. Else empty.", []],
  mapping: ["Field of the new issue that the answer sets.", "title"],
  min_value: ["Smallest answer, for `number` and `rating`. `null` if there is no limit.", null],
  max_value: ["Largest answer, for `number` and `rating`. `null` if there is no limit.", null],
  max_length: ["Longest answer in characters. `null` for the kind's own limit.", 200],
  default_value: ["Answer that is filled in at first. `null` if none.", null],
  visibility_rule: ["Shows the field only if an earlier answer meets this rule. `null` to show it always.", null],
  custom_field_id: [
    "Id of the project's custom field that the answer sets. `null` if none. A custom field of users, projects or docs needs a `select` or `radio`, each of whose options names one: by name, or by e-mail address, key or id if several have the name.",
    null,
  ],
} as const;

export const aboutFormField = {
  ...question,
  id: idOf("field", "field"),
  position: countOf("Place in the form; the first field has 0. Visibility rules may refer to a field by it.", 0),
  created_at: timesOf("field").created_at,
} as const;

export const aboutFormFieldInput = {
  ...question,
  options: ["Answers to choose from, at least one, for `select`, `multi_select` and `radio`.", ["Web", "Phone"]],
  id: ["Id of a field to keep, with its answers. What you leave out of it does not change.", SAMPLE.field],
  position: ["Ignored in bodies: the order of the list counts.", 0],
  created_at: ["Ignored in bodies.", "2026-01-15T09:30:00.000Z"],
} as const;

const rule = {
  op: ["How the answer is compared.", "is"],
  value: ["Value to compare the answer with. `null` for `is_set` and `is_empty`.", "Web"],
} as const;

export const aboutRule = { ...rule, field: ["Id of the earlier field.", SAMPLE.field] } as const;

export const aboutRuleInput = { ...rule, field: ["Earlier field, by id or by position from 0.", 0] } as const;

const shown = {
  title: ["What people see above the form.", "Report a problem"],
  description: ["Text below the title. `null` if none.", "Tell us what broke."],
  status: ["State of the form. Only a published form accepts answers from everybody.", "published"],
  public_enabled: ["Whether the form has a public page.", true],
} as const;

export const aboutFormSummary = {
  ...shown,
  id: idOf("form", "form"),
  share_url: ["Address of the public page. `null` while there is none.", "https://muster.example/f/EXAMPLE"],
  submission_count: countOf("How many submissions arrived so far. `response_limit` is compared with it.", 17),
  accepting: ["Whether the form accepts answers now.", true],
  disabled_reason: [
    "Why the form takes no answers although it is published: `credential_ended` if the key that last defined it was revoked or has expired, or if its person is no longer an admin. `null` if nothing is wrong.",
    null,
  ],
  created_by: userId("User id of the person or agent who created the form."),
  ...timesOf("form"),
} as const;

const settings = {
  issue_type: ["Type that issues made by submissions get.", "bug"],
  priority: ["Priority of the issues that submissions create, unless an answer sets it.", "medium"],
  success_message: ["Text shown after a submission. `null` for a standard text.", "Thank you! We will look into it."],
  accent_color: ["Color of the public page as `#RRGGBB`. `null` for the standard color.", "#0f766e"],
  header_text: ["Text above the form. `null` if none.", "Acme support"],
  show_project_header: ["Whether the public page shows the project's name.", true],
  response_limit: ["Maximum number of submissions that the form accepts. `null` for no limit.", null],
  one_per_email: ["Whether each e-mail address can submit the form only once."],
  confirmation_mode: ["What follows a submission: a message, or a redirect to `redirect_url`."],
  redirect_url: ["Address that people are sent to after a submission, for `redirect`. `null` if none.", null],
  access_mode: [
    "Who can open the public page: anyone, members of the workspace, or the addresses in `allowed_emails`.",
  ],
  allowed_emails: ["E-mail addresses that can open the form, for `invited`.", []],
  notify_submission: ["Whether the form's creator gets a mail about each submission."],
  confirmation_email: ["Whether people get a mail that confirms their submission."],
} as const;

export const aboutForm = {
  ...aboutFormSummary,
  ...settings,
  close_at: ["When the form stops accepting answers. `null` if never.", null],
  default_assignee_id: ["User id of whom new issues are assigned to. `null` for the project's default assignee.", null],
  default_label_ids: ["Ids of the labels that new issues get.", [SAMPLE.label]],
  default_sprint_id: ["Id of the sprint that new issues go to. `null` for none.", null],
  default_status_id: ["Id of the column that new issues go to. `null` for the project's default column.", null],
  has_password: ["Whether the public page asks for a password."],
  fields: ["What the form asks, from top to bottom."],
} as const;

export const aboutFormInput = {
  ...shown,
  ...settings,
  close_at: [
    "When the form stops accepting answers: `YYYY-MM-DD` (midnight UTC) or a date-time with offset. `null` for never.",
    "2030-01-31T00:00:00.000Z",
  ],
  default_assignee_id: [
    "Whom new issues are assigned to: user id, e-mail address or `me`. `null` for the project's default assignee.",
    "me",
  ],
  default_label_ids: ["Labels that new issues get, by id or name.", ["mobile"]],
  default_sprint_id: ["Id of the sprint that new issues go to. `null` for none.", SAMPLE.sprint],
  default_status_id: [
    "Id of the column that new issues go to. `null` for the project's default column.",
    SAMPLE.status,
  ],
  password: ["Password that the public page asks for. It is never shown. `null` removes it.", "correct horse"],
  fields: ["What the form asks, from top to bottom."],
} as const;

export const aboutFormPatch = {
  ...aboutFormInput,
  fields: ["All fields of the form, in their new order. Fields that you leave out are removed."],
} as const;

const answers = [
  "What was answered: the id of each form field with its value.",
  { [SAMPLE.field]: "The page stays blank" },
] as const;

export const aboutSubmission = {
  id: idOf("submission"),
  form_id: ["The form that was filled in.", SAMPLE.form],
  answers,
  submitter_email: ["E-mail address of the submitter. `null` if they gave none.", "grace@example.com"],
  submitter_user_id: userId("User id of the submitter. `null` if they were not signed in."),
  source: ["Whether it came through the public page or the API."],
  created_issue_id: ["The issue that the submission made. `null` if it made none.", SAMPLE.issue],
  created_issue_key: ["That issue as `KEY-N`. `null` if there is none.", "WEB-1"],
  created_at: ["When the form was submitted.", "2026-01-15T09:30:00.000Z"],
} as const;

export const aboutSubmissionInput = {
  answers,
  submitter_email: ["E-mail address of the submitter. `null` if not known.", "grace@example.com"],
} as const;
