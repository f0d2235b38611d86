import { closest } from "../../domain/kernel/text.ts";
import type { Operation } from "../engine/operation.ts";

/** Finds the path of the API that an unknown path probably means, such as `…/projects` for `…/project`. */

export type NearestPath = (path: string) => { template: string; methods: string[] } | null;

/** Longer paths are not compared. */
const MAX_LENGTH = 300;
const MAX_SEGMENTS = 12;

/** How much each difference counts. */
const COST = { value: 0.25, spelling: 0.3, misspelt: 0.6, other: 3, left_out: 1.2, tooMany: 1.5 };
/** Segments that every path of a workspace begins with, so they are left out more often. */
const HEAD: ReadonlyMap<string, number> = new Map([
  ["v1", 0.4],
  ["workspaces", 0.6],
  ["{slug}", 0.6],
]);
/** The highest sum of differences of a path that is suggested. */
const MAX_COST = 2.5;

export function nearestPathIn(operations: readonly Operation[]): NearestPath {
  const methods = new Map<string, string[]>();
  for (const { path, method } of operations) methods.set(path, [...(methods.get(path) ?? []), method]);
  const templates = [...methods.keys()].map((template) => ({ template, parts: template.slice(1).split("/") }));
  return (path) => {
    if (path.length > MAX_LENGTH) return null;
    const segments = path.split("/").filter(Boolean);
    const given = segments[0] === "api" ? segments.slice(1) : segments;
    if (given.length === 0 || given.length > MAX_SEGMENTS) return null;
    const compare = remembering(costOf);
    let best: { template: string; cost: number } | null = null;
    for (const { template, parts } of templates) {
      const cost = distance(given, parts, compare);
      if (cost <= MAX_COST && (best === null || cost < best.cost)) best = { template, cost };
    }
    return best && { template: best.template, methods: methods.get(best.template)! };
  };
}

type Compare = (segment: string, part: string) => number;

/** The words of all templates are few, and each occurs in many. */
function remembering(compare: Compare): Compare {
  const known = new Map<string, number>();
  return (segment, part) => {
    const name = `${segment}/${part}`;
    const cost = known.get(name) ?? compare(segment, part);
    known.set(name, cost);
    return cost;
  };
}

/** `agent_sessions`, `agentSessions` and `agent-session` are the same word. */
const plain = (word: string): string =>
  word
    .toLowerCase()
    .replaceAll(/[-_]/g, "")
    .replace(/(?:es|s)$/, "");

function costOf(segment: string, part: string): number {
  if (part.startsWith("{")) return COST.value;
  if (segment === part) return 0;
  if (plain(segment) === plain(part)) return COST.spelling;
  return closest(segment, [part]) === undefined ? COST.other : COST.misspelt;
}

/** The least sum of differences between a path and a template. Infinite if they have no word in common but the head. */
function distance(segments: readonly string[], parts: readonly string[], compare: Compare): number {
  const words = parts.filter((part) => !part.startsWith("{") && part !== "v1");
  const isAkin = words.some((part) => segments.some((segment) => compare(segment, part) < COST.other));
  if (!isAkin || Math.abs(segments.length - parts.length) > 3) return Number.POSITIVE_INFINITY;
  let row = [0];
  for (const part of parts) row.push(row.at(-1)! + (HEAD.get(part) ?? COST.left_out));
  for (const segment of segments) {
    const next = [row[0]! + COST.tooMany];
    for (const [n, part] of parts.entries()) {
      const replaced = row[n]! + compare(segment, part);
      const missing = next[n]! + (HEAD.get(part) ?? COST.left_out);
      next.push(Math.min(replaced, missing, row[n + 1]! + COST.tooMany));
    }
    row = next;
  }
  return row.at(-1)!;
}
