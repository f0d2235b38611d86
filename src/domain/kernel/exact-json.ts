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

/** A text that may contain a number which JavaScript spells in another way. Such text inside of strings only costs time. */
const MAY_ROUND = /[\d.]{16}|\d[eE]|-0|\.\d*0/;

export const mayRound = (json: string): boolean => MAY_ROUND.test(json);

/** Parses JSON. A number that JavaScript would spell in another way becomes an object, which `JSON.stringify` spells as sent. */
export function parseExact(json: string): unknown {
  return mayRound(json) ? JSON.parse(json, keepSpelling as never) : JSON.parse(json);
}

const keepSpelling: Reviver = (_, value, { source }) =>
  typeof value === "number" && source !== undefined && String(value) !== source ? rawJSON(source) : value;

/** Whether a value stands for a number as it was spelled. */
export const isExactNumber = (value: unknown): boolean => isRawJSON(value);
