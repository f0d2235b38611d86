import type { AccessMemory } from "../../domain/access/identity/access.sql.ts";
import type { InIssue } from "../../domain/access/identity/issue-row.ts";
import type { SignedIn } from "../../domain/access/sign-in/sessions.ts";
import type { Entities } from "../../domain/events/unit-of-work.ts";
import { type Ctx, systemContext, type WithCredential } from "../../domain/kernel/context.ts";
import type { Database, Log, Ports } from "../../domain/kernel/ports/ports.ts";
import type { Settings } from "../../domain/kernel/settings.ts";
import type { Operation } from "./operation.ts";

/** A call as the engine sees it, whatever carried it here. */
export type Call = {
  requestId: string;
  /** The presented key; null when there was none. */
  secret: string | null;
  /** A person in their browser, who was recognised by a cookie and has no key. */
  visitor?: SignedIn;
  /** Address of the client, for limits on bad credentials. */
  address: string;
  /** Path as called, for idempotency. */
  path: string;
  params: Record<string, string>;
  query: Record<string, string>;
  /** GET of the same path. */
  reading: Operation | null;
  /** `If-Match` and `If-None-Match`; empty if not sent. */
  ifMatch: string;
  ifNoneMatch: string;
  idempotencyKey: string | null;
  /** All values of a header, for what only few operations read. */
  headers(name: string): readonly string[];
  /** Aborted when the client has gone. */
  closed: AbortSignal;
  /** `Prefer: handling=lenient` (RFC 7240). */
  lenient: boolean;
  /** Reads and parses the body once; undefined when there is none. Refuses what is not JSON. */
  readBody(maxBytes: number): Promise<Body>;
  /** Called as soon as the rate limit is known, so that refusals carry its headers too. */
  onRate(rate: Rate): void;
  /** Called once the key is known, for its usage. */
  onCaller(keyId: string): void;
};

/** `value` parses when it is first asked for, and refuses what is not JSON. */
export type Body = { readonly text: string; readonly bytes: number; readonly value: unknown };

export type Rate = { limit: number; remaining: number; resetSeconds: number };

export type Reply = { status: number; body: string; headers?: Record<string, string> };

/** A reply whose body may be long, and then comes as its bytes, or bit by bit. */
export type LongReply = Omit<Reply, "body"> & { body: string | Buffer | AsyncIterable<string | Uint8Array> };

/** What the engine runs on; made once by the composition root. */
export type Runtime = {
  database: Database;
  entities: Entities;
  /** What this process remembers of keys and projects. */
  memory: AccessMemory;
  ports: Ports;
  settings: Settings;
  log: Log;
  lenient: boolean;
  badCredentialsPerMinute: number;
  /** Aborted when the process is about to stop. */
  stopping: AbortSignal;
  /** Signs cursors. */
  cursorSecret: Buffer;
  /** RFC 3339 with milliseconds. */
  now(): string;
};

/** The context of a call before anybody is known. */
export const baseContext = (runtime: Runtime, requestId: string): Ctx =>
  systemContext(runtime, runtime.now(), { request_id: requestId });

/** The context of a call; parts that its route does not name are absent. */
export type InCall = InIssue & WithCredential;
