import { type Change, readChanges } from "../../../domain/events/changes.sql.ts";
import { listenToChanges } from "../../../domain/events/live.ts";
import type { InWorkspace } from "../../../domain/kernel/context.ts";
import type { Db, Log, Ports } from "../../../domain/kernel/ports/ports.ts";
import { Turns, type Waiting } from "./turns.ts";

/** What happens in the workspaces whose pages are open: one subscription per workspace and process, for all pages. */

/** Changes are read, and pages told, at most this often. */
const GATHER_MS = 1_000;
/** More changes than these concern every page. */
const MOST = 300;

export interface Reader extends Waiting {
  hear(changes: readonly Change[]): void;
  /** Something happened, and it is not known what. */
  unsure(): void;
  readonly userId: string;
  /** Called once all changes from then on will be heard. */
  listening(): void;
}

class Topic {
  readonly readers = new Set<Reader>();
  readonly turns = new Turns();
  readonly #workspaceId: string;
  readonly #db: Db;
  readonly #log: Log;
  #isListening = false;
  #since: string | null = null;
  #readAt = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #stop: () => void;

  constructor({ db, log, ports, workspace }: Pick<InWorkspace, "db" | "log" | "ports" | "workspace">) {
    this.#workspaceId = workspace.id;
    this.#db = db;
    this.#log = log;
    this.#stop = listenToChanges(ports, workspace.id, {
      happened: (since) => this.#happened(since),
      forPeople: (userIds) => {
        for (const reader of this.readers) if (userIds.has(reader.userId)) reader.unsure();
      },
      interrupted: () => this.#unsure(),
      listening: () => {
        this.#isListening = true;
        for (const reader of this.readers) reader.listening();
      },
    });
  }

  add(reader: Reader): void {
    this.readers.add(reader);
    if (this.#isListening) reader.listening();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.turns.stop();
    this.#stop();
  }

  #happened(since: string): void {
    if (this.#since === null || since < this.#since) this.#since = since;
    this.#timer ??= setTimeout(() => void this.#read(), Math.max(0, this.#readAt + GATHER_MS - Date.now())).unref();
  }

  async #read(): Promise<void> {
    this.#timer = undefined;
    this.#readAt = Date.now();
    const since = this.#since!;
    this.#since = null;
    try {
      const changes = await readChanges(this.#db, this.#workspaceId, since, MOST);
      if (changes.length === MOST) this.#unsure();
      else for (const reader of this.readers) reader.hear(changes);
    } catch (error) {
      this.#log.warn({ err: error }, "the changes for open pages could not be read");
      this.#unsure();
    }
  }

  #unsure(): void {
    for (const reader of this.readers) reader.unsure();
  }
}

const topics = new WeakMap<Ports, Map<string, Topic>>();

export type Following = {
  stop: () => void;
  /** Has the reader told when it is its turn (`yourTurn`). */
  takeTurn: () => void;
};

/** Adds a reader to the topic of its workspace. */
export function follow(ctx: Pick<InWorkspace, "db" | "log" | "ports" | "workspace">, reader: Reader): Following {
  const ofProcess = topics.get(ctx.ports) ?? new Map<string, Topic>();
  topics.set(ctx.ports, ofProcess);
  const { id } = ctx.workspace;
  const topic = ofProcess.get(id) ?? new Topic(ctx);
  ofProcess.set(id, topic);
  topic.add(reader);
  return {
    stop() {
      topic.turns.leave(reader);
      if (!topic.readers.delete(reader) || topic.readers.size > 0) return;
      ofProcess.delete(id);
      topic.stop();
    },
    takeTurn: () => topic.turns.take(reader),
  };
}
