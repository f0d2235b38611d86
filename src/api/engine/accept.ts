/** Characters of the header that are read. */
const MAX_LENGTH = 2_000;
const JSON_TYPE = "application/json";

/**
 * Returns which of the types an Accept header asks for (RFC 9110 §12.5.1): the one with the highest weight, or the first
 * of several. Null if it names none of them, or rather JSON. A wildcard names nothing.
 */
export function typeAsked(header: string, types: readonly string[]): string | null {
  let best: string | null = null;
  let highest = 0;
  for (const range of header.slice(0, MAX_LENGTH).split(",")) {
    const [name = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const type = name === JSON_TYPE ? JSON_TYPE : types.find((one) => mediaType(one) === name);
    const weight = Number(parameters.find((one) => one.startsWith("q="))?.slice(2) ?? 1);
    if (!type || !(weight > highest)) continue;
    best = type;
    highest = weight;
  }
  return best === JSON_TYPE ? null : best;
}

/** A media type without its parameters. */
export const mediaType = (type: string): string => type.split(";", 1)[0]!;
