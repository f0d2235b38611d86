import type { EventType } from "../domain/events.ts";
import { confirmPayment, saveCard, sendEmail } from "./index.ts";
import type { QueueDefinition } from "./queue.ts";

type ReactionQueue = QueueDefinition<{ workspace_id: string | null; event_id: string }>;
export type Reaction = { queue: ReactionQueue; types: readonly EventType[] };

export const react = (queue: ReactionQueue, types: readonly EventType[]): Reaction => ({ queue, types });

/**
 * What follows which event: a job in the queue for each event of these types. Webhooks hear of all that is in
 * EVENT_TYPES besides: the relay writes their deliveries itself.
 */
export const reactions: readonly Reaction[] = [
  react(confirmPayment, ["payment.succeeded", "payment.noticed"]),
  react(saveCard, ["card.noticed"]),
  // Its event is the mail itself; mail to a person who signs in belongs to no workspace.
  react(sendEmail, ["mail.written"]),
];
