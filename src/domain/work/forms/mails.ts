import { writeMail } from "../../events/mail/mail.ts";
import { mailText, quoted } from "../../events/mail/mail-text.ts";
import type { FormRow } from "./rows.ts";
import { addressOf, countMailed, type InForm } from "./submit.sql.ts";

/**
 * Mails about a submission. Anybody can make a public form send a confirmation to any address. So confirmations are
 * limited in number, and they quote no answers.
 */

/** Per day. */
const MAX_PER_ADDRESS = 3;
const MAX_CONFIRMATIONS = 200;
/**
 * From all forms of a workspace, including deleted ones, because a form's creator chooses the text of its
 * confirmations.
 */
const MAX_PER_WORKSPACE = 500;
const MAX_NOTICES = 50;
const RELEVANT_DAYS = 7;

type About = { form: FormRow; email: string | null; issue: { key: string; url: string } };

/** Writes the mails that the form asks for, within the limits. Returns which ones were written. */
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
    subject: mailText`We received your answer: ${form.title}`,
    lines: [
      mailText`Your answer to “${form.title}” has arrived.`,
      ...(form.success_message
        ? [quoted(mailText`A message from the people who made this form:`, form.success_message)]
        : []),
    ],
    footnotes: [
      mailText`You get this mail because somebody entered this address in that form. If it was not you, you can ignore it.`,
    ],
  };
  await writeMail(ctx, {
    kind: "form",
    workspaceId: ctx.workspace.id,
    to: email,
    content,
    expiresAt: relevantUntil(ctx),
  });
  return true;
}

/** Notifies the form's creator, if they are still in the workspace. */
async function notify(ctx: InForm, { form, issue }: About): Promise<boolean> {
  const to = await addressOf(ctx, form.created_by);
  if (to === null) return false;
  const content = {
    subject: mailText`New answer to ${form.title}: ${issue.key}`,
    lines: [mailText`Somebody answered “${form.title}” in ${ctx.project.name}. It became ${issue.key}.`],
    action: { label: mailText`Open ${issue.key}`, url: issue.url },
    footnotes: [
      mailText`You created this form and get up to ${MAX_NOTICES} mails a day about its answers. You can turn them off in its settings.`,
    ],
  };
  await writeMail(ctx, { kind: "form", workspaceId: ctx.workspace.id, to, content, expiresAt: relevantUntil(ctx) });
  return true;
}

const relevantUntil = ({ now }: InForm) => inDays(now, RELEVANT_DAYS);
const inDays = (now: string, days: number) => new Date(Date.parse(now) + days * 86_400_000).toISOString();
