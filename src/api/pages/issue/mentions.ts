import type { AgentView } from "../../../domain/access/agents/view.ts";
import { handleAt } from "../../../domain/kernel/handles.ts";
import { linesIn } from "../../../domain/kernel/text.ts";
import type { MemberView } from "../../../domain/tenancy/workspaces/member-view.ts";
import type { Site, WorkspaceCall } from "../site/site.ts";
import { mentionedBefore } from "./mentioned-before.ts";
import { unlessRefused } from "./read.ts";

/** People write `@Ada` or `@Ada Lovelace`. The API knows people by id: `@[Ada Lovelace](id)`. */

export const MARKDOWN = "Markdown. @Name mentions somebody, #KEY-1 links an issue.";

export type Named = { id: string; name: string };

/** Pages of members that are looked at. In larger workspaces the names of others stay text. */
const MOST_PAGES = 5;
/** Signs `@` in one text. */
const MOST_SIGNS = 1_000;
/** Part of an address, a path or the name of a package, or escaped. */
const JOINED = /[\p{L}\p{N}_@./\\-]/u;
const LETTER = /[\p{L}\p{M}\p{N}_]/u;

/** The text with the ids of those whom it mentions by name. Nothing is read for texts without mentions. */
export async function withMentions(site: Site, call: WorkspaceCall, typed: string): Promise<string> {
  if (!/@[\p{L}\p{N}]/u.test(typed)) return typed;
  const [members, agents] = await Promise.all([
    allMembers(site, call),
    unlessRefused(site.list<AgentView>(call, "agents.list", { query: { limit: "100" } }), { data: [], next: null }),
  ]);
  const named = [
    ...members.flatMap(({ user_id, name }) => (name === null ? [] : { id: user_id, name })),
    ...agents.data.map(({ agent_id, name }) => ({ id: agent_id, name })),
  ];
  const handles = new Set(agents.data.flatMap(({ handle }) => handle ?? []));
  // Those whom the text mentioned before go first: others may have the same names.
  return mentioning(mentioning(typed, mentionedBefore(call.form), handles), named, handles);
}

async function allMembers(site: Site, call: WorkspaceCall): Promise<MemberView[]> {
  const found: MemberView[] = [];
  let cursor: string | null = "";
  for (let page = 0; cursor !== null && page < MOST_PAGES; page++) {
    const query: Record<string, string> = { limit: "100", ...(cursor === "" ? {} : { cursor }) };
    const { data, next } = await unlessRefused(site.list<MemberView>(call, "members.list", { query }), {
      data: [],
      next: null,
    });
    found.push(...data);
    cursor = next;
  }
  return found;
}

/** A name that two have mentions nobody, and neither does one in code. The handle of an agent is left as it is. */
export function mentioning(text: string, named: readonly Named[], handles: ReadonlySet<string> = new Set()): string {
  const known = names(named);
  // Looking each name up at each sign would take a large workspace a quarter of a second.
  const lengths = [...new Set([...known.keys()].map((name) => name.length))].sort((a, b) => b - a);
  let left = MOST_SIGNS;
  return outsideCode(text, (part) => {
    const done: string[] = [];
    let from = 0;
    for (let at = part.indexOf("@"); at !== -1 && left-- > 0; at = part.indexOf("@", Math.max(at + 1, from))) {
      if (at > 0 && JOINED.test(part[at - 1]!)) continue;
      if (handles.has(handleAt(part, at)?.handle ?? "")) continue;
      const behind = part
        .slice(at + 1, at + 2 + (lengths[0] ?? 0))
        .toLowerCase()
        .replaceAll(/\p{Zs}/gu, " ");
      const length = lengths.find((one) => known.has(behind.slice(0, one)) && !LETTER.test(behind[one] ?? ""));
      const name = length === undefined ? undefined : behind.slice(0, length);
      const who = name === undefined ? null : known.get(name);
      if (name === undefined || !who) continue;
      done.push(part.slice(from, at), `@[${who.name.replaceAll(/[[\]\n]/g, "")}](${who.id})`);
      from = at + 1 + name.length;
    }
    return done.join("") + part.slice(from);
  });
}

/**
 * By full name and by first name, in lower case, with composed letters and without. Null: several have it. A full name goes
 * before a first name.
 */
function names(named: readonly Named[]): Map<string, Named | null> {
  const add = (known: Map<string, Named | null>, name: string, one: Named) => {
    if (name === "") return;
    const who = known.has(name) ? null : one;
    known.set(name, who).set(name.normalize("NFD"), who);
  };
  const full = new Map<string, Named | null>();
  const first = new Map<string, Named | null>();
  for (const one of named) {
    const name = one.name.trim().toLowerCase();
    add(full, name, one);
    const word = name.split(/\s/, 1)[0] ?? "";
    if (word !== name) add(first, word, one);
  }
  return new Map([...first, ...full]);
}

/** Changes what is neither a block of code nor stands between two equally long runs of backticks. */
function outsideCode(text: string, change: (part: string) => string): string {
  let changed = "";
  for (const { isCode, part } of blocksIn(text)) changed += isCode ? part : outsideSpans(part, change);
  return changed;
}

const FENCE = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(`{3,}(?=[^`]*$)|~{3,})/;
const ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])\s/;
const INDENTED = /^(?: {4}| {0,3}\t)\s*\S/;

/** Divides a text into code in fences, indented code outside lists, and the rest. */
function* blocksIn(text: string): Iterable<{ isCode: boolean; part: string }> {
  let [from, at] = [0, 0];
  let fence: string | null = null;
  let isInList = false;
  /** Whether indented code may begin here: not within a paragraph. */
  let mayBegin = true;
  let was = false;
  for (const line of linesIn(text)) {
    const end = Math.min(at + line.length + 1, text.length);
    let isCode: boolean = fence !== null;
    const [, marks] = FENCE.exec(line) ?? [];
    if (fence) {
      if (marks?.startsWith(fence) && line.trimEnd().endsWith(marks)) fence = null;
    } else if (marks) {
      [fence, isCode] = [marks, true];
    } else if (ITEM.test(line)) isInList = true;
    else if (mayBegin && /^\S/.test(line)) isInList = false;
    isCode ||= mayBegin && !isInList && INDENTED.test(line);
    mayBegin = isCode || line.trim() === "";
    if (isCode !== was) {
      if (at > from) yield { isCode: was, part: text.slice(from, at) };
      [from, was] = [at, isCode];
    }
    at = end;
  }
  yield { isCode: was, part: text.slice(from) };
}

function outsideSpans(text: string, change: (part: string) => string): string {
  // Each second one is a run.
  const parts = text.split(/(`+)/);
  const following = new Map<number, number>();
  const closing = new Map<number, number>();
  for (let n = parts.length - 2; n > 0; n -= 2) {
    const { length } = parts[n]!;
    const end = following.get(length);
    if (end !== undefined) closing.set(n, end);
    following.set(length, n);
  }
  for (let n = 0; n < parts.length; n++) {
    if (n % 2 === 1) n = closing.get(n) ?? n;
    else parts[n] = change(parts[n]!);
  }
  return parts.join("");
}
