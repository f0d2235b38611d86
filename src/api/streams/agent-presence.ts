import {
  countElsewhere,
  deleteDeadStreams,
  renewProcess,
  storeStreams,
} from "../../domain/automation/agent-streams/presence.sql.ts";
import { newId } from "../../domain/kernel/ids.ts";
import type { Db, Log } from "../../domain/kernel/ports/ports.ts";

const BEAT_MS = 2_500;
/** Beats between two removals of dead processes. */
const BEATS_A_ROUND = 24;
const RETRY_MS = 1_000;

type Asked = { agentId: string; max: number | null; answer: (isOpen: boolean) => void };

/**
 * Counts the open streams of agents in all web processes. Changes that come while others are stored are stored together,
 * so that thousands of clients that reconnect need few statements.
 */
export class AgentPresence {
  readonly #db: Db;
  readonly #log: Log;
  readonly #processId = newId();
  readonly #open = new Map<string, number>();
  readonly #changed = new Set<string>();
  #asked: Asked[] = [];
  #isStoring = false;
  #timer: NodeJS.Timeout | undefined;
  #beats = 0;

  constructor(db: Db, log: Log) {
    this.#db = db;
    this.#log = log;
  }

  /**
   * Counts a stream, unless the agent has `max` open. If two processes are asked for the last one at the same time, both
   * may refuse it. While the database does not answer, only the streams of this process count.
   */
  open(agentId: string, max: number | null): Promise<boolean> {
    return new Promise((answer) => {
      this.#asked.push({ agentId, max, answer });
      void this.#store();
    });
  }

  /** A counted stream has ended. */
  close(agentId: string): void {
    this.#add(agentId, -1);
    void this.#store();
  }

  #add(agentId: string, more: number): void {
    const streams = (this.#open.get(agentId) ?? 0) + more;
    if (streams > 0) this.#open.set(agentId, streams);
    else this.#open.delete(agentId);
    this.#changed.add(agentId);
  }

  async #store(): Promise<void> {
    if (this.#isStoring) return;
    this.#isStoring = true;
    let isStored = true;
    while (isStored && this.#changed.size + this.#asked.length > 0) {
      const asked = this.#asked;
      this.#asked = [];
      for (const { agentId } of asked) this.#add(agentId, 1);
      const changed = [...this.#changed];
      this.#changed.clear();
      const elsewhere = await this.#exchange(changed, asked).catch((error) => {
        this.#log.warn({ err: error }, "the open streams of agents were not stored");
        for (const agentId of changed) this.#changed.add(agentId);
        return null;
      });
      isStored = elsewhere !== null;
      this.#answer(asked, elsewhere ?? new Map());
    }
    this.#isStoring = false;
    if (!isStored) setTimeout(() => void this.#store(), RETRY_MS).unref();
    else if (this.#open.size === 0) this.#stopBeating();
  }

  /** Stores first, then reads: of two processes at least one sees the other's streams. */
  async #exchange(changed: readonly string[], asked: readonly Asked[]): Promise<Map<string, number>> {
    if (!this.#timer) {
      await renewProcess(this.#db, this.#processId);
      this.#timer = setInterval(() => void this.#beat(), BEAT_MS).unref();
    }
    const streams = changed.map((agentId) => this.#open.get(agentId) ?? 0);
    await storeStreams(this.#db, this.#processId, changed, streams);
    if (asked.length === 0) return new Map();
    return countElsewhere(this.#db, this.#processId, [...new Set(asked.map(({ agentId }) => agentId))]);
  }

  /** The last ones are refused. */
  #answer(asked: readonly Asked[], elsewhere: ReadonlyMap<string, number>): void {
    for (const { agentId, max, answer } of asked.toReversed()) {
      const isOpen = max === null || (this.#open.get(agentId) ?? 0) + (elsewhere.get(agentId) ?? 0) <= max;
      if (!isOpen) this.#add(agentId, -1);
      answer(isOpen);
    }
  }

  async #beat(): Promise<void> {
    try {
      // Others may have deleted the rows of this process while it was frozen.
      if (await renewProcess(this.#db, this.#processId)) {
        for (const agentId of this.#open.keys()) this.#changed.add(agentId);
        await this.#store();
      }
      if (++this.#beats % BEATS_A_ROUND === 0) await deleteDeadStreams(this.#db);
    } catch (error) {
      this.#log.warn({ err: error }, "the process could not say that it serves streams");
    }
  }

  #stopBeating(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
