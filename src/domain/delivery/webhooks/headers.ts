import type { Ctx } from "../../kernel/context.ts";
import { refuseField } from "../../kernel/errors.ts";

/** A webhook's own headers. They may contain credentials for its receiver. */
export type Headers = Record<string, string>;

/**
 * The stored form: sealed text, or a plain object if there are none or they were stored before sealing was introduced.
 */
export type StoredHeaders = string | Headers;

type Sealing = Pick<Ctx, "ports">;

export const sealHeaders = ({ ports }: Sealing, headers: Headers): StoredHeaders =>
  Object.keys(headers).length === 0 ? {} : ports.sealer.seal(JSON.stringify(headers));

export const openHeaders = ({ ports }: Sealing, stored: StoredHeaders): Headers =>
  typeof stored === "string" ? (JSON.parse(ports.sealer.open(stored)) as Headers) : stored;

/** Replaces every value in replies, because a header may contain a credential. */
const MASK = "***";

/** Headers as every reply and every delivery's record shows them. */
export const maskHeaders = (headers: Headers): Headers =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, MASK]));

/** Whether the given headers keep a stored value. */
export const keepsStored = (given: Headers): boolean => Object.values(given).includes(MASK);

/**
 * Returns the headers that a body sets. The mask as a value keeps the stored value of that header; names are
 * case-insensitive.
 * @throws Refusal validation_failed
 */
export function unmaskHeaders(given: Headers, stored: Headers): Headers {
  const known = new Map(Object.entries(stored).map(([name, value]) => [name.toLowerCase(), value]));
  const unmasked = Object.entries(given).map(([name, value]) => {
    const meant = value === MASK ? known.get(name.toLowerCase()) : value;
    if (meant !== undefined) return [name, meant];
    const path = `/headers/${name.replaceAll("~", "~0")}`;
    return refuseField(path, "not_allowed", `${name} is only a mask: this webhook has no such header; send its value`);
  });
  return Object.fromEntries(unmasked);
}
