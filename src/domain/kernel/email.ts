import { domainToASCII, domainToUnicode } from "node:url";
import { z } from "zod";
import { flattened } from "./text.ts";

/** E-mail addresses, also with letters of other scripts (RFC 6531). */

/** Maximum length of an e-mail address, in characters. */
export const MAX_EMAIL_LENGTH = 320;

/** Maximum lengths of a local part and of an address, in octets (RFC 5321). */
const MAX_LOCAL_OCTETS = 64;
const MAX_OCTETS = 254;

/** Parts of letters, digits and signs between dots. */
const LOCAL =
  /^[\p{L}\p{M}\p{N}\p{So}\p{Join_Control}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}\p{So}\p{Join_Control}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
/** The last label has a letter, so that it is no IP address. */
const LAST = /^[a-z].*.$/;

function isDomain(domain: string): boolean {
  const labels = domain.split(".");
  // A label that stays punycode stands for no letters.
  const isReadable = !domainToUnicode(domain)
    .split(".")
    .some((label) => label.startsWith("xn--"));
  return labels.length > 1 && labels.every((label) => LABEL.test(label)) && LAST.test(labels.at(-1)!) && isReadable;
}

/**
 * The address as it is stored: the local part in NFC and without unseen characters, the domain in lower case and as punycode.
 * So each spelling of one domain gives the same address. Null if it is no address. Quoted local parts are refused.
 */
export function readEmail(text: string): string | null {
  if (text.length > 2 * MAX_EMAIL_LENGTH) return null;
  const written = flattened(text).trim();
  const at = written.lastIndexOf("@");
  const local = written.slice(0, Math.max(0, at));
  const domain = domainToASCII(written.slice(at + 1));
  const address = `${local}@${domain}`;
  return LOCAL.test(local) && isDomain(domain) && address.length <= MAX_EMAIL_LENGTH ? address : null;
}

/**
 * As `readEmail`, for an address that is about to be stored. Null also if mail servers refuse its length. Longer addresses
 * that are stored already still sign in, because `readEmail` reads them.
 */
export function readNewEmail(text: string): string | null {
  const address = readEmail(text);
  if (address === null) return null;
  const localOctets = Buffer.byteLength(address.slice(0, address.lastIndexOf("@")));
  return localOctets <= MAX_LOCAL_OCTETS && Buffer.byteLength(address) <= MAX_OCTETS ? address : null;
}

/** The form in which addresses are compared. Null for a text that is no address. */
export const emailKey = (text: string): string | null =>
  text.includes("@") ? (readEmail(text)?.toLowerCase() ?? null) : null;

/** An address in an input, in the form in which it is stored. */
export const emailInput = z
  .string()
  .overwrite((text) => readEmail(text) ?? text)
  .max(MAX_EMAIL_LENGTH)
  .refine((text) => readNewEmail(text) !== null, {
    message: "must be an e-mail address, such as name@example.com",
    params: { code: "pattern" },
  })
  .meta({ format: "email" });

/** Letters of two scripts that have the same shapes. */
const LOOKS_LATIN = /[\p{sc=Cyrl}\p{sc=Grek}]/u;

/**
 * A stored address as people read it, with its domain in its own script. A label that mixes Latin letters with Cyrillic or
 * Greek ones, which look the same, stays punycode.
 */
export function shownEmail(address: string): string {
  const at = address.lastIndexOf("@");
  if (!address.includes("xn--", at)) return address;
  const labels = address.slice(at + 1).split(".");
  const shown = labels.map((label) => {
    const unicode = domainToUnicode(label);
    return /\p{sc=Latn}/u.test(unicode) && LOOKS_LATIN.test(unicode) ? label : unicode || label;
  });
  return `${address.slice(0, at)}@${shown.join(".")}`;
}
