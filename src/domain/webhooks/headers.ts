import type { Ctx } from "../context.ts";

/** A webhook's own headers: they may hold credentials for its receiver. */
export type Headers = Record<string, string>;

/** As the column keeps them: sealed; none, or ones stored before they were sealed, as a plain object. */
export type StoredHeaders = string | Headers;

type Sealing = Pick<Ctx, "ports">;

export const sealHeaders = ({ ports }: Sealing, headers: Headers): StoredHeaders =>
  Object.keys(headers).length === 0 ? {} : ports.sealer.seal(JSON.stringify(headers));

export const openHeaders = ({ ports }: Sealing, stored: StoredHeaders): Headers =>
  typeof stored === "string" ? (JSON.parse(ports.sealer.open(stored)) as Headers) : stored;

/** As a delivery's record shows them: that they were sent, not what they say. */
export const maskHeaders = (headers: Headers): Headers =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, "***"]));
