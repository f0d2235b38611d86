import { choice } from "../../kernel/wire.ts";

/** The issues that an action changes. */

/** Kinds of links, in the direction from the issue to the others. */
const LINKS = {
  "linked:relates_to": ["relates_to", "both"],
  "linked:blocks": ["blocks", "out"],
  "linked:is_blocked_by": ["blocks", "in"],
  "linked:duplicates": ["duplicates", "out"],
  "linked:is_duplicated_by": ["duplicates", "in"],
} as const;
type Linked = keyof typeof LINKS;
export type Target = "self" | "parent" | "children" | Linked;

const TARGETS = ["self", "parent", "children", ...(Object.keys(LINKS) as Linked[])] as const;

export const target = choice(TARGETS as readonly [Target, ...Target[]]).default("self");

/** Maximum number of issues that one action changes. */
export const MAX_TARGETS = 50;

export type LinkOf = { kind: string; direction: "out" | "in" | "both" };

/** The links that a target names. Null if it names none. */
export function linkOf(wanted: Target): LinkOf | null {
  const found = Object.hasOwn(LINKS, wanted) ? LINKS[wanted as Linked] : null;
  return found && { kind: found[0], direction: found[1] };
}
