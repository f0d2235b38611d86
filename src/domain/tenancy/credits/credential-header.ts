import { shapeOf } from "../../kernel/json-shape.ts";
import { withoutTrailing } from "../../kernel/text.ts";

/** Finds a request's Payment credential and decodes it. credential.ts reads its members. */

/** The message is a clause for the buyer without a full stop. It does not repeat the input. */
export class Malformed extends Error {}

/** Header fields as received. A field that was sent several times is a list. */
export type CredentialFields = { authorization?: Values; paymentAuthorization?: Values };
type Values = string | readonly string[] | undefined;

const MAX_CHARACTERS = 16 * 1024;
const MAX_LEVELS = 10;

/**
 * Returns the JSON object of the request's credential: `Payment <base64url>` or `Payment payload=<base64url>`, in
 * Authorization or Payment-Authorization. Null if the request has none.
 * @throws Malformed
 */
export function decodeCredential(fields: CredentialFields): Record<string, unknown> | null {
  // Authorization may contain the API key instead.
  const found = [...valuesOf(fields.authorization).filter(isPayment), ...valuesOf(fields.paymentAuthorization)];
  const [value] = found;
  if (value === undefined) return null;
  if (found.length > 1) throw new Malformed("the request has more than one");
  if (!isPayment(value)) throw new Malformed("Payment-Authorization must use the scheme Payment");
  if (value.length > MAX_CHARACTERS) throw new Malformed(`it is longer than ${MAX_CHARACTERS} characters`);
  return parse(decode(encodedIn(value)));
}

/** A field without a value counts as absent. */
const valuesOf = (values: Values): string[] => [values ?? []].flat().filter((value) => value.trim() !== "");

/** The scheme's name is a token (RFC 9110, 5.6.2), so it ends at the first character that a token cannot contain. */
const isPayment = (value: string) => /^\s*payment(?![\w!#$%&'*+.^`|~-])/i.test(value);

const BASE64 = /^[A-Za-z0-9_+/-]+={0,2}$/;

/** A token68 has `=` only at its end, so it cannot be mistaken for a parameter, or the other way round. */
function encodedIn(value: string): string {
  const rest = /^payment +(.+)$/is.exec(value.trim())?.[1] ?? "";
  const parameter = /^payload[ \t]*=[ \t]*(?:"([^"]*)"|([^\s",]+))$/i.exec(rest);
  const encoded = parameter ? (parameter[1] ?? parameter[2] ?? "") : rest;
  if (!BASE64.test(encoded)) throw new Malformed("send Payment payload=<base64url JSON> or Payment <base64url JSON>");
  return encoded;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decodes both base64 alphabets, with or without padding. Bits that decoding would drop are an error. */
function decode(encoded: string): string {
  const bare = withoutTrailing(encoded, "=").replaceAll("+", "-").replaceAll("/", "_");
  const bytes = Buffer.from(bare, "base64url");
  const padded = encoded.endsWith("=");
  if (bytes.toString("base64url") !== bare || (padded && encoded.length % 4 !== 0))
    throw new Malformed("it is not valid base64url");
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Malformed("it is not UTF-8");
  }
}

function parse(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Malformed("it is not JSON");
  }
  if (!isObject(value)) throw new Malformed("it is not a JSON object");
  // Parsing keeps one member of each name, so duplicate names show as a different count.
  if (shapeOf(Buffer.from(text)).members !== countMembers(value, 1)) throw new Malformed("it has a member twice");
  return value;
}

function countMembers(value: unknown, level: number): number {
  if (typeof value !== "object" || value === null) return 0;
  if (level > MAX_LEVELS) throw new Malformed("it is nested too deeply");
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce((sum: number, content) => sum + countMembers(content, level + 1), own);
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
