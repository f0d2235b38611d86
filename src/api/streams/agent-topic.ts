import type { Frame } from "../../domain/automation/agent-events/frame.ts";
import { readFrames } from "../../domain/automation/agent-events/replay.ts";
import type { Db, Log } from "../../domain/kernel/ports/ports.ts";
import { chunksOf } from "./chunks.ts";

/** Frames that are read at a time. */
const PAGE = 50;
const RETRY_MS = 1_000;
/** How long all readers wait for the slowest one while many frames are read. */
const PATIENCE_MS = 100;

/** What topics of a process share. */
export type TopicReads = {
  readonly db: Db;
  readonly log: Log;
  /** Limits the reads that run at a time. */
  limit<T>(work: () => Promise<T>): Promise<T>;
};

/** A stream that has caught up. */
export interface LiveReader {
  hear(frames: readonly Frame[]): void;
  /** Waits until its client keeps up. */
  taken(): Promise<void>;
}

/**
 * The frames of one agent for all its streams in this process, in the order of their numbers. What is heard over Redis may
 * come doubled, in another order or not at all; what is missing is read from the rows, once for all streams.
 */
export class AgentTopic {
  readonly agentId: string;
  readonly #workspace: { id: string; slug: string };
  readonly #reads: TopicReads;
  readonly #live = new Set<LiveReader>();
  /** Streams, including those that have not caught up. */
  streams = 0;
  /** The frame up to which the live readers have heard all. Null until it is known where they begin. */
  #last: number | null = null;
  /** The highest number of a stored frame that was heard of. */
  #known = 0;
  #isReading = false;

  constructor(agentId: string, workspace: { id: string; slug: string }, reads: TopicReads) {
    this.agentId = agentId;
    this.#workspace = { id: workspace.id, slug: workspace.slug };
    this.#reads = reads;
  }

  /** The number of the last frame that live readers have heard. */
  get last(): number {
    return this.#last ?? 0;
  }

  get hasBegun(): boolean {
    return this.#last !== null;
  }

  /** Begins after a frame: readers from now on hear those after it. */
  begin(last: number): void {
    this.#last ??= last;
    this.#readMissing();
  }

  /** What the reader has not read of the frames up to `last`, it will not hear. */
  add(reader: LiveReader): void {
    this.#live.add(reader);
  }

  delete(reader: LiveReader): void {
    this.#live.delete(reader);
  }

  /** Takes frames that were heard over Redis. */
  heard(frames: readonly Frame[]): void {
    const next: Frame[] = [];
    for (const one of frames) {
      const { seq } = one;
      if (seq === null) next.push(one);
      else if (this.#last !== null && !this.#isReading && seq === this.#last + 1) {
        this.#last = seq;
        next.push(one);
      } else this.#known = Math.max(this.#known, seq);
    }
    this.#tell(next);
    this.#readMissing();
  }

  /** Frames up to this one are stored. */
  isStored(seq: number): void {
    this.#known = Math.max(this.#known, seq);
    this.#readMissing();
  }

  /** A page of frames after a number. @returns `last`: up to which number everything was read */
  page(after: number, { replayed }: { replayed: boolean }): Promise<{ frames: Frame[]; last: number }> {
    const { db, limit } = this.#reads;
    return limit(() => readFrames(db, this.#workspace, this.agentId, { after, limit: PAGE, replayed }));
  }

  #tell(frames: readonly Frame[]): void {
    if (frames.length === 0) return;
    for (const reader of this.#live) reader.hear(frames);
  }

  /** Lets clients read what they were sent. Without it, large frames would soon be too much for all of them. */
  async #taken(): Promise<void> {
    const all = Promise.all([...this.#live].map((reader) => reader.taken()));
    const patience = new Promise((done) => setTimeout(done, PATIENCE_MS).unref());
    await Promise.race([all, patience]);
  }

  async #readMissing(): Promise<void> {
    if (this.#last === null || this.#isReading) return;
    this.#isReading = true;
    try {
      while (this.#last < this.#known && this.streams > 0) {
        const known: number = this.#known;
        const { frames, last } = await this.page(this.#last, { replayed: false });
        // Rows that are gone are too old for anybody.
        this.#last = last > this.#last ? last : known;
        for (const chunk of chunksOf(frames)) {
          this.#tell(chunk);
          await this.#taken();
        }
      }
    } catch (error) {
      this.#reads.log.warn({ err: error }, "missing frames of an agent could not be read");
      setTimeout(() => this.#readMissing(), RETRY_MS).unref();
    } finally {
      this.#isReading = false;
    }
  }
}
