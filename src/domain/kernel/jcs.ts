import canonicalize from "canonicalize";

/** Returns JSON in its canonical form (JCS, RFC 8785): equal data gives equal bytes. */

export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [name: string]: Plain };

/** @throws Error for what JSON cannot say: infinite numbers, half surrogate pairs, functions, undefined. */
export function jcs(value: Plain): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("Only plain data has a canonical form.");
  return text;
}

/**
 * The canonical form of an object of strings and integers alone, which sorted names and JSON.stringify give in any
 * language.
 * @throws TypeError for any other value.
 */
export function jcsFlat(object: Readonly<Record<string, string | number>>): string {
  for (const [name, value] of Object.entries(object)) {
    if (typeof value !== "string" && !Number.isSafeInteger(value))
      throw new TypeError(`${name} is neither a string nor an integer.`);
  }
  return jcs(object);
}

export const base64url = (text: string): string => Buffer.from(text, "utf8").toString("base64url");
