import { setTimeout as sleep } from "node:timers/promises";
import type { Background } from "../../events/background.ts";
import { openBell } from "../../kernel/bell.ts";
import { newId } from "../../kernel/ids.ts";
import type { Host } from "../../kernel/leases.ts";
import { withRetries } from "../../kernel/with-retries.ts";
import { actOnHealth } from "./disable.ts";
import { type Ended, Sending } from "./sending.ts";
import { checkAgain, enlist } from "./servings.ts";
import { eventsOf, release, type Step, step } from "./webhook-lease.sql.ts";

/** A webhook that has deliveries due. `test_id`: only this test is to be sent. */
export type DeliveryJob = { workspace_id: string; webhook_id: string; test_id?: string };

/** What the delivery to a webhook needs from the process that it runs in. */
export type DeliveryHost = Host & {
  /** Whether the process has been alive since then (in time of `clock`), so that no other one has taken over a lease. */
  livedSince(time: number): boolean;
  /**
   * Takes a slot for one more request of this workspace. Returns a function that releases it, or null if the workspace
   * has its share.
   */
  enter(): (() => void) | null;
  /** Whether the workspace has more than its share. */
  crowded(): boolean;
  /** Called for each attempt that ended. */
  onEnded(failed: boolean): void;
  /** Schedules a job for a retry that is due in `waitMs`. */
  again(waitMs: number): void;
};

/**
 * `left`: more is due, for another job. `locked`: another transaction locks the webhook's row or those of its
 * deliveries.
 */
export type End = "done" | "left" | "locked";

/** Added to the receiver's timeout, for building the message and storing the outcome. */
const LEASE_MARGIN_MS = 5_000;
/** How often to check for more due deliveries while replies are pending. */
const CHECK_MS = 500;
/**
 * How long the outcome of the last attempt waits for the next delivery. Where messages come one after another, one step then
 * stores the one and claims the other, instead of three steps for each.
 */
const LINGER_MS = 20;
/** A job that has lasted longer ends when other workspaces wait for slots. */
const SHARE_MS = 2_000;
/** Pauses while a step is blocked; each is twice as long as the one before. */
const BLOCKED_MS = { first: 20, most: 500 };

/**
 * Leases a webhook and delivers to it until nothing is due. It returns at once if a process already serves the webhook.
 * That process then checks for more deliveries.
 */
export async function deliverDue(ctx: Background, hook: DeliveryJob, host: DeliveryHost): Promise<End> {
  if (checkAgain(host.processId, hook.webhook_id)) return "done";
  const serving = new Serving(ctx, hook, host);
  const ended = enlist(host.processId, hook.webhook_id, serving);
  try {
    return await serving.run();
  } finally {
    ended();
    serving.end();
  }
}

class Serving {
  readonly #ctx: Background;
  readonly #hook: DeliveryJob;
  readonly #host: DeliveryHost;
  readonly #bell = openBell();
  readonly #sending: Sending;
  /** The id of the lease, in the column `turn`. */
  #id = newId();
  /** Whether this process had the lease after the last step. */
  #hasLease = false;
  /** Whether this process may have the lease in the database; also true if a reply was lost. */
  #mayHaveLease = false;
  #mustCheckAgain = false;
  #isMoreDue = false;
  #canTakeMore = false;
  #areRowsLocked = false;
  #isOver = false;

  constructor(ctx: Background, hook: DeliveryJob, host: DeliveryHost) {
    this.#ctx = ctx;
    this.#hook = hook;
    this.#host = host;
    this.#sending = new Sending(ctx, hook, host, this.#bell.ring);
  }

  get lease(): string {
    return this.#id;
  }

  checkAgain(): boolean {
    if (this.#isOver) return false;
    this.#mustCheckAgain = true;
    this.#bell.ring();
    return true;
  }

  async run(): Promise<End> {
    const began = this.#host.clock();
    try {
      for (let pause = BLOCKED_MS.first; ; ) {
        this.#mustCheckAgain = false;
        const { stopping, crowded, clock } = this.#host;
        const isLast = stopping.aborted || (clock() - began > SHARE_MS && crowded());
        const status = await this.#step(isLast);
        if (status === "blocked") {
          await sleep(pause);
          pause = Math.min(2 * pause, BLOCKED_MS.most);
          continue;
        }
        pause = BLOCKED_MS.first;
        if (status === "kept") {
          if (!this.#canTakeMore) await this.#bell.wait(CHECK_MS);
          if (this.#isIdle()) await this.#bell.wait(LINGER_MS);
        } else if (status === "released") {
          if (isLast) return this.#isMoreDue || this.#mustCheckAgain ? "left" : "done";
          if (this.#areRowsLocked) return "locked";
          // The relay adds no job for a webhook that is being served, so deliveries that came just before the release are
          // still due.
          this.#id = newId();
        } else {
          if (this.#hasLease) this.#loseLease();
          if (status === "locked") return "locked";
          if (!this.#mustCheckAgain) return "done";
        }
      }
    } finally {
      // In the same turn as the decision to end: nobody may rely on this serving from now on.
      this.#isOver = true;
    }
  }

  end(): void {
    this.#sending.halt();
    if (this.#mayHaveLease) void this.#release();
  }

  /** Whether everything claimed was sent, and nothing more is known to be due. */
  #isIdle(): boolean {
    return !this.#mustCheckAgain && !this.#isMoreDue && !this.#sending.halted && this.#sending.inHand().length === 0;
  }

  /** @param isLast whether the lease ends as soon as what was sent is stored */
  async #step(isLast: boolean): Promise<Step["status"]> {
    const { webhook_id, workspace_id } = this.#hook;
    const { timeoutMs, concurrencyPerEndpoint } = this.#ctx.settings.webhooks;
    const sending = this.#sending;
    if (isLast) sending.halt();
    const finished = sending.finished.slice();
    const putBack = sending.halted ? sending.ready.slice() : [];
    const inHand = sending.inHand().filter((one) => !putBack.includes(one));
    const room = sending.room();
    let askedAt = 0;
    const take = () => {
      askedAt = this.#host.clock();
      return step(this.#ctx.db, {
        webhook_id,
        workspace_id,
        processId: this.#host.processId,
        lease: this.#id,
        finished,
        inHand,
        putBack,
        room,
        leaseMs: timeoutMs + LEASE_MARGIN_MS,
        concurrency: concurrencyPerEndpoint,
      });
    };
    this.#mayHaveLease = true;
    const answer = await (this.#hasLease ? withRetries(take) : take());
    const status = answer?.status ?? "none";
    this.#mayHaveLease = status === "kept" || status === "blocked";
    if (!answer || (status !== "kept" && status !== "released")) return status;

    this.#hasLease = status === "kept";
    sending.confirmLease(askedAt);
    sending.finished.splice(0, finished.length);
    sending.forget(putBack);
    this.#report(finished, new Set(answer.ended));
    if (answer.closed) sending.halt();
    if (answer.started.length > 0) sending.add(answer, await withRetries(() => this.#load(answer)));
    else sending.goOn(answer);
    this.#isMoreDue = answer.left_waiting > 0 || putBack.length > 0;
    this.#areRowsLocked = room > 0 && answer.left_waiting > 0 && answer.started.length === 0;
    this.#canTakeMore = answer.left_waiting > 0 && !this.#areRowsLocked && sending.room() > 0;
    await actOnHealth(this.#ctx, this.#hook, answer);
    if (status === "released") sending.resume();
    return status;
  }

  #load({ started }: Step) {
    const ids = started.map(({ delivery_id }) => delivery_id);
    return eventsOf(this.#ctx.db, this.#hook, ids, { largeToo: false });
  }

  /** @param stored ids of the attempts whose outcome was stored */
  #report(finished: readonly Ended[], stored: Set<string>): void {
    for (const { id, state, wait_ms } of finished) {
      this.#host.onEnded(state !== "succeeded");
      if (!stored.has(id)) this.#logLost(id);
      else if (wait_ms !== null) this.#host.again(wait_ms);
    }
  }

  /** Another process took over, because this one seemed dead. It sends this process's claimed deliveries again. */
  #loseLease(): void {
    for (const { id } of this.#sending.abandon()) this.#logLost(id);
    this.#hasLease = false;
    this.#id = newId();
  }

  #logLost(id: string): void {
    const fields = { delivery_id: id, webhook_id: this.#hook.webhook_id };
    this.#ctx.log.info(fields, "the outcome of a delivery was not stored, because another worker has taken it over");
  }

  /**
   * Releases the lease after an error. While this process lives, no other one can lease the webhook, so this is
   * repeated until it succeeds.
   */
  async #release(): Promise<void> {
    const isDone = await withRetries(() => release(this.#ctx.database, this.#hook.webhook_id, this.#id)).then(
      () => true,
      () => this.#host.stopping.aborted,
    );
    if (!isDone) await this.#release();
  }
}
