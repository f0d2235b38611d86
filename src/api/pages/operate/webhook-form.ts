import type { WebhookView } from "../../../domain/delivery/webhooks/view.ts";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { own } from "../../../domain/kernel/own.ts";
import { SUBSCRIPTIONS } from "../../../domain/webhook-events.ts";
import type { ProjectView } from "../../../domain/work/projects/view.ts";
import { choices, textArea, textField } from "../kit/fields.ts";
import { fold } from "../kit/pieces.ts";
import { words } from "../kit/words.ts";
import { showsTyped } from "../site/field-state.ts";
import type { Form } from "../site/forms.ts";

/** The fields of a webhook, to create it and to change it. */

/** All events, and the groups of the first level: `issue.*`. */
const GROUPS = SUBSCRIPTIONS.filter((name) => name === "*" || /^[^.]+\.\*$/.test(name));

/** Where a plural would be wrong. */
const LABELS: Record<string, string> = {
  "*": "Everything",
  "api_key.*": "API keys",
  "chat.*": "Chat",
  "credits.*": "Credits",
  "status.*": "Columns",
  "workspace.*": "The workspace",
};

const groupLabel = (name: string) => own(LABELS, name) ?? `${words(name.slice(0, -2))}s`;

export const WEBHOOK_FIELDS = ["url", "description", "group", "event_types", "project_ids", "headers"] as const;

type Values = Record<Exclude<(typeof WEBHOOK_FIELDS)[number], "group">, string> & { groups: readonly string[] };

const NEW: Values = { url: "", description: "", groups: ["*"], event_types: "", project_ids: "", headers: "" };

const list = (text: string) => text.split(/[\s,]+/).filter(Boolean);

/** What the form says, as the API takes it. */
export function webhookOf(form: Form) {
  const projects = list(form.text("project_ids"));
  return {
    url: form.text("url"),
    description: form.text("description") || null,
    event_types: [...form.all("group"), ...list(form.text("event_types"))],
    project_ids: projects.length > 0 ? projects : null,
    headers: headersOf(form.text("headers")),
  };
}

/** Lines of `Name: value`. A line without a colon is a name, which the operation refuses as it deserves. */
const headersOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean)
      .map((line) => {
        const at = line.indexOf(":");
        return at < 0 ? [line, ""] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
      }),
  );

const typed = (form: Form): Values => ({
  url: form.text("url"),
  description: form.text("description"),
  groups: form.all("group"),
  event_types: form.text("event_types"),
  project_ids: form.text("project_ids"),
  headers: form.text("headers"),
});

export const valuesOf = (webhook: WebhookView, projects: readonly ProjectView[]): Values => ({
  url: webhook.url,
  description: webhook.description ?? "",
  groups: webhook.event_types.filter((name) => GROUPS.includes(name)),
  event_types: webhook.event_types.filter((name) => !GROUPS.includes(name)).join(" "),
  project_ids: (webhook.project_ids ?? []).map((id) => projects.find((one) => one.id === id)?.key ?? id).join(" "),
  headers: Object.entries(webhook.headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n"),
});

/** `sent`: the form that was refused, with what was wrong. */
export function webhookFields(values: Values = NEW, sent?: { form: Form; refusal: Refusal }): Html {
  const shown = sent && showsTyped(sent.refusal) ? typed(sent.form) : values;
  const refusal = sent?.refusal;
  return html`${textField({ name: "url", label: "Address", type: "url", value: shown.url, required: true, max: 2_000, hint: "HTTPS, and reachable from the internet. Messages are signed.", refusal })}
    ${textField({ name: "description", label: "What it is for", value: shown.description, max: 200, refusal })}
    ${choices({ name: "group", label: "Events", options: GROUPS.map((value) => ({ value, label: groupLabel(value) })), values: shown.groups, refusal })}
    ${textField({ name: "event_types", label: "Or exactly these events", value: shown.event_types, hint: "Names such as issue.created, separated by spaces. The API reference lists them.", refusal })}
    ${fold(
      "Only some projects, and headers",
      html`${textField({ name: "project_ids", label: "Only these projects", value: shown.project_ids, hint: "Keys such as WEB, separated by spaces. Empty: all projects.", refusal })}
      ${textArea({ name: "headers", label: "Headers to send", value: shown.headers, rows: 3, hint: "One a line, as Name: value. The value *** keeps the present one.", refusal })}`,
      { open: shown.project_ids !== "" || shown.headers !== "" },
    )}`;
}
