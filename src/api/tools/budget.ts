import { markOf, moreToken, type Step, wellFormedStart } from "./more.ts";

/**
 * Keeps a tool's answer within a size that a model can take in. Long texts and lists are cut, and `cut` says where and
 * how to read on.
 */

/** The largest result of a tool, in bytes: its object and the same as text. About 10,000 tokens. */
const MAX_RESULT = 40_000;
/** What the result has around them. */
const AROUND = 200;
const BUDGET = MAX_RESULT - AROUND;

export type Answer = Record<string, unknown>;
/** A part that was left out. `more` is the argument that reads on. */
type Cut = { at: string; shown: number; of: number; unit: "characters" | "items" | "members"; more?: string };

/** What may stay of each text, list and object. Tried in this order until the answer fits. */
const LIMITS = [
  { text: 16_000, items: 200, depth: 40 },
  { text: 12_000, items: 100, depth: 20 },
  { text: 8_000, items: 100, depth: 20 },
  { text: 5_000, items: 100, depth: 20 },
  { text: 3_000, items: 100, depth: 12 },
  { text: 2_000, items: 100, depth: 12 },
  { text: 1_200, items: 100, depth: 10 },
  { text: 700, items: 50, depth: 8 },
  { text: 400, items: 50, depth: 8 },
  { text: 200, items: 25, depth: 7 },
  { text: 100, items: 12, depth: 6 },
  { text: 60, items: 6, depth: 5 },
  { text: 30, items: 3, depth: 4 },
  { text: 30, items: 1, depth: 2 },
];
type Limits = (typeof LIMITS)[number];

/** A member's name that is longer cannot be shown in part, so its object is left out. */
const MAX_NAME = 200;

/** Whether the result of an answer is small enough. */
export function fits(answer: Answer): boolean {
  // Writing an answer of several megabytes only to count its characters would take too long.
  if (roomAfter(answer, BUDGET / 2) < 0) return false;
  const text = JSON.stringify(answer);
  if (text.length > BUDGET / 2) return false;
  return Buffer.byteLength(text) + Buffer.byteLength(JSON.stringify(text)) <= BUDGET;
}

/** How much of the room is left after a value's texts and names, in characters; any negative number if they exceed it. */
function roomAfter(value: unknown, room: number): number {
  if (typeof value === "string") return room - value.length;
  if (typeof value !== "object" || value === null) return room - 1;
  let left = room;
  for (const [name, one] of Object.entries(value)) {
    left = roomAfter(one, left - name.length);
    if (left < 0) break;
  }
  return left;
}

/**
 * Cuts an answer so that it fits.
 * @param readable whether the same call with `more` reads on
 */
export function cutToSize(answer: Answer, readable: boolean): Answer {
  if (fits(answer)) return answer;
  const marks = new Map<unknown, number>();
  for (const limits of LIMITS) {
    const cuts: Cut[] = [];
    const shown = shorten(answer, { limits, readable, cuts, marks }, []) as Answer;
    const note = readable ? READ_ON : LEFT_OUT;
    const fitted = cuts.length > 0 ? { ...shown, cut: cuts, cut_note: note } : shown;
    if (fits(fitted)) return fitted;
  }
  return { cut_note: LEFT_OUT };
}

const READ_ON = "The answer was too long. To read on, repeat the call with the `more` of a cut.";
const LEFT_OUT = "The answer was too long, so parts were left out. Read the object to see them.";

/** `marks` keeps the marks of values, because the limits are tried one after the other. */
type Work = { limits: Limits; readable: boolean; cuts: Cut[]; marks: Map<unknown, number> };

function shorten(value: unknown, work: Work, path: readonly Step[]): unknown {
  if (typeof value === "string") return shortText(value, work, path);
  if (typeof value !== "object" || value === null) return value;
  const { items, depth } = work.limits;
  const members = Object.entries(value);
  const fits = path.length < depth && members.every(([name]) => name.length <= MAX_NAME);
  const kept = fits ? members.slice(0, items) : [];
  const unit = Array.isArray(value) ? ("items" as const) : ("members" as const);
  if (kept.length < members.length) {
    note(work, path, { shown: kept.length, of: members.length, unit }, value, 0);
  }
  const shown = kept.map(([name, one]) => [name, shorten(one, work, [...path, stepTo(value, name, one)])] as const);
  return unit === "items" ? shown.map(([, one]) => one) : Object.fromEntries(shown);
}

function shortText(text: string, work: Work, path: readonly Step[]): string {
  const { text: limit } = work.limits;
  if (text.length <= limit) return text;
  const shown = wellFormedStart(text, limit);
  note(work, path, { shown: shown.length, of: text.length, unit: "characters" }, text, shown.length);
  return `${shown}…`;
}

/** Objects in lists are named by their id: the list may have changed when the client reads on. */
function stepTo(container: object, name: string, value: unknown): Step {
  const { id } = (value ?? {}) as { id?: unknown };
  return Array.isArray(container) && typeof id === "string" && id.length <= MAX_NAME ? { id } : name;
}

function note(
  { readable, cuts, marks }: Work,
  path: readonly Step[],
  cut: Omit<Cut, "at">,
  value: unknown,
  from: number,
): void {
  const at = path.map((step) => (typeof step === "string" ? step : step.id)).join(".");
  const mark = marks.get(value) ?? markOf(value);
  marks.set(value, mark);
  cuts.push({ at, ...cut, ...(readable ? { more: moreToken(path, from, mark) } : {}) });
}
