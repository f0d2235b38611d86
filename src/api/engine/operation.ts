import type { z } from "zod";
import type { Scope } from "../../domain/access/identity/scopes.ts";
import type { Background } from "../../domain/events/background.ts";
import type { EventDefinition } from "../../domain/events/define-event.ts";
import type { Found } from "../../domain/kernel/belongs.ts";
import type { Paging } from "../../domain/kernel/paging.ts";
import type { Cap } from "../../domain/kernel/plans.ts";
import type { WriteKind } from "../../domain/kernel/ports/ports.ts";
import {
  type At,
  type CtxOf,
  type LimitedKeys,
  type Method,
  type Needs,
  type OfLimitedKeys,
  type Place,
  type Route,
  readRoute,
  type Tier,
} from "./route.ts";

/** The declaration of one REST call. Router, checks, tenancy, OpenAPI and the access tests all derive from it. */

export type Writers = "editors" | "guests" | "viewers";

export type Page<T> = { rows: T[]; next_cursor: string | null };
export type BulkRow =
  | { index: number; ok: true; data: unknown }
  | { index: number; ok: false; error: unknown; status: number };

export type Shape = "one" | "list" | "all" | "bulk";

/** What a client may send for a schema. */
export type Example<S> = S extends z.ZodType ? z.input<S> : never;

type Input<S> = S extends z.ZodType ? z.output<S> : undefined;

/** What a handler is called with. */
export type HandlerCall<R extends Route, Mode, Query, Body, On, Prepared = undefined, Parent = undefined> = {
  ctx: CtxOf<R, Mode>;
  query: Input<Query>;
  body: Input<Body>;
  /** The object that the path names. */
  on: On;
  /** The object that it belongs to, where the path names one. */
  parent: Parent;
  /** What `prepare` found out. */
  prepared: Prepared;
  params: Record<string, string>;
  /** Where a list goes on; present on a `list` only. */
  paging: Paging;
  /** Unknown fields are ignored with a warning. */
  lenient: boolean;
  /** The call as it came; only for calls of the mode `own`. */
  raw: Raw;
};

/** What is prepared for a call before its transaction. */
export type PrepareCall<R extends Route, Body> = {
  ctx: Place<R> & Background;
  body: Input<Body>;
  params: Record<string, string>;
};

/** What an `own` call may look at beside its input. */
export type Raw = {
  headers: (name: string) => readonly string[];
  bodyText: string;
  path: string;
  idempotencyKey: string | null;
};

/** What an `own` call answers: the view's data with a status and headers of its own. */
export type OwnAnswer = { status: number; headers: Record<string, string>; data: unknown };

/**
 * Loads what a path parameter names; null is 404. Below the workspace it also returns whose the object is, so that the
 * engine can decide who sees it.
 */
export type Loader<R extends Route, Mode, T, Parent = undefined> = (
  ctx: CtxOf<R, Mode>,
  id: string,
  parent: Parent,
) => Promise<(At<"W", R> extends true ? Found<T> : T) | null>;

export type Declaration<R extends Route, Query, Body, On, Mode, Prepared = undefined, Parent = undefined> = {
  id: string;
  route: R;
  summary: string;
  needs: Needs;
  /** Plan cap that must not be zero. */
  gate?: Cap;
  /** Path parameters that are one of a few words and no ids. */
  words?: Record<string, readonly string[]>;
  /** Loads the parent, which the first parameter below the path's head names. */
  within?: Loader<R, Mode, Parent>;
  /** Loads the object itself, which the next parameter names. */
  on?: Loader<R, Mode, On, Parent>;
  /**
   * The object as it is shown, for calls with `If-Match` and for bodies that send back fields which cannot be written. For
   * changes of what has no GET of its own.
   */
  current?: Loader<R, "statement", unknown, Parent>;
  query?: Query;
  body?: Body;
  /** An example of the body, for the API's description. The contract tests make their calls of it. */
  example?: Example<Body>;
  /** The events that a call records when it makes its example's change. The contract tests check them. */
  records?: readonly EventDefinition[];
  /** Demands payment: 402 with a challenge before, 202 while the processor is at it. */
  pays?: boolean;
  /** Schema of a bulk call's items, which are checked one by one. */
  item?: z.ZodType;
  /** View of one object, of a list's rows, or of a bulk's rows. */
  returns: z.ZodType;
  /**
   * `one` unless said otherwise. A `list` takes `cursor` and `limit`, and its handler answers a Page; `all` is a list
   * without paging, and its handler answers the rows; `bulk` answers rows of results (201 or 207).
   */
  shape?: Shape;
  status?: 200 | 201 | 202;
  /** Media types of files that it may answer instead; the handler then answers a Download. */
  downloads?: readonly string[];
  /** Media type of a reply that is written bit by bit; the handler returns a Stream. */
  streams?: string;
  /** May hold thousands of rows: the reply is written in parts, so that other calls are served in between. */
  long?: boolean;
  /**
   * `transaction`: the engine opens one around `on` and `handle`. `statement`: the handler changes everything in a
   * single statement and needs none, unless the call carries an Idempotency-Key. `own`: the handler calls the outside
   * between transactions of its own, and sees to the Idempotency-Key itself.
   */
  mode?: Mode;
  /** Who may write, besides the scope: editors of the project, also its guests, or everybody who sees it. */
  writers?: Writers;
  /** Also runs on archived objects: restore, archive, delete, and who may see them. */
  onArchived?: boolean;
  /** The reply shows a secret that is shown once: a stored copy of it is sealed. */
  secret?: boolean;
  /** `short`: a write of a few milliseconds that comes often, and never waits for longer ones of its workspace. */
  work?: WriteKind;
  /** Units of the rate limit beyond the one that every call takes, e.g. for bulk. */
  cost?: (body: Input<Body>) => number;
  maxBodyBytes?: number;
  /**
   * Runs before the transaction, outside any, and calls the outside. It may run in vain, and again: what it changes must
   * end by itself.
   */
  prepare?: (call: PrepareCall<R, Body>) => Promise<Prepared>;
  /** Takes back what was prepared for a transaction that was refused, or that may have come to nothing. */
  abandon?: (ctx: Place<R>, prepared: Prepared) => Promise<void>;
  handle: (call: HandlerCall<R, Mode, Query, Body, On, Prepared, Parent>) => Promise<unknown>;
  /** Runs after the commit, outside any transaction; may wait a little for workers and replaces the answer. */
  settle?: (ctx: Place<R>, answer: unknown) => Promise<unknown>;
};

/** A declaration with what derives from its route, its types set aside. */
export type Operation = Omit<
  Declaration<Route, z.ZodObject, z.ZodType, unknown, unknown>,
  "handle" | "on" | "within" | "current" | "settle" | "cost" | "prepare" | "abandon" | "example"
> & {
  example?: Record<string, unknown>;
  method: Method;
  /** As in OpenAPI: `/v1/workspaces/{slug}/projects/{key}`. */
  path: string;
  head: "none" | "W" | "P" | "I";
  /** Names of the path's parameters below its head. */
  ownParams: readonly string[];
  limitedKeys?: LimitedKeys;
  /** `admin` is the bundle itself: billing, which no fine scope grants. */
  scope: Scope | "admin" | null;
  tier: Tier | null;
  writes: boolean;
  shape: Shape;
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the types were checked by operation(); the registry holds them all alike
  handle: (call: any) => Promise<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  within?: (ctx: any, id: string) => Promise<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  on?: (ctx: any, id: string, parent: unknown) => Promise<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  current?: (ctx: any, id: string, parent: unknown) => Promise<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  prepare?: (call: any) => Promise<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  abandon?: (ctx: any, prepared: any) => Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  settle?: (ctx: any, answer: any) => Promise<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  cost?: (body: any) => number;
};

export function operation<
  const R extends Route,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  On = undefined,
  const Mode extends "transaction" | "statement" | "own" = "transaction",
  Prepared = undefined,
  Parent = undefined,
>(declaration: Declaration<R, Query, Body, On, Mode, Prepared, Parent> & OfLimitedKeys<R>): Operation {
  const { route, needs } = declaration;
  const [scope, tier] = needs.split("; ");
  return {
    ...(declaration as unknown as Omit<Operation, "method">),
    ...readRoute(route),
    scope: needs === "any" ? null : (scope as Operation["scope"]),
    tier: (tier as Tier) ?? null,
    shape: declaration.shape ?? "one",
    status: declaration.status ?? 200,
  };
}

/** Whether keys limited to some projects are refused. Below a project it is a matter of which one it is. */
export const isClosedToLimitedKeys = ({ head, limitedKeys }: Operation): boolean =>
  head !== "P" && head !== "I" && limitedKeys !== "filter";
