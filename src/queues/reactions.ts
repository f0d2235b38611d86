import { EVENT_TYPES, type EventType } from "../domain/events.ts";
import { confirmPayment, matchWebhooks, saveCard, sendEmail } from "./index.ts";
import type { QueueDefinition } from "./queue.ts";

export const anyEvent = "*";

type ReactionQueue = QueueDefinition<{ workspace_id: string | null; event_id: string }>;
export type Reaction = { queue: ReactionQueue; types: readonly (EventType | typeof anyEvent)[] };

export const react = (queue: ReactionQueue, types: readonly EventType[] | typeof anyEvent): Reaction => ({
  queue,
  types: types === anyEvent ? [anyEvent] : types,
});

/** What follows which event: a job in the queue for each event of these types. */
export const reactions: readonly Reaction[] = [
  react(matchWebhooks, EVENT_TYPES),
  react(confirmPayment, ["payment.succeeded", "payment.noticed"]),
  react(saveCard, ["card.noticed"]),
  // Its event is the mail itself; mail to a person who signs in belongs to no workspace.
  react(sendEmail, ["mail.written"]),
];
