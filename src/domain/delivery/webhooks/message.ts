import type { ActorKind, Cause } from "../../kernel/context.ts";
import type { Message } from "./message-view.ts";

/** The columns of an event that its message is built from. */
export type EventRow = {
  id: string;
  type: string;
  actor_id: string | null;
  actor_kind: ActorKind;
  actor_name: string | null;
  cause: Cause;
  data: unknown;
  previous: Record<string, unknown> | null;
  changed: string[] | null;
  created_at: string;
};

/** The largest message as JSON, in bytes. In larger ones, long texts are cut. */
export const MESSAGE_LIMIT = 256 * 1024;

/**
 * The message about an event: the same for each webhook and each attempt.
 * @param sequence its number among the workspace's events; null for a test
 */
export function messageOf(event: EventRow, workspace: { id: string; slug: string }, sequence: number | null): Message {
  const whole = wholeMessage(event, workspace, sequence);
  if (fits(whole)) return whole;

  for (const length of TEXT_LENGTHS) {
    const cut: Message = { ...cutTexts(whole, length), truncated: true };
    if (fits(cut)) return cut;
  }
  // Many texts instead of long ones: the receiver fetches the object by its id.
  const { id } = (event.data ?? {}) as { id?: unknown };
  const { previous: _, changed: __, ...envelope } = whole;
  return { ...envelope, data: { id }, truncated: true };
}

const TEXT_LENGTHS = [65_536, 16_384, 4_096, 1_024, 256];

function wholeMessage(event: EventRow, workspace: { id: string; slug: string }, sequence: number | null): Message {
  const { cause } = event;
  return {
    id: event.id,
    type: event.type,
    timestamp: event.created_at,
    sequence,
    workspace: { id: workspace.id, slug: workspace.slug },
    actor: { id: event.actor_id, kind: event.actor_kind, name: event.actor_name },
    cause: {
      automation_id: cause.automation_id ?? null,
      agent_session_id: cause.session_id ?? null,
      workflow_run_id: cause.workflow_run_id ?? null,
    },
    data: event.data,
    ...(event.previous ? { previous: event.previous } : {}),
    ...(event.changed ? { changed: event.changed } : {}),
  };
}

const fits = (message: Message) => Buffer.byteLength(JSON.stringify(message)) <= MESSAGE_LIMIT;

function cutTexts<Value>(value: Value, length: number): Value;
function cutTexts(value: unknown, length: number): unknown {
  if (typeof value === "string") return value.length > length ? cutText(value, length) : value;
  if (Array.isArray(value)) return value.map((item) => cutTexts(item, length));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cutTexts(item, length)]));
}

/** Does not split surrogate pairs, because one half is not valid Unicode. */
const cutText = (text: string, length: number) => `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
