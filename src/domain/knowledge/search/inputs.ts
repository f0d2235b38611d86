import { z } from "zod";
import { inputPart } from "../../kernel/described.ts";
import { wrongValue } from "../../work/issues/wrong-value.ts";
import { aboutSearchQuery } from "./descriptions.ts";

export const SEARCH_TYPES = ["issue", "doc", "comment", "message", "project", "person", "goal"] as const;
export type SearchType = (typeof SEARCH_TYPES)[number];

/** The types that a query without `types` searches, if the caller has their scopes. */
export const DEFAULT_TYPES: readonly SearchType[] = ["issue", "doc", "project", "person", "goal"];

export const SearchQuery = inputPart(aboutSearchQuery, {
  q: z.string().trim().min(1).max(200),
  types: z.string().max(200).optional(),
});

/** Reads a list of types such as `issue,docs`. Null if it names none. @throws Refusal invalid_parameter */
export function typesOf(list = ""): readonly SearchType[] | null {
  const names = list.split(",").flatMap((name) => name.trim().toLowerCase() || []);
  const wanted = new Set(
    names.map((name) => {
      const type = SEARCH_TYPES.find((type) => name === type || name === `${type}s`);
      return type ?? wrongValue("types", name, `one of ${SEARCH_TYPES.join(", ")}`, SEARCH_TYPES);
    }),
  );
  return wanted.size === 0 ? null : SEARCH_TYPES.filter((type) => wanted.has(type));
}
