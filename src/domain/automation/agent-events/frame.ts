import { type EventRow, messageOf } from "../../events/message.ts";
import type { AgentEventView } from "./view.ts";

/** A frame as the streams of an agent send it. */
export type Frame = {
  /** Its place among the agent's frames: 1, 2, 3, … null for frames that are not stored, which cannot be replayed. */
  seq: number | null;
  /** The project of its object. null for objects of the workspace and what is about the agent itself. */
  project_id: string | null;
  /** The whole frame, with the empty line that ends it. */
  text: string;
};

/** An event as an agent is told of it. */
export type Told = {
  seq: number | null;
  /** The frame's id, which is the event's for the agent's first frame of an event. */
  id: string;
  name: string;
  project_id: string | null;
  context: object;
  event: EventRow;
};

/**
 * The frame with the message of an event. One that cannot be replayed has no `id` line, so that clients never resume after
 * it; `id` in its data still tells doubles.
 */
export function frameOf(told: Told, workspace: { id: string; slug: string }, replayed: boolean): Frame {
  const { seq, id, name, project_id, context, event } = told;
  // A frame with another name than its event's shows the object, and not what changed.
  const change = name === event.type ? {} : { previous: null, changed: null };
  const message = messageOf({ ...event, ...change, id, type: name, data: dataOf(name, event.data) }, workspace, seq);
  const data: AgentEventView = { ...message, context: { ...context }, replayed };
  const idLine = seq === null ? "" : `id: ${id}\n`;
  return { seq, project_id, text: `${idLine}event: ${name}\ndata: ${JSON.stringify(data)}\n\n` };
}

/** The event of a wake is about more than the issue that it shows. */
const dataOf = (name: string, data: unknown): unknown =>
  name === "agent.wake" ? ((data as { issue?: unknown }).issue ?? null) : data;
