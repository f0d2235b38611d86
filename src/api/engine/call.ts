import type { KeyObject } from "node:crypto";
import type { AccessMemory } from "../../domain/access/identity/access.sql.ts";
import type { InIssue } from "../../domain/access/identity/issue-row.ts";
import type { SignedIn } from "../../domain/access/sign-in/sessions.ts";
import type { Entities } from "../../domain/events/unit-of-work.ts";
import { type Ctx, systemContext, type WithCredential } from "../../domain/kernel/context.ts";
import type { Lanes } from "../../domain/kernel/lanes.ts";
import type { Database, Log, Ports } from "../../domain/kernel/ports/ports.ts";
import type { Settings } from "../../domain/kernel/settings.ts";
import type { Operation } from "./operation.ts";
import type { ReadyStream, StreamWatch } from "./stream.ts";

/** A call as the engine sees it, independent of the transport. */
export type Call = {
  requestId: string;
  /** The key that the client sent. Null if none. */
  secret: string | null;
  /** A person in a browser, identified by a session cookie instead of a key. */
  visitor?: SignedIn;
  /** A call of a page whose earlier call has paid for it, too. */
  unmetered?: boolean;
  /** Network address of the client, for the limit on invalid credentials and for the audit log. */
  address: string;
  /** `User-Agent`. Empty if not sent. */
  userAgent: string;
  /** Path as requested, for idempotency. */
  path: string;
  params: Record<string, string>;
  /** The call names no workspace. It concerns the one of its credential. */
  ownWorkspace?: true;
  /** The reply must be JSON. Files are refused. */
  onlyJson?: true;
  query: Record<string, string>;
  /** The GET operation of the same path. */
  reading: Operation | null;
  /** `If-Match` and `If-None-Match`. Empty if not sent. */
  ifMatch: string;
  ifNoneMatch: string;
  idempotencyKey: string | null;
  /** All values of a header that only a few operations read. */
  headers(name: string): readonly string[];
  /** Aborted when the client disconnects. */
  closed: AbortSignal;
  /** `Prefer: handling=lenient` (RFC 7240). */
  lenient: boolean;
  /**
   * Reads and parses the body once. Undefined if there is none. Rejects invalid JSON.
   * @param anyJson as in `operation`
   */
  readBody(maxBytes: number, anyJson?: string): Promise<Body>;
  /** Called as soon as the rate limit is known, so that error responses carry its headers too. */
  onRate(rate: Rate): void;
  /** Called once the key is known, to record its use. */
  onCaller(keyId: string): void;
};

/**
 * `value` is parsed on first access, which rejects invalid JSON. `size` is what the body costs to read: its bytes and
 * more for each member of an object.
 */
export type Body = { readonly text: string; readonly size: number; readonly value: unknown };

export type Rate = { limit: number; remaining: number; resetSeconds: number };

export type Reply = { status: number; body: string; headers?: Record<string, string> };

/** A reply whose body may be long, or without an end. */
export type LongReply = Omit<Reply, "body"> & {
  body: string | Buffer | AsyncIterable<string | Uint8Array> | ReadyStream;
};

/** The dependencies of the engine. The composition root creates it once per process. */
export type Runtime = {
  database: Database;
  entities: Entities;
  /** This process's cache of keys and projects. */
  memory: AccessMemory;
  /** Writes that calls of this process share. */
  lanes: Lanes;
  ports: Ports;
  settings: Settings;
  log: Log;
  lenient: boolean;
  badCredentialsPerMinute: number;
  /** Aborted when the process is about to stop. */
  stopping: AbortSignal;
  /** How many streams each key has open in this process, of kinds without a limit of their own. */
  openStreams: Map<string, number>;
  streamWatch: StreamWatch;
  /** Key that signs cursors. With its bytes, each signature would cost seven times as much. */
  cursorSecret: KeyObject;
  /** RFC 3339 with milliseconds. */
  now(): string;
};

/** The parts of a request that every context keeps. */
export type Caller = Pick<Call, "requestId" | "address" | "userAgent">;

/** The context of a call before the caller is known. */
export const baseContext = (runtime: Runtime, { requestId, address, userAgent }: Caller): Ctx =>
  systemContext(runtime, runtime.now(), { request_id: requestId }, { address, userAgent });

/** The context of a call. Parts that its route does not name are undefined. */
export type InCall = InIssue & WithCredential;
