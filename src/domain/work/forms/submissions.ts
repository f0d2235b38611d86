import type { InProject, Writing } from "../../kernel/context.ts";
import { refuse, refuseReference } from "../../kernel/errors.ts";
import { readId } from "../../kernel/ids.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import { isAdmin, isEditor } from "../../kernel/roles.ts";
import { findSubmission, listSubmissions, type SubmissionRow } from "./forms.sql.ts";

import type { FormSubmissionCreateInput } from "./inputs.ts";
import type { FormRow } from "./rows.ts";
import { lockForm } from "./submit.sql.ts";
import { submit } from "./submit.ts";
import type { FormSubmissionView } from "./view.ts";

/** Submissions, for members of the workspace. */

/** Returns a page of submissions, newest first. @throws Refusal insufficient_role */
export async function listPage(ctx: InProject, form: { id: string }, paging: Paging) {
  checkReader(ctx);
  const rows = await listSubmissions(ctx, form.id, paging.after, paging.limit + 1);
  return pageOf(
    rows,
    paging,
    (row) => [row.created_at, row.id],
    ({ bytes }) => bytes,
  );
}

/** Returns the id of a form. The form may be deleted, because its submissions can still be read. */
export const formId = async (_: InProject, text: string): Promise<string | null> => readId(text);

/** Returns a submission of this form. */
export async function byId(ctx: InProject, text: string, form: string): Promise<SubmissionRow | null> {
  const id = readId(text);
  const found = id && (await findSubmission(ctx, id));
  return found && found.form_id === form ? found : null;
}

/** Locks and returns a form before it is answered. */
export async function lock(ctx: InProject & Writing, text: string): Promise<FormRow | null> {
  const id = readId(text);
  return id ? lockForm(ctx, id) : null;
}

/** @throws Refusal insufficient_role */
export function read(ctx: InProject, submission: SubmissionRow): SubmissionRow {
  checkReader(ctx);
  return submission;
}

/**
 * Stores a submission from a member's program. Access modes and passwords do not apply. Only admins of the project may
 * submit a form that is not published.
 * @throws Refusal form_closed, invalid_reference, validation_failed, already_answered
 */
export async function create(
  ctx: InProject & Writing,
  form: FormRow,
  { answers, submitter_email }: FormSubmissionCreateInput,
): Promise<FormSubmissionView> {
  const given = Object.entries(answers).map(([name, value]) => {
    const field = form.fields.find(({ id }) => id === readId(name));
    if (!field || field.kind === "section") refuseReference(`/answers/${pointer(name)}`, name);
    return [field.id, value];
  });
  const taken = await submit(ctx, form, {
    source: "internal",
    answers: Object.fromEntries(given),
    files: [],
    email: submitter_email ?? null,
    submitter: { id: ctx.principal.user_id, email: null },
    once: null,
    anyTime: form.status !== "published" && (isAdmin(ctx.principal.role) || ctx.project.role === "admin"),
  });
  if ("repeated" in taken) throw new Error("A submission from a program has no repetition key.");
  return taken.submission;
}

/** Guests and viewers may not read answers and addresses of strangers. */
function checkReader({ principal }: InProject): void {
  if (!isEditor(principal.role)) refuse("insufficient_role", { role: principal.role, required_role: "member" });
}

/** Escapes a name for a JSON pointer (RFC 6901). */
const pointer = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");
