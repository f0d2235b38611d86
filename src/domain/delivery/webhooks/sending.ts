import type { Background } from "../../events/background.ts";
import { attempt, type Outgoing } from "./attempt.ts";
import type { DeliveryHost } from "./deliver-due.ts";
import { judge } from "./health.ts";
import type { Endpoint, Finished, Started, Step, StoredEvent } from "./webhook-lease.sql.ts";

/** With this many deliveries waiting, the receiver counts as slow. */
const MANY = 50;
/** A receiver also counts as slow if a message has waited longer than this. */
const KEEPS_UP_MS = 2_000;
/** How many deliveries to claim ahead: for a receiver that keeps up, and for a slow one. */
const IN_HAND = { few: 10, many: 20 };

export type Ended = Finished & { attempt: number };
type SendingHost = Pick<DeliveryHost, "enter" | "clock" | "livedSince">;
type Ready = Started & { since: number; event: StoredEvent | undefined };

/**
 * The deliveries that this process has claimed for a webhook. Messages are sent in order, one at a time. A slow
 * receiver gets several at a time, but never two about the same object.
 */
export class Sending {
  /** Claimed and not sent yet, in order. */
  readonly ready: Ready[] = [];
  /** Sent and not stored yet. */
  readonly finished: Ended[] = [];
  readonly #inFlight = new Map<string, Ready>();
  /** Functions that release the slots of requests beyond the first. */
  readonly #slots: (() => void)[] = [];
  readonly #ctx: Background;
  readonly #hook: Outgoing["hook"];
  readonly #host: SendingHost;
  readonly #onEnded: () => void;
  #endpoint: (Endpoint & Pick<Step, "concurrency" | "left_waiting">) | undefined;
  #halted = false;
  #leaseAskedAt = Number.NEGATIVE_INFINITY;

  constructor(ctx: Background, hook: Outgoing["hook"], host: SendingHost, onEnded: () => void) {
    this.#ctx = ctx;
    this.#hook = hook;
    this.#host = host;
    this.#onEnded = onEnded;
  }

  /** Whether sending has stopped. Deliveries that are ready have to be put back. */
  get halted(): boolean {
    return this.#halted;
  }

  halt(): void {
    this.#halted = true;
    this.#fill();
  }

  resume(): void {
    this.#halted = false;
  }

  /** Call this when the database has confirmed the lease, with the time at which it was asked. */
  confirmLease(askedAt: number): void {
    this.#leaseAskedAt = askedAt;
  }

  inHand(): Ready[] {
    return [...this.#inFlight.values(), ...this.ready];
  }

  /** How many more deliveries to claim. */
  room(): number {
    if (this.#halted) return 0;
    const { concurrency = 1 } = this.#endpoint ?? {};
    const wanted = concurrency === 1 ? 1 : this.#isBehind() ? IN_HAND.many : IN_HAND.few;
    return Math.max(0, wanted - this.#inFlight.size - this.ready.length);
  }

  add(endpoint: Step, events: Map<string, StoredEvent>): void {
    const now = this.#host.clock();
    for (const delivery of endpoint.started) {
      this.ready.push({ ...delivery, since: now - delivery.waited_ms, event: events.get(delivery.delivery_id) });
    }
    this.goOn(endpoint);
  }

  goOn(endpoint: Step): void {
    // A new URL may have been set by somebody who may not read all of the messages: they are read again.
    if (this.#endpoint && this.#endpoint.url !== endpoint.url) {
      for (const { event } of this.ready) if (event) event.left_out = true;
    }
    this.#endpoint = endpoint;
    this.#fill();
  }

  /** Drops deliveries that were put back. Others may have become ready since. */
  forget(putBack: readonly Ready[]): void {
    const others = this.ready.filter((one) => !putBack.includes(one));
    this.ready.splice(0, this.ready.length, ...others);
  }

  /** Drops all claimed deliveries and returns them. */
  abandon(): { id: string }[] {
    const left = [...this.finished.splice(0), ...this.inHand()];
    this.ready.length = 0;
    this.#inFlight.clear();
    this.#fill();
    return left;
  }

  #isBehind(): boolean {
    if ((this.#endpoint?.left_waiting ?? 0) >= MANY) return true;
    const now = this.#host.clock();
    return this.ready.some(({ since }) => now - since > KEEPS_UP_MS);
  }

  /**
   * Whether this process certainly still has the lease. After a freeze, another one may have sent the deliveries, and the
   * webhook may have changed or been deleted. The next step finds out.
   */
  readonly #hasLease = (): boolean => this.#host.livedSince(this.#leaseAskedAt);

  /** Sends as many deliveries as are allowed at a time, and releases slots that are not needed. */
  #fill(): void {
    const wanted = this.#halted || !this.#hasLease() ? 0 : this.#isBehind() ? (this.#endpoint?.concurrency ?? 1) : 1;
    while (this.#inFlight.size < wanted) {
      const subjects = new Set([...this.#inFlight.values()].map(({ event }) => event?.subject));
      const at = this.ready.findIndex(({ event }) => !subjects.has(event?.subject));
      if (at < 0 || !this.#takeSlot()) break;
      void this.#send(this.ready.splice(at, 1)[0]!);
    }
    while (this.#slots.length > Math.max(0, this.#inFlight.size - 1)) this.#slots.pop()?.();
  }

  /** The first request uses the slot of its job. */
  #takeSlot(): boolean {
    if (this.#slots.length >= this.#inFlight.size) return true;
    const leave = this.#host.enter();
    if (leave) this.#slots.push(leave);
    return leave !== null;
  }

  async #send(delivery: Ready): Promise<void> {
    this.#inFlight.set(delivery.id, delivery);
    const outgoing = { delivery, endpoint: this.#endpoint!, hook: this.#hook, event: delivery.event };
    const sent = await attempt(this.#ctx, outgoing, this.#hasLease);
    // It was abandoned in the meantime.
    if (!this.#inFlight.delete(delivery.id)) return;
    if (!sent) {
      this.ready.unshift(delivery);
      return this.#onEnded();
    }
    const { outcome, request_headers } = sent;
    const { id, attempt: made } = delivery;
    const verdict = judge(outcome, { attempt: made, test: false }, this.#ctx.settings.webhooks, Math.random());
    this.finished.push({ ...verdict, id, attempt: made, request_headers });
    if (verdict.gone) this.halt();
    else this.#fill();
    this.#onEnded();
  }
}
