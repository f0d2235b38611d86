import type { Background } from "../../events/background.ts";
import { messageOf } from "../../events/message.ts";
import type { Outcome } from "../../kernel/ports/outbound.ts";
import { withRetries } from "../../kernel/with-retries.ts";
import { maskHeaders, openHeaders } from "./headers.ts";
import type { Fault } from "./health.ts";
import { sign } from "./signature.ts";
import { type Endpoint, eventsOf, type Started, type StoredEvent } from "./webhook-lease.sql.ts";

/** The request headers as recorded, and the outcome. */
export type Sent = { outcome: Outcome | Fault; request_headers: Record<string, string> | null };

/** A message to send. `event` is undefined if the event was deleted, or the webhook may not get it any more. */
export type Outgoing = {
  delivery: Started;
  endpoint: Endpoint;
  hook: { workspace_id: string; webhook_id: string };
  event: StoredEvent | undefined;
};

const GONE =
  "The event is no longer kept, the webhook is no longer for its project, or the person who set the URL can no longer read it.";

/**
 * Signs and sends a message. It never throws: internal errors are outcomes, too, so that they do not block other
 * messages.
 * @param isAllowed asked again if the event had to be read first, which may take seconds
 * @returns null if the message was not sent, because that is no longer allowed
 */
export async function attempt(ctx: Background, outgoing: Outgoing): Promise<Sent>;
export async function attempt(ctx: Background, outgoing: Outgoing, isAllowed: () => boolean): Promise<Sent | null>;
export async function attempt(ctx: Background, outgoing: Outgoing, isAllowed = () => true): Promise<Sent | null> {
  const { delivery, endpoint, hook, event } = outgoing;
  if (!event) return faulty(GONE, { mayHeal: false });
  try {
    const whole = event.left_out ? await readWhole(ctx, hook, event.id) : event;
    if (event.left_out && !isAllowed()) return null;
    const body = JSON.stringify(messageOf(whole, { id: hook.workspace_id, slug: event.slug }, delivery.sequence));
    const own = headersOf(ctx, delivery, endpoint, body);
    const theirs = lowerCased(openHeaders(ctx, endpoint.headers));
    const outcome = await ctx.ports.sendOutbound({
      url: endpoint.url,
      headers: { ...theirs, ...own },
      body,
      timeout_ms: ctx.settings.webhooks.timeoutMs,
    });
    return { outcome, request_headers: { ...maskHeaders(theirs), ...own } };
  } catch (error) {
    ctx.log.error({ err: error, delivery_id: delivery.id }, "a delivery could not be sent");
    return faulty("The message could not be sent, for a reason on our side.", { mayHeal: true });
  }
}

async function readWhole(ctx: Background, hook: Outgoing["hook"], id: string): Promise<StoredEvent> {
  const events = await withRetries(() => eventsOf(ctx.db, hook, [id], { largeToo: true }));
  const event = events.get(id);
  if (!event) throw new Error("An event was dropped while it was being sent.");
  return event;
}

const faulty = (message: string, { mayHeal }: { mayHeal: boolean }): Sent => ({
  outcome: { kind: "fault", latency_ms: 0, message, mayHeal },
  request_headers: null,
});

/** Headers of Standard Webhooks 1.0 and of Muster. They override the webhook's own headers. */
function headersOf({ ports }: Background, delivery: Started, endpoint: Endpoint, body: string): Record<string, string> {
  const { secret_sealed, previous_secret_sealed, older_secret_sealed } = endpoint;
  const sealed = [secret_sealed, previous_secret_sealed, older_secret_sealed].filter((one) => one !== null);
  const timestamp = Math.floor(Date.parse(endpoint.at) / 1000);
  return {
    "content-type": "application/json",
    "user-agent": "Muster-Webhooks/1",
    "webhook-id": delivery.delivery_id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": sign(sealed.map(ports.sealer.open), delivery.delivery_id, timestamp, body),
    "x-webhook-event": delivery.event_type,
    "x-webhook-attempt": String(delivery.attempt),
  };
}

const lowerCased = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
