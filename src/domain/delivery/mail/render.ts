import { safe } from "escape-html-template-tag";
import type { MailContent } from "../../events/mail/mail.ts";
import { type Html, html } from "../../kernel/html.ts";
import type { OutgoingMail } from "../../kernel/ports/ports.ts";

/** Renders a mail as text and as HTML that old mail programs can display. */
export function render(content: MailContent): Omit<OutgoingMail, "id" | "to"> {
  const { subject, unsubscribe = null } = content;
  return { subject, text: textOf(content), html: htmlOf(content).toString(), unsubscribe };
}

/** Links and codes are on separate lines, so that they are easy to copy. */
function textOf({ lines, action, code, footnotes, unsubscribe }: MailContent): string {
  const blocks = [
    ...lines.map((line) => (typeof line === "string" ? line : `${line.text}\n  ${line.url}`)),
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...(code ? [code] : []),
    "-- ",
    ...footnotes,
    ...(unsubscribe ? [`${UNSUBSCRIBE}:\n${unsubscribe}`] : []),
  ];
  return `${blocks.join("\n\n").replace("-- \n\n", "-- \n")}\n`;
}

const UNSUBSCRIBE = "Stop these mails";

/** Escapes only what HTML requires, because programs that search mails for URLs do not decode all escapes. */
const address = (url: string): Html => safe(url.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`));

// Mail programs support few styles, and only inline.
const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const STYLE = {
  page: `margin:0;padding:24px;background:#f4f5f7;${FONT}`,
  card: "max-width:480px;margin:0 auto;background:#ffffff;border:1px solid #dfe1e6;border-radius:8px",
  cell: `padding:32px;color:#1f2430;font-size:16px;line-height:1.5;word-break:break-word;${FONT}`,
  // Keeps the line breaks of text that people wrote.
  text: "margin:0 0 16px;white-space:pre-line",
  button:
    "display:inline-block;padding:12px 24px;border-radius:6px;background:#0f766e;color:#ffffff;font-weight:600;text-decoration:none",
  code: "margin:0 0 16px;font-family:Menlo,Consolas,monospace;font-size:32px;letter-spacing:6px;font-weight:600",
  small: "margin:8px 0 0;color:#5e6470;font-size:13px",
  url: "margin:16px 0;color:#5e6470;font-size:13px;word-break:break-all",
};

const htmlOf = ({ subject, lines, action, code, footnotes, unsubscribe }: MailContent): Html => html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${subject}</title></head>
<body style="${STYLE.page}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="${STYLE.card}"><tr><td style="${STYLE.cell}">
<p style="margin:0 0 16px;font-weight:700">Muster</p>
${lines.map((line) => html`<p style="${STYLE.text}">${typeof line === "string" ? line : html`<a href="${address(line.url)}">${line.text}</a>`}</p>\n`)}
${
  action
    ? html`<p style="margin:24px 0"><a href="${address(action.url)}" style="${STYLE.button}">${action.label}</a></p>
<p style="${STYLE.url}">Or open this address: ${address(action.url)}</p>`
    : ""
}
${code ? html`<p style="${STYLE.code}">${code}</p>` : ""}
<hr style="border:0;border-top:1px solid #dfe1e6;margin:24px 0 16px">
${footnotes.map((line) => html`<p style="${STYLE.small}">${line}</p>\n`)}
${unsubscribe ? html`<p style="${STYLE.small}"><a href="${address(unsubscribe)}">${UNSUBSCRIBE}</a></p>` : ""}
</td></tr></table>
</body>
</html>
`;
