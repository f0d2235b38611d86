import type { EntityManager } from "@mikro-orm/postgresql";
import type { Database, Db, Log, Ports, Transaction } from "./ports/ports.ts";
import type { Recorded } from "./recorded.ts";
import type { Caller, Project, Workspace } from "./rows.ts";
import type { Settings } from "./settings.ts";

/** Who or what made a change, beyond the user: shown in activity and in webhook messages. */
export type Cause = {
  key_id?: string;
  session_id?: string;
  automation_id?: string;
  workflow_run_id?: string;
  request_id?: string;
};

export type Actor = { id: string | null; kind: ActorKind; name: string | null };
export const ACTOR_KINDS = ["user", "agent", "automation", "workflow", "form", "integration", "system"] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

export type Warning = { code: string; message: string } & Record<string, unknown>;

/**
 * First argument of every domain function. `now` is RFC 3339: when the call arrived or, in a transaction, when the
 * last lock was taken. The domain reads no clock.
 */
export type Ctx = {
  readonly db: Db;
  readonly now: string;
  readonly log: Log;
  readonly ports: Ports;
  readonly settings: Settings;
  readonly actor: Actor;
  readonly cause: Cause;
  /** Stands beside `data` in the reply. */
  readonly warnings: Warning[];
};

/**
 * The context of work before anybody is known, or that nobody asked for.
 * @param now RFC 3339
 */
export const systemContext = (
  { database, ports, settings, log }: Pick<Ctx, "ports" | "settings" | "log"> & { database: Database },
  now: string,
  cause: Cause = {},
): Ctx => ({
  db: database,
  ports,
  settings,
  log,
  now,
  actor: { id: null, kind: "system", name: null },
  cause,
  warnings: [],
});

/** Inside a transaction: entities may be written, and what is recorded commits with them. */
export type Writing = Ctx & {
  readonly em: EntityManager;
  readonly tx: Transaction;
  readonly recorded: Recorded[];
  /** Runs `work` once the transaction has committed. It may never run: the process may die in between. */
  afterCommit(work: () => void): void;
  /** Of the events of this transaction, written or still to be written. */
  readonly eventIds: string[];
  /**
   * Moves `now` to the present. Called after each lock, since other calls may have committed during the wait.
   * @param changedAt when the locked row last changed: `now` is later than that, also where the clock of the process that
   * changed it is ahead
   */
  waited(changedAt?: string): void;
};

/** A key belongs to one workspace, so whoever calls stands in one. */
export type AsCaller = { readonly caller: Caller; readonly workspace: Workspace };
export type InWorkspace = Ctx & AsCaller;
export type InProject = InWorkspace & { readonly project: Project };
