import canonicalize from "canonicalize";

/** Returns the canonical form of JSON (JCS, RFC 8785). Equal data gives equal bytes. */

export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [name: string]: Plain };

/** @throws Error for values that JSON cannot represent: infinite numbers, lone surrogates, functions, undefined */
export function jcs(value: Plain): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("Only plain data has a canonical form.");
  return text;
}

/**
 * The canonical form of an object that contains only strings and integers. Sorting the names and serialising as JSON
 * gives it in any language.
 * @throws TypeError for any other value
 */
export function jcsFlat(object: Readonly<Record<string, string | number>>): string {
  for (const [name, value] of Object.entries(object)) {
    if (typeof value !== "string" && !Number.isSafeInteger(value))
      throw new TypeError(`${name} is neither a string nor an integer.`);
  }
  return jcs(object);
}

export const base64url = (text: string): string => Buffer.from(text, "utf8").toString("base64url");
