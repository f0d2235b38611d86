import { z } from "zod";
import { inputPart } from "../../kernel/described.ts";
import { wrongValue } from "../../work/issues/wrong-value.ts";
import { aboutSearchQuery } from "./descriptions.ts";

export const SEARCH_TYPES = ["issue", "doc", "comment", "message"] as const;
export type SearchType = (typeof SEARCH_TYPES)[number];

const DEFAULT_TYPES: readonly SearchType[] = ["issue", "doc"];

export const SearchQuery = inputPart(aboutSearchQuery, {
  q: z.string().trim().min(1).max(200),
  types: z.string().max(200).optional(),
});

/** Reads a list of types such as `issue,docs`. @throws Refusal invalid_parameter */
export function typesOf(list = ""): readonly SearchType[] {
  const names = list.split(",").flatMap((name) => name.trim().toLowerCase() || []);
  const wanted = new Set(
    names.map((name) => {
      const type = SEARCH_TYPES.find((type) => name === type || name === `${type}s`);
      return type ?? wrongValue("types", name, `one of ${SEARCH_TYPES.join(", ")}`, SEARCH_TYPES);
    }),
  );
  return wanted.size === 0 ? DEFAULT_TYPES : SEARCH_TYPES.filter((type) => wanted.has(type));
}
