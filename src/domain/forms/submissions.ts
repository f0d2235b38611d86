import type { InProject } from "../context.ts";
import { refuse } from "../errors.ts";
import { isEditor } from "../identity/scopes.ts";
import { readId } from "../ids.ts";
import { type Paging, pageOf } from "../paging.ts";
import { findSubmission, listSubmissions, type SubmissionRow } from "./forms.sql.ts";

/** What was submitted, for those who work with it. */

/** Newest first. @throws Refusal insufficient_role */
export async function listPage(ctx: InProject, form: { id: string }, paging: Paging) {
  checkReader(ctx);
  const rows = await listSubmissions(ctx, form.id, paging.after, paging.limit + 1);
  return pageOf(rows, paging, (row) => [row.created_at, row.id]);
}

export async function byId(ctx: InProject, text: string): Promise<SubmissionRow | null> {
  const id = readId(text);
  return id ? findSubmission(ctx, id) : null;
}

/** A submission of this very form, which may have been deleted. @throws Refusal insufficient_role, not_found */
export function read(ctx: InProject, submission: SubmissionRow, formId: string): SubmissionRow {
  if (submission.form_id !== readId(formId)) refuse("not_found");
  checkReader(ctx);
  return submission;
}

/** Strangers' answers and addresses are not for guests and viewers. */
function checkReader({ caller }: InProject): void {
  if (!isEditor(caller.role)) refuse("insufficient_role", { role: caller.role, required_role: "member" });
}
