import { shapeOf } from "../../kernel/json-shape.ts";
import { withoutTrailing } from "../../kernel/text.ts";

/** Finds a request's Payment credential and decodes it; credential.ts reads what it says. */

/** The message is a clause for the buyer, without a full stop, and repeats nothing of what was sent. */
export class Malformed extends Error {}

/** Header fields as received; a list when a field came several times. */
export type CredentialFields = { authorization?: Values; paymentAuthorization?: Values };
type Values = string | readonly string[] | undefined;

const MOST_CHARACTERS = 16 * 1024;
const MOST_LEVELS = 10;

/**
 * The JSON object that the request carries as its credential: `Payment <base64url>` or `Payment payload=<base64url>`,
 * in Authorization or Payment-Authorization. Null when there is none.
 * @throws Malformed
 */
export function decodeCredential(fields: CredentialFields): Record<string, unknown> | null {
  // Authorization may hold the API key, which is none of our business.
  const found = [...valuesOf(fields.authorization).filter(isPayment), ...valuesOf(fields.paymentAuthorization)];
  const [value] = found;
  if (value === undefined) return null;
  if (found.length > 1) throw new Malformed("there is more than one in the request");
  if (!isPayment(value)) throw new Malformed("Payment-Authorization takes the scheme Payment");
  if (value.length > MOST_CHARACTERS) throw new Malformed(`it is longer than ${MOST_CHARACTERS} characters`);
  return parse(decode(encodedIn(value)));
}

/** A field without a value counts as absent. */
const valuesOf = (values: Values): string[] => [values ?? []].flat().filter((value) => value.trim() !== "");

/** The scheme's name is a token (RFC 9110, 5.6.2), so it ends where a token cannot go on. */
const isPayment = (value: string) => /^\s*payment(?![\w!#$%&'*+.^`|~-])/i.test(value);

const BASE64 = /^[A-Za-z0-9_+/-]+={0,2}$/;

/** A token68 ends with its `=`, so it is never taken for the parameter, nor the parameter for a token68. */
function encodedIn(value: string): string {
  const rest = /^payment +(.+)$/is.exec(value.trim())?.[1] ?? "";
  const parameter = /^payload[ \t]*=[ \t]*(?:"([^"]*)"|([^\s",]+))$/i.exec(rest);
  const encoded = parameter ? (parameter[1] ?? parameter[2] ?? "") : rest;
  if (!BASE64.test(encoded)) throw new Malformed("send Payment payload=<base64url JSON> or Payment <base64url JSON>");
  return encoded;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Either alphabet, padded or not; but bits that decoding would drop are an error. */
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
  // Parsing keeps one member of each name, so twins show in the count.
  if (shapeOf(Buffer.from(text)).members !== countMembers(value, 1)) throw new Malformed("a member stands there twice");
  return value;
}

function countMembers(value: unknown, level: number): number {
  if (typeof value !== "object" || value === null) return 0;
  if (level > MOST_LEVELS) throw new Malformed("it is nested too deeply");
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce((sum: number, content) => sum + countMembers(content, level + 1), own);
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
