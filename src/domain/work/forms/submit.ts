import { record } from "../../events/record.ts";
import type { Writing } from "../../kernel/context.ts";
import { readEmail, readNewEmail } from "../../kernel/email.ts";
import { refuse } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { own } from "../../kernel/own.ts";
import { checkAnswers } from "./answers.ts";
import { actingFor, createIssue } from "./create-issue.ts";
import { formErrors } from "./errors.ts";
import { formSubmitted } from "./events.ts";
import { attachFiles, type Stored } from "./files.ts";
import { findSubmission } from "./forms.sql.ts";
import { writeFormMails } from "./mails.ts";
import { type Answers, type FormRow, isAccepting, type SOURCES } from "./rows.ts";
import {
  findReporter,
  hasAnswered,
  type InForm,
  insertSubmission,
  isSecondAnswer,
  lockForm,
  wasSent,
} from "./submit.sql.ts";
import { FormSubmissionView } from "./view.ts";

/** Stores a submission. Its issue, the form's count and its mails are written in the same transaction. */

export type SubmissionRequest = {
  source: (typeof SOURCES)[number];
  /** By field id, as they were sent. */
  answers: Record<string, unknown>;
  /** Address that was sent beside the answers. */
  email: string | null;
  /** Files among the answers, already stored. */
  files: Stored[];
  submitter: { id: string; email: string | null } | null;
  /** Whether the form may be closed to others. */
  anyTime?: boolean;
  /** Identifies a submission of a page, to detect repetitions; null if none. */
  once: Buffer | null;
};

/** `repeated`: this submission was stored before, and nothing was created now. */
export type SubmissionResult = { form: FormRow; submission: FormSubmissionView } | { form: FormRow; repeated: true };

/** Stores a submission from the form's page. @throws Refusal form_closed; see submit */
export async function submitPublicly(
  ctx: InForm & Writing,
  formId: string,
  sending: SubmissionRequest,
): Promise<SubmissionResult> {
  const form = await lockForm(ctx, formId);
  return form?.public_enabled ? submit(ctx, form, sending) : refuse(formErrors.form_closed);
}

/**
 * Stores a submission of a locked form. The lock makes limits exact, and a submission that is sent twice at once counts
 * once.
 * @throws Refusal archived, form_closed, validation_failed, already_answered
 */
export async function submit(
  ctx: InForm & Writing,
  form: FormRow,
  sending: SubmissionRequest,
): Promise<SubmissionResult> {
  const { source, submitter, once } = sending;
  if (once && (await wasSent(ctx, form.id, once))) return { form, repeated: true };
  if (form.has_ended) refuseEnded();
  if (!sending.anyTime && !isAccepting(form, ctx.now)) refuse(formErrors.form_closed);
  const answers = checkAnswers(form.fields, sending.answers);
  const email = submitter?.email ?? emailOf(form, sending.email, answers);
  if (form.one_per_email) await checkFirst(ctx, form, email);

  const reporter = await findReporter(ctx, { submitter: submitter?.id ?? null, creator: form.created_by });
  if (!reporter) throw new Error("A workspace has no active owner.");
  const acting = await actingFor(ctx, { form, reporter });
  if (!acting) return refuseEnded();
  const issue = await createIssue(acting, { form, answers, number: form.submission_count + 1, reporter });
  await attachFiles(acting, issue.id, answers, sending.files);
  const { confirmed, notified } = await writeFormMails(ctx, { form, email, issue });
  const id = newId();
  await insertSubmission(ctx, {
    id,
    form_id: form.id,
    answers,
    submitter_email: email,
    submitter_user_id: submitter?.id ?? null,
    source,
    created_issue_id: issue.id,
    once_hash: once,
    one_per_email: form.one_per_email,
    confirmed,
    notified,
  }).catch((error) => {
    if (isSecondAnswer(error)) refuse(formErrors.already_answered);
    throw error;
  });
  const submission = FormSubmissionView.parse(await findSubmission(ctx, id));
  const notify = form.notify_submission ? { creator_id: form.created_by, form_title: form.title } : null;
  record(ctx, formSubmitted, submission, notify ? { context: notify } : {});
  return { form: { ...form, submission_count: form.submission_count + 1 }, submission };
}

const refuseEnded = (): never =>
  refuse(formErrors.form_closed, {
    message:
      "This form takes no more answers: the key that set it up was revoked, has expired, or may not define it or create issues here any more. A person who publishes the form again takes it over.",
    reason: "credential_ended",
  });

/**
 * Whether the page asks for an e-mail address beside the fields. It does if the form needs one and no required field
 * asks for it.
 */
export const asksForEmail = (form: FormRow): boolean =>
  (form.one_per_email || form.confirmation_email) && !emailField(form);

/** Returns the field whose answer is the submitter's address. */
export const emailField = ({ fields }: FormRow) =>
  fields.find(({ kind, visibility_rule }) => kind === "email" && visibility_rule === null);

/** @throws Refusal validation_failed */
function emailOf(form: FormRow, given: string | null, answers: Answers): string | null {
  const typed = given?.trim() ? readNewEmail(given) : null;
  if (given?.trim() && typed === null) refuseEmail("pattern", "must be an e-mail address, such as name@example.com");
  const field = emailField(form);
  const answered = field ? own(answers, field.id) : undefined;
  return typed ?? (answered === undefined ? null : readEmail(String(answered)));
}

async function checkFirst(ctx: InForm, form: FormRow, email: string | null): Promise<void> {
  if (email === null)
    return refuseEmail("required", "is required, because each address can submit the form only once", form);
  if (await hasAnswered(ctx, form.id, email)) refuse(formErrors.already_answered);
}

function refuseEmail(code: string, message: string, form?: FormRow): never {
  const field = form && emailField(form);
  const path = field ? `/answers/${field.id}` : "/submitter_email";
  refuse("validation_failed", { message: `The e-mail address ${message}.`, errors: [{ path, code, message }] });
}
