import { createHmac, hash, type KeyObject } from "node:crypto";
import { z } from "zod";
import { refuse } from "../../domain/kernel/errors.ts";
import type { Cursor, Paging } from "../../domain/kernel/paging.ts";

/**
 * Keyset paging. A cursor contains the sort key of the last row, a hash of the filters and a signature, so that a
 * query only uses values that the server signed.
 */

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;

/** Query parameters of every paginated list. */
export const PAGING = ["cursor", "limit"] as const;

const CursorContent = z.tuple([z.string(), z.array(z.union([z.string(), z.number(), z.null()])), z.string()]);

/** @throws Refusal invalid_parameter, invalid_cursor, cursor_mismatch */
export function readPaging(query: Record<string, string>, resource: string, secret: KeyObject): Paging {
  const filters = markOf(query, resource);
  return {
    limit: readLimit(query.limit),
    after: query.cursor ? readCursor(query.cursor, filters, secret) : null,
    cursor: (key) => Buffer.from(JSON.stringify([filters, key, signature(secret, filters, key)])).toString("base64url"),
  };
}

function readLimit(text: string | undefined): number {
  if (text === undefined || text === "" || text === "null") return DEFAULT_LIMIT;
  const limit = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (limit < 1)
    refuse("invalid_parameter", {
      message: "limit must be a whole number of at least 1.",
      parameter: "limit",
      value: text,
    });
  return Math.min(limit, MAX_LIMIT);
}

function readCursor(text: string, filters: string, secret: KeyObject): Cursor {
  const broken = () => refuse("invalid_cursor", { parameter: "cursor" });
  let content: z.infer<typeof CursorContent>;
  try {
    content = CursorContent.parse(JSON.parse(Buffer.from(text, "base64url").toString()));
  } catch {
    return broken();
  }
  const [mark, key, signed] = content;
  if (signed !== signature(secret, mark, key)) broken();
  if (mark !== filters) refuse("cursor_mismatch", { parameter: "cursor" });
  return key;
}

const signature = (secret: KeyObject, mark: string, key: Cursor) =>
  createHmac("sha256", secret)
    .update(JSON.stringify([mark, key]))
    .digest("base64url")
    .slice(0, 16);

/** Hash of the resource and all parameters except those of paging, in a fixed order. */
function markOf(query: Record<string, string>, resource: string): string {
  const filters = Object.entries(query)
    .filter(([name, value]) => name !== "cursor" && name !== "limit" && name !== "fields" && value !== "")
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return hash("sha256", JSON.stringify([resource, filters]), "base64url").slice(0, 8);
}
