import { listenToAccess } from "../../domain/access/identity/access-changed.ts";
import { type LiveKey, readLiveKeys } from "../../domain/access/identity/live-keys.sql.ts";
import type { InWorkspace, WithCredential } from "../../domain/kernel/context.ts";
import type { Db, Log, Ports } from "../../domain/kernel/ports/ports.ts";

/** Has the callers of a process's streams checked when their rights change. */

/** A stream whose caller is checked. */
export type Watched = {
  /** Checks the caller. Several calls at a time need only one check. */
  check(): void;
  /** Called once changes from then on will be heard. */
  listening(): void;
};

/** A stream's place among the watched ones. */
export type Watching = {
  /** Has the caller checked when its credential ends. A later call replaces the time, which changes with the key. */
  endsAt(end: string | null): void;
  stop(): void;
};

/** How often each stream is checked although nobody said that something changed: the message may have been lost. */
const ROUND_MS = 60_000;
const STEP_MS = 1_000;
const MOST_A_STATEMENT = 250;
/** A credential has ended by the clock of the database, too. */
const SLACK_MS = 100;
/** How long a stream waits for Redis. Without Redis, only the regular checks find changes. */
const PATIENCE_MS = 2_000;
const DAY_MS = 86_400_000;

type Entry = {
  watched: Watched;
  keyId: string | null;
  workspaceId: string;
  version: LiveKey["version"] | undefined;
  dueAt: number;
};

/** The streams of a workspace by user, so that a change of one user concerns only their streams. */
type Group = { users: Map<string, Set<Entry>>; isListening: boolean; stop: () => void };

class AccessWatch {
  readonly #db: Db;
  readonly #ports: Ports;
  readonly #log: Log;
  readonly #groups = new Map<string, Group>();
  /** In the order of their next check. */
  readonly #entries = new Set<Entry>();
  #timer: NodeJS.Timeout | undefined;

  constructor({ db, ports, log }: Pick<InWorkspace, "db" | "ports" | "log">) {
    this.#db = db;
    this.#ports = ports;
    this.#log = log;
  }

  add(entry: Entry, userId: string): () => void {
    const { workspaceId } = entry;
    const group = this.#groups.get(workspaceId) ?? this.#open(workspaceId);
    const own = group.users.get(userId) ?? new Set();
    group.users.set(userId, own.add(entry));
    this.#entries.add(entry);
    this.#timer ??= setInterval(() => void this.#step(), STEP_MS).unref();
    if (group.isListening) entry.watched.listening();
    return () => {
      own.delete(entry);
      if (own.size === 0) group.users.delete(userId);
      if (group.users.size === 0 && this.#groups.delete(workspaceId)) group.stop();
      this.#entries.delete(entry);
      if (this.#entries.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  #open(workspaceId: string): Group {
    const group: Group = { users: new Map(), isListening: false, stop: () => {} };
    this.#groups.set(workspaceId, group);
    const all = () => [...group.users.values()].flatMap((entries) => [...entries]);
    const listening = () => {
      clearTimeout(patience);
      if (group.isListening) return;
      group.isListening = true;
      for (const { watched } of all()) watched.listening();
    };
    const patience = setTimeout(listening, PATIENCE_MS).unref();
    const stopListening = listenToAccess(this.#ports, workspaceId, {
      changed(userId) {
        for (const { watched } of userId === null ? all() : (group.users.get(userId) ?? [])) watched.check();
      },
      listening,
    });
    group.stop = () => {
      clearTimeout(patience);
      stopListening();
    };
    return group;
  }

  /**
   * Checks the streams whose turn it is. Those whose key alone decides are checked together: if the key is live and
   * nothing has changed in the workspace since the last time, their callers have all their rights.
   */
  async #step(): Promise<void> {
    const now = Date.now();
    const turn: Entry[] = [];
    for (const entry of this.#entries) {
      if (entry.dueAt > now || turn.length === MOST_A_STATEMENT) break;
      turn.push(entry);
    }
    if (turn.length === 0) return;
    for (const entry of turn) {
      this.#entries.delete(entry);
      entry.dueAt = now + ROUND_MS;
      this.#entries.add(entry);
    }
    for (const { keyId, watched } of turn) if (keyId === null) watched.check();
    const byKey = turn.filter(({ keyId }) => keyId !== null);
    try {
      const keys = await readLiveKeys(
        this.#db,
        byKey.map(({ workspaceId }) => workspaceId),
        byKey.map(({ keyId }) => keyId!),
      );
      for (const entry of byKey) {
        const version = keys.get(entry.keyId!)?.version;
        if (version === undefined || version !== entry.version) entry.watched.check();
        entry.version = version;
      }
    } catch (error) {
      this.#log.warn({ err: error }, "the callers of streams could not be checked");
    }
  }
}

const watches = new WeakMap<Ports, AccessWatch>();

/** Starts a timer for the end of a credential. Undefined if no stream can be that old. */
function atEnd(end: string | null, check: () => void): NodeJS.Timeout | undefined {
  const ms = end === null ? Number.POSITIVE_INFINITY : Date.parse(end) - Date.now() + SLACK_MS;
  // A timer waits for at most 24 days.
  return ms > DAY_MS ? undefined : setTimeout(check, Math.max(0, ms)).unref();
}

/**
 * Has a stream's caller checked at once when their rights change or their credential ends, and about once a minute.
 * @param isByKey whether the key, its user and the workspace alone decide, and not an object that the path names
 */
export function watchAccess(
  ctx: InWorkspace & WithCredential,
  watched: Watched,
  { isByKey }: { isByKey: boolean },
): Watching {
  const { ports, workspace, principal, credential } = ctx;
  let watch = watches.get(ports);
  if (!watch) {
    watch = new AccessWatch(ctx);
    watches.set(ports, watch);
  }
  const keyId = isByKey && credential.kind !== "session" ? credential.id : null;
  const check = () => watched.check();
  let end = credential.token_expires_at;
  let timer = atEnd(end, check);
  const remove = watch.add(
    { watched, keyId, workspaceId: workspace.id, version: undefined, dueAt: Date.now() + ROUND_MS },
    principal.user_id,
  );
  return {
    endsAt(now) {
      if (now === end) return;
      clearTimeout(timer);
      end = now;
      timer = atEnd(end, check);
    },
    stop() {
      clearTimeout(timer);
      remove();
    },
  };
}
