import type { Readable } from "node:stream";
import type { Kysely } from "kysely";
import type { SignedAddresses } from "../files/signed-addresses.ts";
import type { KeyedHash } from "../keyed-hash.ts";
import type { CardProcessor } from "./card-processor.ts";
import type { DocumentRenderer } from "./document-renderer.ts";
import type { KeyUsageBuffer } from "./key-usage.ts";
import type { SendOutbound } from "./outbound.ts";
import type { ReceiptKeys } from "./receipt-keys.ts";

/** What the domain needs from the outside world. Adapters implement these; composition roots hand them in. */

/** One SQL statement. A statement with a name is prepared: name it only if one generic plan is good for all values. */
export type Statement =
  | { name?: string; text: string; asTexts?: never }
  /**
   * Each column as Postgres wrote it, one character a byte, or null. For rows that are copied into a reply; a text's
   * other letters are several characters each until the reply is sent (`latin1`).
   */
  | { name: string; text: string; asTexts: true };

export interface Db {
  /** Runs one statement. `timestamptz` arrives as RFC 3339 text, `int8` and `numeric` as numbers. */
  query<Row = Record<string, unknown>>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
}

/** A transaction on one connection; `kysely` lets the entity manager write through the same connection. */
export interface Transaction extends Db {
  readonly kysely: Kysely<unknown>;
  /**
   * Sends a statement whose rows nobody needs, and does not wait for it: it shares a trip with the next statement or with
   * the commit, which throws the error if this one fails. Errors that the caller wants to catch need `query`.
   */
  send(statement: Statement, values?: readonly unknown[]): void;
  savepoint<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * `short` writes are frequent and take a few milliseconds, such as heartbeats. They never wait for other writes of
 * their tenant.
 */
export type WriteKind = "short" | "normal";

/**
 * The tenant of a write and what the write probably locks, so that one tenant's locks do not delay other tenants.
 * `resource` is a project, or a kind of object in a workspace; `item` is an object in it. A write without them waits
 * for no other.
 */
export type WriteTarget = { tenant: string; kind?: WriteKind; resource?: string; item?: string | undefined };

/** The tenant of reads. `long` reads take a large part of a second or return megabytes. */
export type ReadTarget = { tenant: string; long: boolean };

export interface Database extends Db {
  /**
   * Commits the changes of `work`, or rolls them back if it throws. If Postgres aborts the transaction (lock timeout,
   * deadlock) or the connection is lost before the commit, it is rolled back and `work` runs again. So `work` must not
   * depend on values in memory from an earlier run.
   * @param settings statements sent with BEGIN that cannot fail, joined with `;`
   * @throws Busy if other transactions keep the needed locks
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, settings?: string, target?: WriteTarget): Promise<T>;
  /** Statements that commit one by one. If one of them times out waiting for a lock, `work` runs again. */
  write<T>(work: (db: Db) => Promise<T>, target: WriteTarget): Promise<T>;
  /**
   * Runs the reads of a call, scheduled fairly among all tenants.
   * @throws Busy if they cannot start in time
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
  /**
   * Takes `cost` units of the window of `key`, all or none. Returns null if the store is unavailable. The default
   * window is 60 s.
   */
  take(key: string, cost: number, limit: number, windowSeconds?: number): Promise<Taken | null>;
  /** Returns the units that a refused call took, so that refused calls do not count. */
  giveBack(key: string, cost: number): void;
}

/** A rendered mail. The id identifies the mail, even if it is sent several times. */
export type OutgoingMail = {
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Address of the header List-Unsubscribe (RFC 8058), for mails that the reader can end. */
  unsubscribe: string | null;
};

/** The outcome of sending. `reason` contains nothing of the mail or its recipient. */
export type MailOutcome =
  | { kind: "sent" }
  /** The mail itself was refused, and would be refused again. */
  | { kind: "refused"; reason: string }
  /** The mail server is unavailable. Try again later. */
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

/** Stores files. Keys are made by Muster; URLs are signed and expire. Every call to the store may throw StoreAway. */
export interface ObjectStore {
  /** Returns a URL to which a client PUTs exactly this file, and the headers that it has to send. */
  signUpload(file: FileToStore, seconds: number): Promise<{ url: string; headers: Record<string, string> }>;
  /** Returns a URL that downloads the file under its name. No browser displays it in place. */
  signDownload(file: { key: string; fileName: string; mime: string }, seconds: number): Promise<string>;
  /** Returns the stored object; null if there is none. */
  stat(key: string): Promise<StoredObject | null>;
  /** Returns the bytes or a range of them; null if there is no object. */
  open(key: string, range?: ByteRange): Promise<Readable | null>;
  /** Stores the whole file or nothing. @throws WrongBytes if the bytes are not the announced ones */
  put(file: FileToStore, bytes: Readable): Promise<void>;
  /** Copies to a key for which no URL was ever signed. Returns false if there is no object at `from`. */
  copy(from: string, to: string): Promise<boolean>;
  /**
   * Removes objects; missing ones are ignored. Returns the keys that the store refuses to remove, such as locked ones.
   * Throws if it removes none.
   */
  remove(keys: readonly string[]): Promise<string[]>;
  /** Removes the remains of uploads that were interrupted before `before`. */
  tidy(before: string): Promise<void>;
}

/**
 * Returns the checksum of a stored file; null if it does not exist. Reads the whole file, one file at a time.
 * @throws StoreAway
 */
export type FileChecksum = (key: string) => Promise<string | null>;

/** The store does not respond, or not correctly. Try again. */
export class StoreAway extends Error {}

/** Other transactions have kept the needed locks for longer than a caller should wait. Try again. */
export class Busy extends Error {
  constructor(options?: ErrorOptions) {
    super("the locks that a write needs stay taken", options);
  }
}

/** The bytes are not the announced ones. */
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

/** A small document from a URL that an untrusted client gave. */
export type FetchedDocument = { status: number; headers: Record<string, string>; body: Buffer };

/** What a subscriber is told besides the messages. */
export type Subscription = {
  /** Called once, when all messages from then on will be heard. */
  listening?: () => void;
  /** Called when messages may have been lost, because the connection to a publisher was interrupted. */
  interrupted?: () => void;
};

export interface Ports {
  /** Returns the current time as RFC 3339 with milliseconds. */
  clock(): string;
  /**
   * Sends a message to all processes that subscribe to a channel, without waiting. It may be lost. Inside a transaction
   * use `afterCommit`.
   */
  publish(channel: string, message?: string): void;
  /** Calls `listener` with each message of a channel until the returned function is called. */
  subscribe(channel: string, listener: (message: string) => void, about?: Subscription): () => void;
  rateLimiter: RateLimiter;
  keyUsage: KeyUsageBuffer;
  sealer: Sealer;
  /** Recognises tokens and cards that were used before. */
  paymentHash: KeyedHash;
  sendOutbound: SendOutbound;
  /** GETs a document over https, from public addresses only. @throws Error if it is unavailable or too large */
  fetchDocument(url: string): Promise<FetchedDocument>;
  documentRenderer: DocumentRenderer;
  cards: CardProcessor;
  receipts: ReceiptKeys;
  mailer: Mailer;
  files: ObjectStore;
  fileChecksum: FileChecksum;
  fileAddresses: SignedAddresses;
}
