import { writeMail } from "../../events/mail/mail.ts";
import { mailText, quoted } from "../../events/mail/mail-text.ts";
import type { FormRow } from "./rows.ts";
import { addressOf, countMailed, type InForm } from "./submit.sql.ts";

/**
 * Mail about a submission. A public form would send mail to whomever a stranger names, so confirmations are few, and
 * nothing that was answered stands in them.
 */

/** In a day. */
const MAX_PER_ADDRESS = 3;
const MAX_CONFIRMATIONS = 200;
/** From all forms, also those that are gone: what is written in them is for a form's maker to choose. */
const MAX_PER_WORKSPACE = 500;
const MAX_NOTICES = 50;
const WORTH_DAYS = 7;

type About = { form: FormRow; email: string | null; issue: { key: string; url: string } };

/** Writes what the form asks for, as far as there is room for it, and answers what was written. */
export async function writeFormMails(ctx: InForm, about: About): Promise<{ confirmed: boolean; notified: boolean }> {
  const { form, email } = about;
  const none = { confirmed: false, notified: false };
  if (!ctx.settings.people.mail || !(form.notify_submission || (form.confirmation_email && email))) return none;
  const sent = await countMailed(ctx, { formId: form.id, email, since: inDays(ctx.now, -1) });
  const mayConfirm = sent.to < MAX_PER_ADDRESS && sent.confirmed < MAX_CONFIRMATIONS && sent.here < MAX_PER_WORKSPACE;
  return {
    confirmed: form.confirmation_email && mayConfirm && (await confirm(ctx, form, email)),
    notified: form.notify_submission && sent.notified < MAX_NOTICES && (await notify(ctx, about)),
  };
}

async function confirm(ctx: InForm, form: FormRow, email: string | null): Promise<boolean> {
  if (email === null) return false;
  const content = {
    subject: mailText`We have your answer: ${form.title}`,
    lines: [
      mailText`Your answer to “${form.title}” has arrived.`,
      ...(form.success_message
        ? [quoted(mailText`A message from the people who made this form:`, form.success_message)]
        : []),
    ],
    footnotes: [
      mailText`You get this because somebody gave this address in that form. If it was not you, there is nothing to do.`,
    ],
  };
  await writeMail(ctx, { kind: "form", workspaceId: ctx.workspace.id, to: email, content, expiresAt: worthUntil(ctx) });
  return true;
}

/** To whoever made the form, while they are there. */
async function notify(ctx: InForm, { form, issue }: About): Promise<boolean> {
  const to = await addressOf(ctx, form.created_by);
  if (to === null) return false;
  const content = {
    subject: mailText`New answer to ${form.title}: ${issue.key}`,
    lines: [mailText`Somebody answered “${form.title}” in ${ctx.project.name}. It became ${issue.key}.`],
    action: { label: mailText`Open ${issue.key}`, url: issue.url },
    footnotes: [
      mailText`You made this form, which tells you of answers, up to ${MAX_NOTICES} a day. Its settings can turn that off.`,
    ],
  };
  await writeMail(ctx, { kind: "form", workspaceId: ctx.workspace.id, to, content, expiresAt: worthUntil(ctx) });
  return true;
}

const worthUntil = ({ now }: InForm) => inDays(now, WORTH_DAYS);
const inDays = (now: string, days: number) => new Date(Date.parse(now) + days * 86_400_000).toISOString();
