import type { MailContent } from "../../events/mail/mail.ts";
import { mailText } from "../../events/mail/mail-text.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import { type NotificationRow, notificationView } from "../notifications/view.ts";
import type { Frequency } from "./setting.sql.ts";

/** Notifications that a mail shows. The others are counted. */
const SHOWN = 20;

/** Notifications that are counted. */
export const COUNTED = 100;

type Digest = {
  /** Newest first, at most one more than COUNTED. */
  rows: readonly NotificationRow[];
  frequency: Frequency;
  token: string;
};

export function digestMail(ctx: InWorkspace, { rows, frequency, token }: Digest): MailContent {
  const { workspace, settings } = ctx;
  const count = rows.length > COUNTED ? `More than ${COUNTED}` : String(rows.length);
  const things = rows.length === 1 ? "unread notification" : "unread notifications";
  const more = rows.length - SHOWN;
  return {
    subject: mailText`${count} ${things} in ${workspace.name}`,
    lines: [
      mailText`${count} ${things} in ${workspace.name}:`,
      ...rows.slice(0, SHOWN).map((row) => {
        const { title, body } = row;
        const text = body ? mailText`– ${title}: ${body}` : mailText`– ${title}`;
        return { text, url: notificationView(ctx, row).url };
      }),
      ...(more > 0 ? [mailText`And ${rows.length > COUNTED ? "many" : more} more.`] : []),
    ],
    action: { label: mailText`Open ${workspace.name}`, url: `${settings.baseUrl}/w/${workspace.slug}` },
    footnotes: [
      mailText`You chose to get your unread notifications ${frequency === "hourly" ? "every hour" : "every day"}. Your account page has this setting.`,
    ],
    unsubscribe: `${settings.baseUrl}/unsubscribe?token=${token}`,
  };
}
