import type { Pair } from "../pairs.ts";
import { board, families } from "./of-boards.ts";
import { docs } from "./of-docs.ts";
import { goals } from "./of-goals.ts";
import { names, parts } from "./of-parts.ts";
import { people } from "./of-people.ts";
import { labels, plans } from "./of-plans.ts";
import { sessions } from "./of-sessions.ts";
import { workflows } from "./of-workflows.ts";

/**
 * Pairs of calls on different objects, where one names the object that the other changes, or both compete for the
 * same one.
 */
export const crossings: Pair[] = [
  ...[...plans, ...labels, ...people, ...board, ...families, ...parts, ...names],
  ...[...goals, ...docs, ...workflows, ...sessions],
];
