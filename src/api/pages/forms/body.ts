import type { Refusal } from "../../../domain/kernel/errors.ts";
import { escapedInParts, type Html, html } from "../../../domain/kernel/html.ts";
import { newId } from "../../../domain/kernel/ids.ts";
import type { PublicForm } from "../../../domain/work/forms/public.sql.ts";
import type { FormField } from "../../../domain/work/forms/rows.ts";
import { asksForEmail, emailField } from "../../../domain/work/forms/submit.ts";
import { notice } from "../site/layout.ts";
import { fieldHtml, nameOf } from "./fields.ts";
import type { Page } from "./layout.ts";

/** The page with the form. */

/** Names of the inputs that are not form fields. */
export const EMAIL = "your_email";
/** Invisible to people, so only bots fill it in. */
export const TRAP = "leave_this_empty";

export type Filled = {
  path: string;
  pass: string;
  /** The person who submits. Null if they are not signed in. */
  sender: { name: string | null; email: string } | null;
  /** The values entered in a field. Null if the page is new. */
  typed: ((name: string) => string[]) | null;
  refusal?: Refusal | undefined;
};

type Problem = { name: string; label: string; message: string };

export async function formPage(at: PublicForm, { path, pass, sender, typed, refusal }: Filled): Promise<Page> {
  const { form } = at;
  const problems = refusal ? problemsOf(at, refusal) : [];
  const errorOf = (name: string) => problems.find((problem) => problem.name === name)?.message ?? null;
  const needed = form.one_per_email && !sender ? emailField(form) : undefined;
  const fields: Html[] = [];
  for (const field of form.fields) {
    const name = nameOf(form, field);
    const shown = field === needed ? { ...field, required: true } : field;
    const values = typed ? typed(name) : defaultOf(field);
    const text = await escapedInParts(values[0] ?? "");
    fields.push(fieldHtml(form, shown, { name, values, text, error: errorOf(name) }));
  }
  const email = asksForEmail(form) && !sender;
  const hasFiles = form.fields.some(({ kind }) => kind === "file");
  const body = html`${form.header_text ? html`<p class="eyebrow">${form.header_text}</p>` : ""}
    <h1>${form.title}</h1>
    ${form.description ? html`<p class="written lead">${form.description}</p>` : ""}
    ${refusal ? summary(refusal, problems) : ""}
    <form method="post" action="${path}"${hasFiles ? html` enctype="multipart/form-data"` : ""}>
      <input type="hidden" name="once" value="${newId()}"><input type="hidden" name="pass" value="${pass}">
      <div class="trap" aria-hidden="true"><label for="${TRAP}">Leave this empty</label>
        <input id="${TRAP}" name="${TRAP}" tabindex="-1" autocomplete="off"></div>
      ${fields}
      ${email ? emailHtml(at, await escapedInParts(typed?.(EMAIL)[0] ?? ""), errorOf(EMAIL)) : ""}
      ${sender ? html`<p class="quiet">You send this as ${sender.name ?? sender.email}.</p>` : ""}
      <button>Send</button>
    </form>`;
  return { title: `${refusal ? "Not sent: " : ""}${form.title}`, body, status: refusal?.status ?? 200, inside: true };
}

const defaultOf = ({ default_value }: FormField): string[] => (default_value === null ? [] : [default_value]);

/** The errors, with links to their fields. It gets the focus, so that screen readers read it first. */
function summary(refusal: Refusal, problems: Problem[]): Html {
  const lines = problems.map(({ name, label, message }) => html`<li><a href="#${name}">${label}</a>: ${message}</li>`);
  return notice(
    "bad",
    html`<div id="problem" tabindex="-1" autofocus><p><strong>Nothing was sent yet.</strong> ${
      problems.length > 0 ? "Please check:" : refusal.message
    }</p>${problems.length > 0 ? html`<ul>${lines}</ul>` : ""}</div>`,
  );
}

function problemsOf({ form }: PublicForm, refusal: Refusal): Problem[] {
  const errors = (refusal.details.errors ?? []) as { path: string; message: string }[];
  return errors.flatMap(({ path, message }) => {
    if (path === "/submitter_email") return { name: EMAIL, label: EMAIL_LABEL, message };
    const field = form.fields.find(({ id }) => path === `/answers/${id}`);
    return field ? { name: nameOf(form, field), label: field.label, message } : [];
  });
}

const EMAIL_LABEL = "Your e-mail address";

function emailHtml({ form }: PublicForm, value: Html, error: string | null): Html {
  const why = form.one_per_email ? "Each person can answer once." : "We mail you a confirmation.";
  const described = `${EMAIL}-hint${error ? ` ${EMAIL}-error` : ""}`;
  return html`<div class="field">
    <label for="${EMAIL}">${EMAIL_LABEL}${form.one_per_email ? html` <span class="must">required</span>` : ""}</label>
    <p class="hint" id="${EMAIL}-hint">${why}</p>
    <input id="${EMAIL}" name="${EMAIL}" type="text" inputmode="email" autocomplete="email" maxlength="320" value="${value}"${form.one_per_email ? html` required` : ""}${error ? html` aria-invalid="true"` : ""} aria-describedby="${described}">
    ${error ? html`<p class="error" id="${EMAIL}-error">${error}</p>` : ""}</div>`;
}
