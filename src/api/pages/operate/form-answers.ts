import { counted } from "../../../domain/kernel/counted.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import type { FormSubmissionView, FormView } from "../../../domain/work/forms/view.ts";
import { allPeople, type People } from "../issue/read.ts";
import { empty, facts, pager } from "../kit/pieces.ts";
import { ago } from "../kit/times.ts";
import { pathOf } from "../project/head.ts";
import type { List } from "../site/perform.ts";
import type { Site, WorkspaceCall } from "../site/site.ts";

/** The answers to a form, newest first. */

const SOURCES: Record<FormSubmissionView["source"], string> = { public: "on its page", internal: "within Muster" };

/** Names of the members who answered. Others say an address at most. */
export const readSenders = async (
  site: Site,
  call: WorkspaceCall,
  answers: readonly FormSubmissionView[],
): Promise<People> => (answers.some(({ submitter_user_id: id }) => id !== null) ? allPeople(site, call) : new Map());

export function answersOf(
  { data, next }: List<FormSubmissionView>,
  form: FormView,
  { call, base }: { call: WorkspaceCall; base: string },
  people: People,
): Html {
  const labels = new Map(form.fields.map(({ id, label }) => [id, label]));
  const one = ({
    answers,
    submitter_email,
    submitter_user_id: id,
    source,
    created_issue_key: key,
    created_at,
  }: FormSubmissionView) => html`<li>
    <p>${key ? html`<a href="${pathOf(call)}/${key}">${key}</a>` : ""} <span class="quiet">${people.get(id ?? "")?.name ?? submitter_email ?? "Somebody"}, ${ago(created_at, call.here.now)}, ${SOURCES[source]}</span></p>
    ${facts(Object.entries(answers).map(([id, value]) => [labels.get(id) ?? "A removed question", answer(value)]))}</li>`;
  return html`<section aria-labelledby="answers"><h2 id="answers">Answers</h2>
    ${data.length === 0 ? empty("No answers yet", "They appear here, and as issues of the project.") : html`<p class="quiet">${counted(form.submission_count, "answer")}, newest first.</p><ul class="rows">${data.map(one)}</ul>`}
    ${pager(next && `${base}?cursor=${next}`, { first: base, isFirst: call.query("cursor") === "", what: "answers" })}</section>`;
}

function answer(value: unknown): string {
  if (Array.isArray(value)) return value.map(answer).join(", ");
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return value !== null && typeof value === "object"
    ? String((value as { file_name?: string }).file_name ?? "A file")
    : String(value);
}
