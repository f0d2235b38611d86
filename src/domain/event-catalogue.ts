import { DEFINED_EVENTS } from "./defined-events.ts";
import type { EventDefinition } from "./events/define-event.ts";

/** Every event that can be recorded, by name. Names are only ever added. */
export const EVENTS: readonly EventDefinition[] = [...DEFINED_EVENTS].sort((a, b) => (a.name < b.name ? -1 : 1));

export type EventType = (typeof DEFINED_EVENTS)[number]["name"];

/**
 * Names that webhooks can subscribe to before their events exist, so that a receiver can be set up for them. A name moves
 * from here to its definition.
 */
export const ANNOUNCED_EVENT_TYPES: readonly string[] = [];
