import type { EntityManager } from "@mikro-orm/postgresql";
import type { AuditEntry, Client } from "./audit-entry.ts";
import type { SharedWrites } from "./lanes.ts";
import type { Database, Db, Log, Ports, Transaction } from "./ports/ports.ts";
import type { Credential, Principal } from "./principal.ts";
import type { Recorded } from "./recorded.ts";
import type { Project, Workspace } from "./rows.ts";
import type { Settings } from "./settings.ts";

/**
 * The cause of a change, besides the principal. Events and lines of history store it, and webhook messages show part of
 * it. `root_event_id` and `depth` tell how far a change is from the first one of its chain; see `causedBy`.
 */
export type Cause = {
  key_id?: string;
  session_id?: string;
  automation_id?: string;
  workflow_run_id?: string;
  request_id?: string;
  /** The first event of the chain; absent if the principal made the change directly. */
  root_event_id?: string;
  /** Number of reactions from that event to this change. Absent: 0. */
  depth?: number;
};

/** The cause of a reaction to an event, which is one step further from the root of the chain. */
export const causedBy = (
  event: { id: string; cause: Cause },
  through: Omit<Cause, "root_event_id" | "depth">,
): Cause => ({
  ...through,
  root_event_id: event.cause.root_event_id ?? event.id,
  depth: (event.cause.depth ?? 0) + 1,
});

export type Actor = { id: string | null; kind: ActorKind; name: string | null };
export const ACTOR_KINDS = ["user", "agent", "automation", "workflow", "form", "integration", "system"] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** `path` is a JSON pointer into the body of the request, if the warning is about a field. */
export type Warning = { code: string; message: string; path?: string } & Record<string, unknown>;

/** The warning that a name was taken as another one, which clients should send. */
export const otherName = (given: string, meant: string, path: string): Warning => ({
  code: "other_name",
  message: `${given} is another name of ${meant}. Send ${meant}.`,
  path,
  did_you_mean: meant,
});

/** Makes the warnings from `since` on name the item of a bulk call that they are about. */
export function nameItem(warnings: Warning[], since: number, index: number): void {
  const named = warnings.slice(since).map(({ path = "", ...warning }) => ({
    ...warning,
    index,
    path: `/items/${index}${path}`,
  }));
  warnings.splice(since, named.length, ...(named as Warning[]));
}

/**
 * First argument of every domain function. `now` is the time in RFC 3339 when the call arrived or, in a transaction, when
 * it took its last lock. The domain reads no clock.
 */
export type Ctx = {
  readonly db: Db;
  readonly now: string;
  readonly log: Log;
  readonly ports: Ports;
  readonly settings: Settings;
  readonly actor: Actor;
  readonly cause: Cause;
  /** The client whose request this is. Null for work in the background, and for operators. */
  readonly client: Client | null;
  /** Sent next to `data` in the reply. */
  readonly warnings: Warning[];
};

/**
 * Returns the context of work without a known user: before authentication, or started by the system.
 * @param now RFC 3339
 */
export const systemContext = (
  { database, ports, settings, log }: Pick<Ctx, "ports" | "settings" | "log"> & { database: Database },
  now: string,
  cause: Cause = {},
  client: Client | null = null,
): Ctx => ({
  db: database,
  ports,
  settings,
  log,
  now,
  actor: { id: null, kind: "system", name: null },
  cause,
  client,
  warnings: [],
});

/** Collects what is stored together with a change. */
export type Recording = Ctx & {
  readonly recorded: Recorded[];
  /** Entries of the audit log that commit with the change. */
  readonly audited: AuditEntry[];
  /** Ids of the events of this change, written or still to be written. */
  readonly eventIds: string[];
};

/** The context inside a transaction. Entities may be written, and recorded events commit with them. */
export type Writing = Recording & {
  readonly em: EntityManager;
  readonly tx: Transaction;
  /**
   * Runs `work` once the transaction has committed. It gets all ports, because it may call other services. It may never
   * run: the process may die in between.
   */
  afterCommit(work: (ports: Ports) => void): void;
  /**
   * Moves `now` to the present. Called after each lock, since other calls may have committed during the wait.
   * @param changedAt when the locked row last changed. `now` becomes later than that, even if the clock of the process
   * that changed it is ahead.
   */
  waited(changedAt?: string): void;
};

/** The context of a call whose only write is a statement, which it may share with other calls. Its `db` only reads. */
export type Sharing = Ctx & { readonly shared: SharedWrites };

/** A context with further objects. It keeps `now` up to date, which a copy would not. */
export const extended = <Base extends Ctx, More extends object>(ctx: Base, more: More): Base & More =>
  Object.assign(Object.defineProperties({}, Object.getOwnPropertyDescriptors(ctx)), more) as Base & More;

/** The context of a principal in a workspace: in a call, or in a worker that acts for the principal. */
export type InWorkspace = Ctx & { readonly principal: Principal; readonly workspace: Workspace };
export type InProject = InWorkspace & { readonly project: Project };
/** Only calls have a credential; jobs do not. */
export type WithCredential = { readonly credential: Credential };
