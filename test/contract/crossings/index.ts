import type { Pair } from "../pairs.ts";
import { board, families } from "./of-boards.ts";
import { names, parts } from "./of-parts.ts";
import { people } from "./of-people.ts";
import { labels, plans } from "./of-plans.ts";

/** Calls on different objects, one of which names what the other changes, or takes what both could have. */
export const crossings: Pair[] = [...plans, ...labels, ...people, ...board, ...families, ...parts, ...names];
