import { own } from "../../domain/kernel/own.ts";
import { closest } from "../../domain/kernel/text.ts";

/** Finds the path of the API that an unknown path probably means, such as `…/projects` for `…/project`. */

export type Route = { path: string; method: string };
export type NearestPath = (path: string, method: string) => { template: string; methods: string[] } | null;

/** Longer paths are not compared. */
const MAX_LENGTH = 300;
const MAX_SEGMENTS = 12;

/** How much each difference counts. */
const COST = {
  value: 0.1,
  spelling: 0.3,
  misspelt: 0.6,
  part: 0.9,
  leftOut: 1.2,
  tooMany: 0.7,
  otherMethod: 1,
  change: 0.5,
};
/** Parts that nearly every path begins with, so clients leave them out more often. */
const HEAD: ReadonlyMap<string, number> = new Map([
  ["v1", 0.4],
  ["workspaces", 0.4],
  ["{slug}", 0.4],
  ["projects", 0.5],
  ["{key}", 0.3],
  ["issues", 0.5],
  ["{issueKey}", 0.3],
]);
/** The cost of what is not suggested. */
const NEVER = Number.POSITIVE_INFINITY;
/** The highest sum of differences of a path that is suggested. */
const MAX_COST = 3;

/** Words of other services, as `plain` spells them, and the words that paths of this API have for them. */
const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  user: ["members", "me"],
  people: ["members"],
  ticket: ["issues"],
  task: ["issues"],
  card: ["issues"],
  column: ["statuses"],
  board: ["statuses"],
  state: ["statuses"],
  history: ["activity"],
  move: ["transition"],
  tag: ["labels"],
  iteration: ["sprints"],
  cycle: ["sprints"],
  field: ["custom-field-defs"],
  file: ["attachments"],
  note: ["comments"],
  relation: ["links"],
  document: ["docs"],
  page: ["docs"],
  rule: ["automations"],
  hook: ["webhooks"],
  token: ["api-keys"],
  invitation: ["invites"],
  whoami: ["me"],
  profile: ["me"],
  approve: ["complete-stage"],
  reject: ["complete-stage"],
  vote: ["complete-stage"],
};

/** Words that other services put after the path of an object to change it. Here a field of the object does that. */
const CHANGES: ReadonlySet<string> = new Set([
  ...["start", "stop", "finish", "complete", "close", "open", "reopen", "cancel", "archive", "delete", "revoke"],
  ...["enable", "disable", "activate", "deactivate", "publish", "pause", "resume", "update", "edit", "rename"],
  ...["assign", "unassign", "assignee", "assignees", "labels", "tags", "status", "state", "priority"],
]);

/** @param routes the operations, and what else programs call */
export function nearestPathIn(routes: readonly Route[]): NearestPath {
  const methods = new Map<string, string[]>();
  for (const { path, method } of routes) methods.set(path, [...(methods.get(path) ?? []), method]);
  const templates = [...methods].map(([template, has]) => ({ template, has, parts: segmentsOf(template) }));
  return (path, method) => {
    if (path.length > MAX_LENGTH) return null;
    const given = segmentsOf(path);
    if (given.length === 0 || given.length > MAX_SEGMENTS) return null;
    const compare = remembering(costOf);
    const object = method !== "GET" && CHANGES.has(given.at(-1)!.toLowerCase()) ? given.slice(0, -1) : null;
    let best: { template: string; methods: string[]; cost: number } | null = null;
    for (const { template, has, parts } of templates) {
      const whole = distance(given, parts, compare);
      const changed = object && canChange(parts, has) ? distance(object, parts, compare) + COST.change : NEVER;
      const differences = Math.min(whole, changed);
      const cost = Math.min(whole + (has.includes(method) ? 0 : COST.otherMethod), changed);
      if (differences <= MAX_COST && (best === null || cost < best.cost)) best = { template, methods: has, cost };
    }
    return best;
  };
}

/** Whether a path leads to one object that calls can change or end. */
const canChange = (parts: readonly string[], methods: readonly string[]) =>
  parts.at(-1)!.startsWith("{") && (methods.includes("PATCH") || methods.includes("DELETE"));

function segmentsOf(path: string): string[] {
  const segments = path.split("/").filter(Boolean);
  return segments[0] === "api" ? segments.slice(1) : segments;
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
    .replace(/(?:(?<=s)es|s)$/, "");

/** Infinite if the segment cannot stand for the part. */
function costOf(segment: string, part: string): number {
  if (part.startsWith("{")) return COST.value;
  if (segment === part) return 0;
  const word = plain(segment);
  if (word === plain(part) || own(OTHER_WORDS, word)?.includes(part)) return COST.spelling;
  if (closest(segment, [part]) !== undefined) return COST.misspelt;
  return part.includes("-") && word === plain(part.split("-").at(-1)!) ? COST.part : NEVER;
}

const isFixed = (part: string) => !part.startsWith("{") && part !== "v1";

/**
 * The least sum of differences between a path and a template. Infinite if the last fixed word of the template is not
 * akin to a word of the path, or if the path goes on after it: a placeholder would otherwise take any word.
 */
function distance(segments: readonly string[], parts: readonly string[], compare: Compare): number {
  const needed = parts.findLastIndex(isFixed);
  const leftOut = parts.map((part, n) => (n === needed ? NEVER : (HEAD.get(part) ?? COST.leftOut)));
  // Segments are too many only before a word, because the value of a placeholder follows its word.
  const tooMany = [...parts, "{end}"].map((part) => (isFixed(part) ? COST.tooMany : NEVER));
  let row = [0];
  for (const cost of leftOut) row.push(row.at(-1)! + cost);
  for (const segment of segments) {
    const next = [row[0]! + tooMany[0]!];
    for (const [n, part] of parts.entries()) {
      const replaced = row[n]! + compare(segment, part);
      next.push(Math.min(replaced, next[n]! + leftOut[n]!, row[n + 1]! + tooMany[n + 1]!));
    }
    row = next;
  }
  return row.at(-1)!;
}
