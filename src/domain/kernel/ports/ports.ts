import type { Readable } from "node:stream";
import type { Kysely } from "kysely";
import type { SignedAddresses } from "../files/signed-addresses.ts";
import type { KeyedHash } from "../keyed-hash.ts";
import type { CardProcessor } from "./card-processor.ts";
import type { SendOutbound } from "./outbound.ts";
import type { ReceiptKeys } from "./receipt-keys.ts";

/** What the domain needs from the outside world. Adapters implement these; composition roots hand them in. */

/** One SQL statement. A name makes it a prepared one: give it only where every value is served well by one generic plan. */
export type Statement = { name?: string; text: string };

export interface Db {
  /** Runs one statement. `timestamptz` arrives as RFC 3339 text, `int8` and `numeric` as numbers. */
  query<Row = Record<string, unknown>>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
}

/** A transaction on one connection; `kysely` lets the entity manager write through the same connection. */
export interface Transaction extends Db {
  readonly kysely: Kysely<unknown>;
  savepoint<T>(work: () => Promise<T>): Promise<T>;
}

/** `short` writes take a few milliseconds and come often, such as heartbeats: they never wait for others of their tenant. */
export type WriteKind = "short" | "normal";

/**
 * Whose write it is, and what it probably waits for, so that the locks of one tenant hold up no other: `resource` is a
 * project, or a kind of object in a workspace, `item` an object in it. A write without them waits for no other.
 */
export type WriteTarget = { tenant: string; kind?: WriteKind; resource?: string; item?: string | undefined };

/** Whose reads they are; `long` ones take a large part of a second, or answer megabytes. */
export type ReadTarget = { tenant: string; long: boolean };

export interface Database extends Db {
  /**
   * Commits what `work` did, or rolls all of it back when it throws. When Postgres ends it for the sake of others (a
   * lock waited for in vain, a deadlock) or the connection is lost before the commit, nothing is kept and `work` runs
   * again: it must not count on what an earlier run left in memory.
   * @param settings statements sent with BEGIN that cannot fail, joined with `;`
   * @throws Busy when the locks it needs stay taken
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, settings?: string, target?: WriteTarget): Promise<T>;
  /** Statements that commit one by one. If one of them times out waiting for a lock, `work` runs again. */
  write<T>(work: (db: Db) => Promise<T>, target: WriteTarget): Promise<T>;
  /**
   * Runs the reads of a call, in its turn among those of all tenants.
   * @throws Busy when its turn does not come in time
   */
  read<T>(work: () => Promise<T>, target: ReadTarget): Promise<T>;
}

export interface Log {
  debug(fields: object, sentence: string): void;
  info(fields: object, sentence: string): void;
  warn(fields: object, sentence: string): void;
  error(fields: object, sentence: string): void;
}

export interface Sealer {
  seal(plain: string): string;
  open(sealed: string): string;
  sealBytes(plain: Uint8Array): Buffer;
  openBytes(sealed: Uint8Array): Buffer;
}

export interface RateLimiter {
  /** Takes `cost` units of the window of `key`, all or none. Null when the store is away. A window has 60 s by default. */
  take(key: string, cost: number, limit: number, windowSeconds?: number): Promise<Taken | null>;
  /** Returns what a refused call took, so that refusals count nothing. */
  giveBack(key: string, cost: number): void;
}

/** A mail with its look. The same id is the same mail, however often it is sent. */
export type OutgoingMail = { id: string; to: string; subject: string; text: string; html: string };

/** How it ended. `reason` contains nothing of the mail or its recipient. */
export type MailOutcome =
  | { kind: "sent" }
  /** By this mail: sent again, it would be refused again. */
  | { kind: "refused"; reason: string }
  /** By the way there: to be tried again. */
  | { kind: "away"; reason: string };

export interface Mailer {
  send(mail: OutgoingMail): Promise<MailOutcome>;
}

/** A file under a key of ours. `sha256` is in hex. */
export type FileToStore = { key: string; mime: string; byteSize: number; sha256?: string | null };

/** `sha256` is null where the store does not keep it. */
export type StoredObject = { byteSize: number; mime: string | null; sha256: string | null };

/** The first and the last byte wanted. */
export type ByteRange = { start: number; end: number };

/** Where files lie. Keys are ours; addresses are signed and end by themselves. Whatever asks the store may throw StoreAway. */
export interface ObjectStore {
  /** An address to which a client PUTs exactly these bytes, and the headers it has to send. */
  signUpload(file: FileToStore, seconds: number): Promise<{ url: string; headers: Record<string, string> }>;
  /** Returns a URL that downloads the file under its name. No browser displays it in place. */
  signDownload(file: { key: string; fileName: string; mime: string }, seconds: number): Promise<string>;
  /** What lies there; null when nothing does. */
  stat(key: string): Promise<StoredObject | null>;
  /** The bytes, or some of them; null when nothing lies there. */
  open(key: string, range?: ByteRange): Promise<Readable | null>;
  /** Stores all of it or nothing. @throws WrongBytes when they are not those that were announced */
  put(file: FileToStore, bytes: Readable): Promise<void>;
  /** Copies to a key to which no address was ever signed; false when nothing lies at `from`. */
  copy(from: string, to: string): Promise<boolean>;
  /** Absent ones are fine. Answers which the store will not remove, such as locked ones; throws when it removes none. */
  remove(keys: readonly string[]): Promise<string[]>;
  /** Removes what uploads left that broke off before `before`. */
  tidy(before: string): Promise<void>;
}

/**
 * Returns the checksum of a stored file; null if it does not exist. Reads the whole file, one file at a time.
 * @throws StoreAway
 */
export type FileChecksum = (key: string) => Promise<string | null>;

/** The store does not respond, or not correctly. Try again. */
export class StoreAway extends Error {}

/** Other transactions have held the needed locks for longer than a caller should wait. Try again. */
export class Busy extends Error {
  constructor(options?: ErrorOptions) {
    super("the locks that a write needs stay taken", options);
  }
}

/** Bytes are not the announced ones. */
export class WrongBytes extends Error {
  readonly what: "size" | "checksum";

  constructor(what: "size" | "checksum") {
    super(`the ${what} is not the announced one`);
    this.what = what;
  }
}

/** The channel that wakes the relay after a commit; the relay polls as well. */
export const COMMITTED = "hint";

export type Taken = { allowed: boolean; remaining: number; resetSeconds: number };

/** A small document from an address that a stranger gave. */
export type FetchedDocument = { status: number; headers: Record<string, string>; body: Buffer };

export interface Ports {
  /** The present, as RFC 3339 with milliseconds. */
  clock(): string;
  /**
   * Sends a message to all processes that subscribe to a channel, without waiting. It may be lost. Inside a transaction
   * use `afterCommit`.
   */
  publish(channel: string, message?: string): void;
  /** Calls `listener` with each message of a channel until the returned function is called. */
  subscribe(channel: string, listener: (message: string) => void): () => void;
  rateLimiter: RateLimiter;
  sealer: Sealer;
  /** Recognises means of payment that came before. */
  paymentHash: KeyedHash;
  sendOutbound: SendOutbound;
  /** GETs a document over https, from public addresses alone. @throws Error when it is not to be had, or too large. */
  fetchDocument(url: string): Promise<FetchedDocument>;
  cards: CardProcessor;
  receipts: ReceiptKeys;
  mailer: Mailer;
  files: ObjectStore;
  fileChecksum: FileChecksum;
  fileAddresses: SignedAddresses;
}
