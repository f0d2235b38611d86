import type { MailContent } from "../../events/mail/mail.ts";
import { type MailText, mailText } from "../../events/mail/mail-text.ts";
import type { Workspace } from "../../kernel/rows.ts";
import type { AutomationView } from "../automations/view.ts";
import type { Disabling } from "./disable.sql.ts";
import { MAX_FAILURES, MAX_LOOPS } from "./limits.ts";

const WHY: Record<Disabling, MailText> = {
  rights: mailText`It acts with the rights of its creator, who has left, was suspended, or may no longer do what it does. Whoever enables it again becomes its creator, if they are an admin.`,
  credential_ended: mailText`The key that set it up was revoked or has expired. Whoever enables it again takes it over, if they are an admin.`,
  loop: mailText`It caused the changes that start it: ${MAX_LOOPS} of its runs within an hour were stopped for that reason. Change its trigger or its conditions before you enable it again.`,
  failing: mailText`Its last ${MAX_FAILURES} runs ended with an error. Its runs say what went wrong.`,
};

/** Mail to the admins when the service disabled an automation. */
export function disabledMail(
  { id, name: automation }: AutomationView,
  reason: Disabling,
  { slug, name }: Workspace,
  baseUrl: string,
): MailContent {
  const address = { asItIs: `${baseUrl}/v1/workspaces/${slug}/automations/${id}` };
  return {
    subject: mailText`An automation of ${name} was disabled`,
    lines: [
      mailText`Automation: ${automation}`,
      WHY[reason],
      mailText`Its runs: GET ${address}/runs. To enable it again, send PATCH ${address} with {"enabled": true}.`,
    ],
    action: { label: mailText`Open the automation`, url: `${baseUrl}/w/${slug}/automations/${id}` },
    footnotes: [mailText`You get this because you are an owner or admin of the workspace.`],
  };
}
