import { type Html, html } from "../../../domain/kernel/html.ts";
import { ACCESS_MODES, CONFIRMATION_MODES, FORM_ISSUE_TYPES } from "../../../domain/work/forms/rows.ts";
import type { FormFieldView, FormView } from "../../../domain/work/forms/view.ts";
import { choices, radios, select, textArea, textField, tick } from "../kit/fields.ts";
import { fold } from "../kit/pieces.ts";
import { dayOf, dayWas, long, numberOf, orNull, type Values } from "../kit/typed.ts";
import { type Choices, columnsOf, labelsOf, peopleOf, sprintsOf, TYPES, URGENCIES } from "../project/choices.ts";
import { revisionField } from "../site/actions.ts";
import type { Form } from "../site/forms.ts";

/** The settings of a form, in three parts. Each part is a form of its own. */

export type Part = "change" | "access" | "issue";

const isOn = (form: Form, name: string) => form.text(name) !== "";

/** The day belongs to it. */
const endOf = (day: string | null) => (day?.length === 10 ? `${day}T23:59:59Z` : day);

const words = (form: Form, name: string) =>
  form
    .text(name)
    .split(/[\s,;]+/)
    .filter(Boolean);

/** What each part says, as the API reads it. */
export const PARTS: Record<Part, (form: Form) => object> = {
  change: (form) => ({
    title: form.text("title"),
    description: orNull(long(form.text("description"))),
    header_text: orNull(form.text("header_text")),
    show_project_header: isOn(form, "show_project_header"),
    accent_color: isOn(form, "accented") ? form.text("accent_color") : null,
    confirmation_mode: form.text("confirmation_mode"),
    success_message: orNull(long(form.text("success_message"))),
    redirect_url: orNull(form.text("redirect_url")),
  }),
  access: (form) => {
    const password = form.text("password");
    const kept = password === "" && !isOn(form, "no_password");
    return {
      access_mode: form.text("access_mode"),
      allowed_emails: words(form, "allowed_emails"),
      ...(kept ? {} : { password: orNull(password) }),
      one_per_email: isOn(form, "one_per_email"),
      response_limit: numberOf(form.text("response_limit")),
      close_at: endOf(dayOf(form, "close_at")),
      confirmation_email: isOn(form, "confirmation_email"),
      notify_submission: isOn(form, "notify_submission"),
    };
  },
  issue: (form) => ({
    issue_type: form.text("issue_type"),
    priority: form.text("priority"),
    default_status_id: orNull(form.text("default_status_id")),
    default_assignee_id: orNull(form.text("default_assignee_id")),
    default_sprint_id: orNull(form.text("default_sprint_id")),
    default_label_ids: form.all("default_label_ids"),
  }),
};

const ACCESS: Record<(typeof ACCESS_MODES)[number], string> = {
  anyone: "Anybody who has the address",
  members: "Members of the workspace",
  invited: "People with one of these addresses",
};
const AFTER: Record<(typeof CONFIRMATION_MODES)[number], string> = {
  message: "See a text",
  redirect: "Go to another page",
};
export const accessInWords = ({ access_mode: mode }: FormView): string => ACCESS[mode];

/** @param values of a part, which was refused or not */
export function settingsForms(
  form: FormView,
  base: string,
  { values, open, choices: all }: { values: (part: Part) => Values; open: Part | null; choices: Choices },
): Html {
  const part = (name: Part, title: string, fields: (values: Values) => Html) =>
    fold(
      title,
      html`<form method="post" action="${base}/${name}">${revisionField(form)}${fields(values(name))}<button>Save</button></form>`,
      { open: open === name },
    );
  return html`${part("change", "Texts and looks", (values) => textsForm(form, values))}
    ${part("access", "Who answers, until when, and mails", (values) => accessForm(form, values))}
    ${part("issue", "The issue that an answer makes", (values) => issueForm(form, values, all))}`;
}

/** Fields of the same name are on the page twice, in the forms of questions. */
const prefix = "form-";

function textsForm(form: FormView, { of, on, refusal }: Values): Html {
  const common = { refusal, prefix };
  const color = of("accent_color", form.accent_color) || "#0f766e";
  return html`${textField({ ...common, name: "title", label: "Title", required: true, max: 200, value: of("title", form.title) })}
    ${textArea({ ...common, name: "description", label: "Description", rows: 3, max: 2000, value: of("description", form.description) })}
    ${textField({ ...common, name: "header_text", label: "Line above the title", max: 200, value: of("header_text", form.header_text) })}
    ${tick({ ...common, name: "show_project_header", label: "Name the project", checked: on("show_project_header", form.show_project_header) })}
    ${tick({ ...common, name: "accented", label: "A colour of its own", checked: on("accented", form.accent_color !== null) })}
    ${textField({ ...common, name: "accent_color", label: "Colour", type: "color", required: true, value: color, hint: "Made lighter or darker until it is readable." })}
    ${radios({ ...common, name: "confirmation_mode", label: "After answering, people", value: of("confirmation_mode", form.confirmation_mode), options: CONFIRMATION_MODES.map((value) => ({ value, label: AFTER[value] })) })}
    ${textArea({ ...common, name: "success_message", label: "The text", rows: 2, max: 2000, value: of("success_message", form.success_message) })}
    ${textField({ ...common, name: "redirect_url", label: "The other page", type: "url", max: 2000, value: of("redirect_url", form.redirect_url), hint: "An address that begins with https." })}`;
}

function accessForm(form: FormView, { of, on, refusal }: Values): Html {
  const common = { refusal, prefix };
  const closes = of("close_at", form.close_at).slice(0, 10);
  const password = form.has_password
    ? "Empty: the present one stays."
    : "At least 4 characters. Empty: none is needed.";
  return html`${radios({ ...common, name: "access_mode", label: "Who answers", value: of("access_mode", form.access_mode), options: ACCESS_MODES.map((value) => ({ value, label: ACCESS[value] })) })}
    ${textArea({ ...common, name: "allowed_emails", label: "Their addresses", rows: 3, value: of("allowed_emails", form.allowed_emails.join("\n")), hint: "One a line." })}
    ${textField({ ...common, name: "password", label: "Password", type: "password", max: 100, hint: password })}
    ${form.has_password ? tick({ ...common, name: "no_password", label: "Without a password from now on", checked: on("no_password", false) }) : ""}
    ${tick({ ...common, name: "one_per_email", label: "One answer for each address", checked: on("one_per_email", form.one_per_email) })}
    ${textField({ ...common, name: "response_limit", label: "At most so many answers", type: "number", value: of("response_limit", form.response_limit) })}
    ${dayWas("close_at", form.close_at)}${textField({ ...common, name: "close_at", label: "Last day", type: "date", value: closes, hint: "It closes at midnight UTC." })}
    ${tick({ ...common, name: "confirmation_email", label: "Mail people what they answered", checked: on("confirmation_email", form.confirmation_email) })}
    ${tick({ ...common, name: "notify_submission", label: "Notify whoever made the form of each answer", checked: on("notify_submission", form.notify_submission) })}`;
}

function issueForm(form: FormView, { of, all, refusal }: Values, lists: Choices): Html {
  const common = { refusal, prefix };
  const types = TYPES.filter(({ value }) => (FORM_ISSUE_TYPES as readonly string[]).includes(value));
  const labels = labelsOf(lists);
  return html`${select({ ...common, name: "issue_type", label: "Type", required: true, value: of("issue_type", form.issue_type), options: types })}
    ${select({ ...common, name: "priority", label: "Priority", required: true, value: of("priority", form.priority), options: URGENCIES })}
    ${select({ ...common, name: "default_status_id", label: "Column", none: "The first one", value: of("default_status_id", form.default_status_id), options: columnsOf(lists) })}
    ${select({ ...common, name: "default_assignee_id", label: "Assignee", none: "As the project says", value: of("default_assignee_id", form.default_assignee_id), options: peopleOf(lists) })}
    ${select({ ...common, name: "default_sprint_id", label: "Sprint", none: "None", value: of("default_sprint_id", form.default_sprint_id), options: sprintsOf(lists) })}
    ${labels.length > 0 ? choices({ ...common, name: "default_label_ids", label: "Labels", options: labels, values: all("default_label_ids", form.default_label_ids) }) : ""}`;
}

/** What few questions need. */
export function moreOfField(
  prefix: string,
  { of, refusal }: Values,
  field: FormFieldView | undefined,
  customFields: readonly { id: string; name: string }[],
): Html {
  const common = { refusal, prefix };
  const number = (name: "min_value" | "max_value" | "max_length", label: string) =>
    textField({ ...common, name, label, type: "number", value: of(name, field?.[name]) });
  return fold(
    "Bounds, default and custom field",
    html`${textField({ ...common, name: "placeholder", label: "Example in the empty field", max: 200, value: of("placeholder", field?.placeholder) })}
    ${textField({ ...common, name: "default_value", label: "Answer to begin with", max: 500, value: of("default_value", field?.default_value) })}
    ${number("min_value", "Least number")}${number("max_value", "Greatest number")}${number("max_length", "Most characters")}
    ${customFields.length > 0 ? select({ ...common, name: "custom_field_id", label: "Custom field of the issue", none: "None", value: of("custom_field_id", field?.custom_field_id), options: customFields.map(({ id, name }) => ({ value: id, label: name })) }) : ""}`,
  );
}

export const moreSaid = (form: Form): object => ({
  placeholder: orNull(form.text("placeholder")),
  default_value: orNull(form.text("default_value")),
  min_value: numberOf(form.text("min_value")),
  max_value: numberOf(form.text("max_value")),
  max_length: numberOf(form.text("max_length")),
  // Left out by pages of projects without such fields.
  ...(form.all("custom_field_id").length > 0 ? { custom_field_id: orNull(form.text("custom_field_id")) } : {}),
});
