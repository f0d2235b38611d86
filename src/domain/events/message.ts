import type { ActorKind, Cause } from "../kernel/context.ts";
import { cutToFit, idOf, MESSAGE_LIMIT } from "./bounded.ts";
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
  /** Long texts were cut before it was stored. */
  truncated: boolean;
};

/**
 * The message about an event: the same for each webhook and each attempt. Frames of agents have the same form.
 * @param sequence its number among the workspace's events, or among the frames of an agent; null if it has none
 */
export function messageOf(event: EventRow, workspace: { id: string; slug: string }, sequence: number | null): Message {
  const whole = wholeMessage(event, workspace, sequence);
  const cut = cutToFit(whole, MESSAGE_LIMIT);
  if (cut) return cut.isCut ? { ...cut.value, truncated: true } : whole;
  // Many texts instead of long ones: the receiver fetches the object by its id.
  const { previous: _, changed: __, ...envelope } = whole;
  return { ...envelope, data: { id: idOf(event.data) }, truncated: true };
}

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
    ...(event.truncated ? { truncated: true } : {}),
  };
}
