import { z } from "zod";
import type { serverVariables } from "./server.ts";
import { optional, type Values } from "./types.ts";

/** Mail. */
export const mailVariables = {
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe("Mail server: smtps://user:password@host, or smtp:, which uses TLS if offered. Unset: mail is off."),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n@]*@[^\r\n@]+$/, "must be an address, or a name and an address: Muster <muster@example.com>")
    .optional()
    .describe("Sender of mail. Default: Muster <no-reply@host of BASE_URL>."),
  MAILBOX_FOLDER: optional.describe(
    "Development: folder of captured mail, shown at /dev/mailbox. Not allowed in production.",
  ),
};

export const mailProblems = (env: Values<typeof mailVariables & typeof serverVariables>): string[] =>
  env.NODE_ENV === "production" && env.MAILBOX_FOLDER
    ? ["MAILBOX_FOLDER: not in production, where anybody could read everybody's mail"]
    : [];
