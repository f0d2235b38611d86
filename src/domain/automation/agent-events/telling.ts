import type { AgentEventName } from "./view.ts";

/** An event as the rules read it. Long texts in `data` may be cut, and very large data is only the object's id. */
export type Happened<Data = Record<string, unknown>> = {
  id: string;
  type: string;
  issue_key: string | null;
  actor_id: string | null;
  data: Partial<Data>;
  previous: Partial<Data>;
  changed: readonly string[];
  /** What was recorded for reactions alone. */
  context: { added?: string[]; removed?: string[]; mentioned?: string[] } & Record<string, unknown>;
  /** The only person who may see the event. */
  person_id: string | null;
  /** For a person's comment: the agents with an open session on its issue, and what they have asked. */
  sessions: readonly { agent_id: string; session_id: string; answer_to: string | null }[];
  /** For a message: its channel and the agents in it. */
  channel: { id: string; kind: string; name: string | null; agents: readonly string[] } | null;
};

/** What some agents are told of an event. Only those that see its object hear it. */
export type Telling = {
  /** The frame's name. */
  name: AgentEventName;
  agents: readonly string[];
  context: object;
  doc_id?: string | undefined;
  channel_id?: string | undefined;
  /** The frame is not stored and cannot be replayed. Default: false. */
  live?: boolean;
  /** Whether an agent also hears of what it did itself. Default: false. */
  echo?: boolean;
};

/** What an event tells agents. */
export type Rule<Name extends string> = {
  readonly on: Name;
  // biome-ignore lint/suspicious/noExplicitAny: the rules name the fields that they read
  readonly tells: (event: Happened<any>) => readonly Telling[];
};

export const rule = <const Name extends string, Data = Record<string, unknown>>(
  event: { readonly name: Name },
  tells: (event: Happened<Data> & { type: Name }) => readonly Telling[],
): Rule<Name> => ({ on: event.name, tells: tells as Rule<Name>["tells"] });

/** The ids of the agents among those whom a text mentions. */
export const agentsOf = (mentions: readonly { id: string; kind: string }[]): string[] =>
  mentions.flatMap(({ id, kind }) => (kind === "agent" ? [id] : []));

/** Characters of a text that a frame repeats. */
const MAX_TEXT = 4_000;
/** Characters of it before the mention. */
const BEFORE = 1_000;

/** A frame about a mention: the text around it, and where it is. */
export const mentioned = (
  agent: string,
  text: string | null | undefined,
  { doc_id, channel_id, live = false, ...where }: Where,
): Telling => ({
  name: "mention.created",
  agents: [agent],
  context: { ...where, text: around(agent, text ?? ""), doc_id: doc_id ?? null, channel_id: channel_id ?? null },
  doc_id,
  channel_id,
  live,
});

type Where = {
  source: "issue_comment" | "doc_comment" | "chat" | "issue" | "doc";
  issue_key: string | null;
  doc_id?: string | undefined;
  channel_id?: string | undefined;
  live?: boolean;
};

function around(agent: string, text: string): string {
  if (text.length <= MAX_TEXT) return text;
  const start = Math.max(0, placeOf(agent, text) - BEFORE);
  // Half of a surrogate pair is not valid Unicode.
  return text.slice(start, start + MAX_TEXT).toWellFormed();
}

/** Where a text names an id, with or without hyphens, in any case. -1 if it does not, as for a mention by handle. */
function placeOf(id: string, text: string): number {
  const lower = text.toLowerCase();
  const place = lower.indexOf(id);
  return place === -1 ? lower.indexOf(id.replaceAll("-", "")) : place;
}
