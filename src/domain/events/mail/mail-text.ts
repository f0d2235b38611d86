import { shorten, singleLine } from "../../kernel/text.ts";

/**
 * Text of a mail. It may contain names that strangers chose, and a stranger could use such a name to write mail in
 * Muster's name. So only the functions below create text for mails, and the type accepts no other text.
 */
export type MailText = string & { readonly [ours]: true };
declare const ours: unique symbol;

const MAX_NAME_LENGTH = 100;

/** A sentence of Muster. Each inserted value becomes one short line that mail programs show without links. */
export const mailText = (parts: TemplateStringsArray, ...values: (string | number | MailValue)[]): MailText =>
  own(parts.reduce((text, part, at) => text + shown(values[at - 1]!) + part));

/** A value that is inserted unchanged. */
export type MailValue = { readonly asItIs: string };

/** The reader's own e-mail address, or another one that a person has signed in with. */
export const emailIn = (address: string): MailValue => ({ asItIs: singleLine(address) });

/**
 * A text of several lines that a person wrote. Each line is marked, so that readers cannot mistake it for Muster's own
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
 * Mail programs turn text that looks like an address into a link. A zero-width space after these characters prevents
 * that. It also follows each character that Unicode's compatibility forms or domain names (UTS #46) convert to one of
 * them, such as `．`.
 */
const withoutLinks = (name: string): string => name.replace(/[^\p{L}\p{Nd}\s](?=\S)/gu, endOfAddress);

const endOfAddress = (sign: string): string => (/[.:/@\u3002]/.test(sign.normalize("NFKC")) ? `${sign}\u200b` : sign);

const own = (text: string) => text as MailText;
