import { listenToAgent } from "../../domain/automation/agent-events/live.ts";
import { lastSeqs } from "../../domain/automation/agent-events/replay.ts";
import { atATime } from "../../domain/kernel/at-a-time.ts";
import type { InWorkspace } from "../../domain/kernel/context.ts";
import type { Db, Log, Ports } from "../../domain/kernel/ports/ports.ts";
import { AgentPresence } from "./agent-presence.ts";
import { AgentTopic, type TopicReads } from "./agent-topic.ts";

/** How often each agent's last frame is compared with the stored ones, because messages may be lost. */
const COMPARE_MS = 3_000;
/** Within how long they are compared when messages may have been lost. */
const SOON_MS = 300;
const MOST_A_STATEMENT = 500;
/** Reads of frames, and checks of callers, that run at a time. */
const READS = 4;
/** How long a stream waits for Redis. Without Redis it still gets stored frames, only later. */
const PATIENCE_MS = 2_000;
/** A client that reconnects within this time of the last frame did so because its connection was cut. */
const RECONNECT_MS = 10_000;

type Served = { topic: AgentTopic; begun: Promise<void>; stop: () => void };

/** What a web process does for all streams of agents together: one subscription for each agent. */
export class AgentHub {
  readonly presence: AgentPresence;
  /** Limits the checks of callers that run at a time. */
  readonly limitChecks = atATime(READS);
  readonly #ports: Ports;
  readonly #db: Db;
  readonly #log: Log;
  readonly #reads: TopicReads;
  readonly #served = new Map<string, Served>();
  /** When the last frame was sent to agents that have left, in this order. */
  readonly #left = new Map<string, number>();
  #round: AgentTopic[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor({ db, log, ports }: Pick<InWorkspace, "db" | "log" | "ports">) {
    this.#db = db;
    this.#log = log;
    this.#ports = ports;
    this.presence = new AgentPresence(db, log);
    this.#reads = { db, log, limit: atATime(READS) };
  }

  /** Adds a stream of an agent. Wait for `begun` before it reads. */
  join(agentId: string, workspace: { id: string; slug: string }): { topic: AgentTopic; begun: Promise<void> } {
    const served = this.#served.get(agentId) ?? this.#serve(agentId, workspace);
    served.topic.streams++;
    return served;
  }

  /** Removes a stream. @param lastAt when the last frame was sent to it; 0 if none was */
  leave({ agentId }: AgentTopic, lastAt: number): void {
    this.#noteLast(agentId, lastAt);
    const served = this.#served.get(agentId)!;
    if (--served.topic.streams > 0) return;
    served.stop();
    this.#served.delete(agentId);
    if (this.#served.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Whether a stream of the agent was sent a frame and left, both within the last seconds. */
  hasJustLeft(agentId: string): boolean {
    return (this.#left.get(agentId) ?? 0) > Date.now() - RECONNECT_MS;
  }

  #noteLast(agentId: string, lastAt: number): void {
    const forgotten = Date.now() - RECONNECT_MS;
    for (const [id, at] of this.#left) {
      if (at > forgotten) break;
      this.#left.delete(id);
    }
    if (lastAt <= forgotten) return;
    this.#left.delete(agentId);
    this.#left.set(agentId, lastAt);
  }

  #serve(agentId: string, workspace: { id: string; slug: string }): Served {
    const topic = new AgentTopic(agentId, workspace, this.#reads);
    const listening = Promise.withResolvers<void>();
    const stop = listenToAgent(this.#ports, agentId, {
      heard: (frames) => topic.heard(frames),
      listening: listening.resolve,
      interrupted: () => this.#compareSoon(),
    });
    const served = { topic, begun: this.#begin(topic, listening), stop };
    this.#served.set(agentId, served);
    this.#timer ??= this.#after(COMPARE_MS);
    return served;
  }

  /** What is stored after it listens is heard; the first frame that it will hear follows the last one stored. */
  async #begin(topic: AgentTopic, { promise, resolve }: PromiseWithResolvers<void>): Promise<void> {
    const patience = setTimeout(resolve, PATIENCE_MS);
    await promise;
    clearTimeout(patience);
    while (!topic.hasBegun) {
      try {
        const last = await this.#reads.limit(() => lastSeqs(this.#db, [topic.agentId]));
        topic.begin(last.get(topic.agentId) ?? 0);
      } catch (error) {
        this.#log.warn({ err: error }, "the last frame of an agent could not be read");
        await new Promise((done) => setTimeout(done, 1_000).unref());
        if (topic.streams === 0) return;
      }
    }
  }

  #after(ms: number): NodeJS.Timeout {
    return setTimeout(() => void this.#compare(), ms).unref();
  }

  #compareSoon(): void {
    if (!this.#timer) return;
    clearTimeout(this.#timer);
    this.#round = [];
    this.#timer = this.#after(Math.random() * SOON_MS);
  }

  /** Compares some agents. The statements of a round are spread over COMPARE_MS. */
  async #compare(): Promise<void> {
    if (this.#round.length === 0) this.#round = [...this.#served.values()].map(({ topic }) => topic);
    const topics = this.#round.splice(0, MOST_A_STATEMENT);
    try {
      const ids = topics.map(({ agentId }) => agentId);
      const last = await lastSeqs(this.#db, ids);
      for (const topic of topics) topic.isStored(last.get(topic.agentId) ?? 0);
    } catch (error) {
      this.#log.warn({ err: error }, "the last frames of agents could not be read");
    }
    if (this.#served.size === 0) return;
    clearTimeout(this.#timer);
    this.#timer = this.#after(COMPARE_MS / Math.ceil(this.#served.size / MOST_A_STATEMENT));
  }
}

const hubs = new WeakMap<Ports, AgentHub>();

/** The hub of a process, whose ports these are. */
export function agentHub(ctx: Pick<InWorkspace, "db" | "log" | "ports">): AgentHub {
  let hub = hubs.get(ctx.ports);
  if (!hub) {
    hub = new AgentHub(ctx);
    hubs.set(ctx.ports, hub);
  }
  return hub;
}
