import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Event, type Kind, type Objects, visible } from "./objects.ts";
import { newId, type Store } from "./store.ts";
import type { Cause } from "./world.ts";

export type Endpoint = { url: string; secret: string };

/** One attempt to deliver an event: the endpoint's reply, or the error. */
export type Attempt = { event: string; type: string; status: number | null; error: string | null };

export type Webhooks = ReturnType<typeof openWebhooks>;

const API_VERSION = "2026-10-28.endive";
const ANSWER_WITHIN_MS = 10_000;
const ATTEMPTS_KEPT = 1000;

/** Events and their delivery: signed, repeated until the endpoint answers 2xx, in no particular order. */
export function openWebhooks(options: {
  store: Store;
  now(): number;
  endpoint: Endpoint | undefined;
  retryMs: number[];
}) {
  const { store, now, retryMs } = options;
  let { endpoint } = options;
  let held: Event[] | undefined;
  const attempts: Attempt[] = [];
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();

  function emit(type: string, object: Objects[Exclude<Kind, "event">], cause?: Cause): void {
    const event = store.add<Event>({
      id: newId("evt"),
      object: "event",
      created: now(),
      livemode: false,
      api_version: API_VERSION,
      data: { object: visible(object) },
      pending_webhooks: endpoint ? 1 : 0,
      request: { id: cause?.requestId ?? null, idempotency_key: cause?.key ?? null },
      type,
    });
    store.changed();
    if (held) held.push(event);
    else void send(event);
  }

  function send(event: Event): Promise<void> {
    if (!endpoint) return Promise.resolve();
    const work = deliver(event, endpoint).finally(() => running.delete(work));
    running.add(work);
    return work;
  }

  async function deliver(event: Event, to: Endpoint): Promise<void> {
    for (const wait of [0, ...retryMs]) {
      // An error here means that the wait was stopped.
      const waited = await sleep(wait, true, { signal: stopping.signal, ref: false }).catch(() => false);
      if (!waited) return;
      const attempt = await post(event, to);
      attempts.push(attempt);
      attempts.splice(0, attempts.length - ATTEMPTS_KEPT);
      if (attempt.status === null || attempt.status < 200 || attempt.status >= 300) continue;
      event.pending_webhooks = 0;
      store.changed();
      return;
    }
  }

  async function post(event: Event, { url, secret }: Endpoint): Promise<Attempt> {
    const body = JSON.stringify(event, null, 2);
    const about = { event: event.id, type: event.type };
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", "stripe-signature": sign(body, secret, now()) },
        body,
        redirect: "manual",
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
      });
      await response.body?.cancel();
      return { ...about, status: response.status, error: null };
    } catch (error) {
      const { message, cause } = error as Error;
      return { ...about, status: null, error: cause instanceof Error ? cause.message : message };
    }
  }

  return {
    emit,
    attempts,

    /** The address for events from now on. Null: none. */
    setEndpoint(to: Endpoint | null) {
      endpoint = to ?? undefined;
    },

    /** Holds events until `release`. */
    hold() {
      held ??= [];
    },

    /** Sends the held events, one after another. Returns their types. */
    async release({ reverse = false } = {}): Promise<string[]> {
      const events = held ?? [];
      held = undefined;
      if (reverse) events.reverse();
      for (const event of events) await send(event);
      return events.map(({ type }) => type);
    },

    /** Drops the held events. */
    discard(): string[] {
      const events = held ?? [];
      held = undefined;
      for (const event of events) event.pending_webhooks = 0;
      return events.map(({ type }) => type);
    },

    /** Sends events again, delivered or not: all of a type, or one by its id. */
    resend(which: string): number {
      const events = store.all("event").filter(({ id, type }) => id === which || type === which);
      for (const event of events) void send(event);
      return events.length;
    },

    /** Sends the events that an earlier run had not delivered. */
    resume() {
      for (const event of store.all("event").reverse()) if (event.pending_webhooks > 0) void send(event);
    },

    /** Resolves when no delivery is running or waiting for another attempt. */
    async idle(): Promise<void> {
      while (running.size > 0) await Promise.all(running);
    },

    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all(running);
    },

    clear() {
      held = undefined;
      attempts.length = 0;
    },
  };
}

/** `t=<Unix seconds>,v1=<hex HMAC-SHA256 of "t.body">` */
const sign = (body: string, secret: string, at: number) =>
  `t=${at},v1=${createHmac("sha256", secret).update(`${at}.${body}`).digest("hex")}`;
