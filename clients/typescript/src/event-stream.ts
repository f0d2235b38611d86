import type { AgentEvent as AgentMessage, ChatMessage } from "./generated/schema.ts";

/** What concerns an agent. Ignore types that you do not know: new ones are added. */
export type AgentEvent = AgentMessage;

export type ChannelEvent = { type: string; data: ChatMessage };

export type StreamOptions = { signal?: AbortSignal; lastEventId?: string; since?: string };

/** How a connection is made. */
export type Connected = { headers: Record<string, string>; query: Record<string, string>; signal: AbortSignal };

export class EventStream<Event> {
  constructor(connect: (connected: Connected) => Promise<Response>, options: StreamOptions) {
    void connect;
    void options;
  }
  declare readonly event: Event;
}
