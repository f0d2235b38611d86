import { shorten, singleLine } from "../../kernel/text.ts";

/**
 * Text of a mail. Names in it are chosen by strangers, who would like to write mail in our name: so nothing gets into a
 * mail but by the functions below, and a text that was not made by them does not fit its type.
 */
export type MailText = string & { readonly [ours]: true };
declare const ours: unique symbol;

const MAX_NAME_LENGTH = 100;

/** A sentence of ours. Each value in it is one short line, and no address that mail programs make a link of. */
export const mailText = (parts: TemplateStringsArray, ...values: (string | number | MailValue)[]): MailText =>
  own(parts.reduce((text, part, at) => text + shown(values[at - 1]!) + part));

/** Put into a sentence as it is. */
export type MailValue = { readonly asItIs: string };

/** The reader's own e-mail address, or another one that a person has signed in with. */
export const emailIn = (address: string): MailValue => ({ asItIs: singleLine(address) });

/**
 * A text of several lines that a person wrote. Each line is marked, so that it cannot pass for a line of Muster's own
 * text.
 */
export const quoted = (introduction: MailText, text: string): MailText =>
  own(
    [
      introduction,
      ...text
        .trim()
        .split(LINE_END)
        .map((line) => `> ${singleLine(line)}`),
    ].join("\n"),
  );

const LINE_END = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;

const shown = (value: string | number | MailValue): string =>
  typeof value === "object" ? value.asItIs : withoutLinks(shorten(singleLine(String(value)), MAX_NAME_LENGTH));

/**
 * Mail programs make links of what looks like an address. A blank of no width ends the address before it begins. It also
 * follows each character that Unicode's compatibility forms or domain names (UTS #46) turn into one of these, such as `．`.
 */
const withoutLinks = (name: string): string => name.replace(/[^\p{L}\p{Nd}\s](?=\S)/gu, endOfAddress);

const endOfAddress = (sign: string): string => (/[.:/@\u3002]/.test(sign.normalize("NFKC")) ? `${sign}\u200b` : sign);

const own = (text: string) => text as MailText;
