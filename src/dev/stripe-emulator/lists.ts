import { z } from "zod";
import { integer, read, text } from "./form.ts";
import { type Kind, type Objects, visible } from "./objects.ts";
import { invalid, noSuch } from "./refusal.ts";
import type { Store } from "./store.ts";
import type { Call } from "./world.ts";

const created = z.strictObject({
  gt: integer.optional(),
  gte: integer.optional(),
  lt: integer.optional(),
  lte: integer.optional(),
});

const paging = { limit: integer.default(10), starting_after: text.optional(), created: created.optional() };

/** A list of one kind of object, newest first, filtered by the named fields. */
export const listOf = (kind: Kind, ...fields: string[]) => {
  const Input = z
    .object({ ...paging, ...Object.fromEntries(fields.map((field) => [field, text.optional()])) })
    .strict();

  return ({ world, form, path, id }: Call) => {
    const { limit, starting_after: after, created: range = {}, ...wanted } = read(Input, form);
    if (limit < 1 || limit > 100) throw invalid("Invalid limit: must be between 1 and 100.", { param: "limit" });
    // As in /v1/customers/:id/payment_methods.
    const filters = Object.entries(id ? { ...wanted, customer: id } : wanted);
    const found = world.store
      .all(kind)
      .filter((object) =>
        filters.every(([field, value]) => value === undefined || Reflect.get(object, field) === value),
      )
      .filter(({ created: at }) => within(at, range));
    const from = after === undefined ? 0 : found.findIndex((object) => object.id === after) + 1;
    if (after !== undefined && from === 0) throw noSuch(kind, after, "starting_after");
    return { object: "list", url: path, has_more: found.length > from + limit, data: found.slice(from, from + limit) };
  };
};

const SearchInput = z.strictObject({ query: text, limit: integer.default(10), page: text.optional() });

/**
 * `metadata['key']:'value' AND status:'succeeded'`: supports only equality and AND. Stripe's index lags; this one
 * does not.
 */
export function searchIntents({ world, form, path }: Call) {
  const { query, limit } = read(SearchInput, form);
  const conditions = query.split(/\sAND\s/i).map((part) => {
    const [, field, key, value] =
      /^(?:(\w+)|metadata\[['"]([^'"]+)['"]\]):\s*['"]([^'"]*)['"]$/.exec(part.trim()) ?? [];
    if (value === undefined) throw invalid(`We were unable to parse your search query: ${part}`, { param: "query" });
    return { field, key, value };
  });
  const found = world.store.all("payment_intent").filter((intent) =>
    conditions.every(({ field, key, value }) => {
      const actual = key === undefined ? Reflect.get(intent, field ?? "") : intent.metadata[key];
      return String(actual ?? "") === value;
    }),
  );
  const data = found.slice(0, limit);
  return { object: "search_result", url: path, has_more: found.length > limit, next_page: null, data };
}

/** A copy to send, in which the named ids (`latest_charge`, `data.latest_charge`) are replaced by their objects. */
export function expanded(store: Store, body: unknown, paths: string[]): unknown {
  const copy = visible(body);
  for (const path of paths) expand(store, copy, path.split("."));
  return copy;
}

function expand(store: Store, holder: unknown, [field, ...rest]: string[]): void {
  if (typeof holder !== "object" || holder === null || field === undefined) return;
  const value: unknown = Reflect.get(holder, field);
  if (Array.isArray(value)) {
    for (const item of value) expand(store, item, rest);
    return;
  }
  if (value === undefined) throw invalid(`This property cannot be expanded (${field}).`);
  const found: Objects[Kind] | undefined = typeof value === "string" ? store.any(value) : undefined;
  if (found) Reflect.set(holder, field, visible(found));
  expand(store, Reflect.get(holder, field), rest);
}

const within = (at: number, { gt, gte, lt, lte }: z.output<typeof created>) =>
  (gt === undefined || at > gt) &&
  (gte === undefined || at >= gte) &&
  (lt === undefined || at < lt) &&
  (lte === undefined || at <= lte);
