import { setTimeout as sleep } from "node:timers/promises";
import type { Background } from "../background.ts";
import type { Claimed } from "./claim.sql.ts";
import { disable } from "./disable.ts";
import { maskHeaders, openHeaders } from "./headers.ts";
import { type Fault, judge } from "./health.ts";
import type { Turn } from "./match.ts";
import { messageOf } from "./message.ts";
import type { Outcome } from "./outcome.ts";
import { settle } from "./settle.ts";
import { sign } from "./signature.ts";

/** What to do next in a turn. */
export type Step = {
  /** To be sent now; null ends the turn. */
  delivery: Claimed | null;
  /** Further turns of this webhook that there is room and work for. */
  turns: number;
  /** When to give the webhook a turn again for a message that failed. `id` is unique to that attempt. */
  retry: { id: string; delayMs: number } | null;
  /** Set when the turn ends although there is more to do: unique to it. */
  handOver: string | null;
  /** Whether the attempt before this step failed. */
  failed: boolean;
};

/** What was sent, as its record shows it, and what came of it. */
export type Sent = { outcome: Outcome | Fault; request_headers: Record<string, string> | null; latency_ms: number };

/** Claims the first delivery of a turn. Nothing due, or no room: the turn is over before it began. */
export async function begin(ctx: Background, turn: Turn): Promise<Step> {
  const { claimed, further } = await settle(ctx.database, {
    workspace_id: turn.workspace_id,
    webhook_id: turn.webhook_id,
    test_id: turn.test_id ?? null,
    wants: true,
    finished: null,
    rules: ctx.settings.webhooks,
  });
  return { delivery: claimed, turns: further, retry: null, handOver: null, failed: false };
}

/** Signs and sends a message. It never throws: what goes wrong on our side is an outcome too, so that it blocks nothing. */
export async function attempt(ctx: Background, delivery: Claimed): Promise<Sent> {
  if (!delivery.event) return faulty("The event is no longer kept.", { mayHeal: false });
  try {
    const body = JSON.stringify(
      messageOf(delivery.event, { id: delivery.workspace_id, slug: delivery.workspace_slug }),
    );
    const own = headersOf(ctx, delivery, body);
    const theirs = lowerCased(openHeaders(ctx, delivery.headers));
    const timeout_ms = ctx.settings.webhooks.timeoutMs;
    const outcome = await ctx.ports.sendOutbound({
      url: delivery.url,
      headers: { ...theirs, ...own },
      body,
      timeout_ms,
    });
    return { outcome, request_headers: { ...maskHeaders(theirs), ...own }, latency_ms: outcome.latency_ms };
  } catch (error) {
    ctx.log.error(
      { err: error, delivery_id: delivery.id, webhook_id: delivery.webhook_id },
      "a delivery could not be sent",
    );
    return faulty("The message could not be sent, for a reason on our side.", { mayHeal: true });
  }
}

/**
 * Stores how an attempt ended and, when the turn goes on, claims the next delivery in the same transaction. An attempt
 * whose lease ran out changes nothing: somebody else has it.
 */
export async function conclude(
  ctx: Background,
  delivery: Claimed,
  sent: Sent,
  { goOn }: { goOn: boolean },
): Promise<Step> {
  const { id, workspace_id, webhook_id, attempt, event_type, lease_until } = delivery;
  const test = event_type === "webhook.test";
  const verdict = judge(sent.outcome, { attempt, test }, ctx.settings.webhooks, Math.random());
  const wants = goOn && !verdict.gone;
  const item = {
    workspace_id,
    webhook_id,
    test_id: null,
    wants,
    finished: { ...verdict, id, workspace_id, lease_until, request_headers: sent.request_headers },
    rules: ctx.settings.webhooks,
  };
  const { claimed, further, concluded, closing } = await patiently(() => settle(ctx.database, item));
  if (!concluded)
    ctx.log.warn({ delivery_id: id, webhook_id }, "the lease of a delivery had run out before its answer came");
  if (closing) await disable(ctx, { id: webhook_id, workspace_id }, closing);

  const handOver = !goOn && further > 0 ? id : null;
  return {
    delivery: claimed,
    turns: handOver ? further - 1 : further,
    retry: concluded && verdict.wait_ms !== null ? { id: `${id}-${attempt + 1}`, delayMs: verdict.wait_ms } : null,
    handOver,
    failed: verdict.state !== "succeeded",
  };
}

const TRIES = 6;
const PAUSE_MS = 1_000;

/** What was sent cannot be unsent: while Postgres is away for a moment, its end is kept, or it would be sent again. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      if (tried === TRIES) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

const faulty = (message: string, { mayHeal }: { mayHeal: boolean }): Sent => ({
  outcome: { kind: "fault", latency_ms: 0, message, mayHeal },
  request_headers: null,
  latency_ms: 0,
});

/** Standard Webhooks 1.0, and our own. They win over those of the webhook. */
function headersOf({ ports }: Background, delivery: Claimed, body: string): Record<string, string> {
  const sealed = [delivery.secret_sealed, delivery.previous_secret_sealed].filter((one) => one !== null);
  const timestamp = Math.floor(Date.parse(delivery.claimed_at) / 1000);
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
