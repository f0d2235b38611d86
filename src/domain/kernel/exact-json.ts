/**
 * JSON that keeps the spelling of its numbers. JavaScript rounds numbers such as 12345678901234567890, so a client would
 * not get back what it sent.
 */

// Part of JavaScript since 2025 and of Node 24, but not yet of TypeScript's library.
const { rawJSON, isRawJSON } = JSON as unknown as {
  rawJSON(text: string): object;
  isRawJSON(value: unknown): boolean;
};
type Reviver = (name: string, value: unknown, context: { source?: string }) => unknown;

const MAY_DIFFER = /(?<![\d.])[\d.]{16}|\d[eE]|-0|\.\d*0/;

/**
 * Whether JSON may contain a number that JavaScript would spell in another way. Such text inside of strings counts, too:
 * it only costs time.
 */
export const needsExact = (json: string): boolean => MAY_DIFFER.test(json);

/** Parses JSON. A number that JavaScript would spell in another way becomes an object, which `JSON.stringify` spells as sent. */
export const parseExact = (json: string): unknown => (needsExact(json) ? parseSpelled(json) : JSON.parse(json));

/** The same for JSON that needs it. */
export const parseSpelled = (json: string): unknown => JSON.parse(json, keepSpelling as never);

const keepSpelling: Reviver = (_, value, { source }) =>
  typeof value === "number" && source !== undefined && String(value) !== source ? rawJSON(source) : value;

/** Whether a value stands for a number as it was spelled. */
export const isExactNumber = (value: unknown): boolean => isRawJSON(value);
