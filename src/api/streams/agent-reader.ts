import type { Frame } from "../../domain/automation/agent-events/frame.ts";
import type { Position } from "../../domain/automation/agent-events/replay.ts";
import type { Log } from "../../domain/kernel/ports/ports.ts";
import type { Access } from "../engine/handler.ts";
import type { Watched, Watching } from "./access-watch.ts";
import type { AgentHub } from "./agent-hub.ts";
import type { AgentTopic, LiveReader } from "./agent-topic.ts";
import { chunksOf } from "./chunks.ts";
import type { EventStream, Feeder } from "./event-stream.ts";
import { frame } from "./frames.ts";

/** Whom a stream belongs to, and where it begins. */
export type Reading = {
  agentId: string;
  workspace: { id: string; slug: string };
  /** The projects that the key is limited to; null if it is not. */
  projectIds: ReadonlySet<string> | null;
  /** Null: only what happens from now on. */
  position: Position | null;
  /** The time from which frames are replayed, as RFC 3339; null if another frame or nothing decides it. */
  since: string | null;
  lastEventId: string | null;
  checkAccess: () => Promise<Access>;
};

/** What may be heard while the caller is checked. */
const MAX_HELD = 1_000;
const RETRY_MS = 1_000;
/** Checks that may fail before the client has to connect again. */
const MAX_FAILURES = 30;

/**
 * Feeds the stream of one client: first the stored frames, at the client's speed, then those that its agent's topic hears.
 */
export class AgentReader implements Feeder, LiveReader, Watched {
  readonly #stream: EventStream;
  readonly #hub: AgentHub;
  readonly #log: Log;
  readonly #topic: AgentTopic;
  readonly #projectIds: Reading["projectIds"];
  readonly #checkAccess: Reading["checkAccess"];
  /** The number of the last frame that was read or heard. */
  #seen = 0;
  #lastAt = 0;
  /** What was heard while the caller is checked; null if it is not. */
  #held: Frame[] | null = null;
  #checking: Promise<void> | null = null;
  #isCheckDue = false;
  /** Called when changes of the caller's rights will be heard. */
  listening: () => void = () => {};
  watching: Watching | undefined;

  constructor(stream: EventStream, hub: AgentHub, log: Log, reading: Reading) {
    const { agentId, workspace, projectIds, checkAccess } = reading;
    this.#stream = stream;
    this.#hub = hub;
    this.#log = log;
    this.#projectIds = projectIds;
    this.#checkAccess = checkAccess;
    const watching = new Promise<void>((resolve) => {
      this.listening = resolve;
    });
    const { topic, begun } = hub.join(agentId, workspace);
    this.#topic = topic;
    this.#begin(Promise.all([begun, watching]), reading).catch((error) => {
      this.#log.warn({ err: error }, "a stream ended, because its frames could not be read");
      this.#stream.close();
    });
  }

  stop(): void {
    this.watching?.stop();
    this.#topic.delete(this);
    this.#hub.leave(this.#topic, this.#lastAt);
  }

  hear(frames: readonly Frame[]): void {
    if (this.#held) {
      this.#held.push(...frames);
      if (this.#held.length > MAX_HELD) this.#stream.close();
      return;
    }
    const wanted = frames.filter((one) => (one.seq === null || one.seq > this.#seen) && this.#isReadable(one));
    this.#see(frames);
    this.#push(wanted);
  }

  taken(): Promise<void> {
    return this.#stream.taken();
  }

  /** What is heard after a change of the caller's rights waits for the check. */
  check(): void {
    this.#isCheckDue = true;
    if (this.#checking) return;
    this.#held = [];
    this.#checking = this.#checkAll();
  }

  async #begin(ready: Promise<unknown>, { agentId, position, since, lastEventId }: Reading): Promise<void> {
    await ready;
    // The caller may have lost its access before changes of it were heard.
    this.check();
    await this.#checking;
    if (this.#stream.hasEnded) return;
    if (lastEventId !== null && position && !position.gap) this.#stream.resumeAfter(lastEventId);
    const { clamped = false, gap = false, count = 0 } = position ?? {};
    const server_time = new Date().toISOString();
    const about = { agent_id: agentId, since, clamped, gap, replay_count: count, server_time };
    this.#stream.push(frame("stream.ready", about));
    this.#seen = position?.after ?? this.#topic.last;
    while (this.#seen < this.#topic.last && !this.#stream.hasEnded) await this.#catchUp();
    // Nothing is awaited in between: what the topic passes on then would be lost.
    if (!this.#stream.hasEnded) this.#topic.add(this);
  }

  /** Reads a page of stored frames. */
  async #catchUp(): Promise<void> {
    const heard = this.#topic.last;
    const { frames, last } = await this.#topic.page(this.#seen, { replayed: true });
    for (const chunk of chunksOf(frames.filter((one) => this.#isReadable(one)))) {
      await this.#stream.taken();
      await this.#checking;
      this.#push(chunk);
    }
    await this.#stream.taken();
    // Rows that are gone are too old for anybody.
    this.#seen = last > this.#seen ? last : heard;
  }

  #push(frames: readonly Frame[]): void {
    if (frames.length === 0) return;
    this.#lastAt = Date.now();
    this.#stream.push(frames.map(({ text }) => text).join(""), frames.length, lastIdOf(frames));
  }

  #see(frames: readonly Frame[]): void {
    for (const { seq } of frames) if (seq !== null) this.#seen = Math.max(this.#seen, seq);
  }

  /** A key that is limited to projects also gets what is about the agent itself. */
  #isReadable({ project_id, text }: Frame): boolean {
    if (this.#projectIds === null) return true;
    return project_id === null ? /^(id: .*\n)?event: agent/.test(text) : this.#projectIds.has(project_id);
  }

  async #checkAll(): Promise<void> {
    for (let failures = 0; this.#isCheckDue && !this.#stream.hasEnded; ) {
      this.#isCheckDue = false;
      try {
        const { lost, until } = await this.#hub.limitChecks(this.#checkAccess);
        if (lost !== null) this.#stream.end(lost);
        else this.watching?.endsAt(until);
      } catch (error) {
        this.#log.warn({ err: error }, "the caller of a stream could not be checked");
        if (++failures > MAX_FAILURES) this.#stream.close();
        this.#isCheckDue = true;
        await new Promise((done) => setTimeout(done, RETRY_MS).unref());
      }
    }
    const held = this.#held ?? [];
    this.#held = null;
    this.#checking = null;
    this.hear(held);
  }
}

const ID = /^id: (\S{1,64})\n/;

/** The id of the last frame that has one. It is copied, because a part of a text keeps the whole text in memory. */
function lastIdOf(frames: readonly Frame[]): string | null {
  const last = frames.findLast(({ seq }) => seq !== null);
  const id = last && ID.exec(last.text)?.[1];
  return id ? Buffer.from(id, "latin1").toString("latin1") : null;
}
