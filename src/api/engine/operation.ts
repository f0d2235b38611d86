import type { z } from "zod";
import { isAdminScope, type Scope } from "../../domain/access/identity/scopes.ts";
import type { EventDefinition } from "../../domain/events/define-event.ts";
import type { Cap } from "../../domain/kernel/plans.ts";
import type { WriteKind } from "../../domain/kernel/ports/ports.ts";
import type { Deprecation } from "./deprecation.ts";
import type { HandlerCall, Input, Loader, PrepareCall } from "./handler.ts";
import {
  type LimitedKeys,
  type Method,
  type Needs,
  type OfLimitedKeys,
  type Route,
  type RouteContext,
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

export type Declaration<
  R extends Route,
  Query,
  Body,
  On,
  Mode,
  Prepared = undefined,
  Parent = undefined,
  Item = undefined,
> = {
  id: string;
  route: R;
  summary: string;
  /**
   * What the summary does not say, in Markdown: side effects, limits, what happens to related objects, and what to call
   * next. Who may call it and what the fields mean is added by the API description.
   */
  about?: string;
  /** It still works, but clients should use something else. */
  deprecated?: Deprecation;
  needs: Needs;
  /** Plan limit that must not be zero. */
  gate?: Cap;
  /** Path parameters that take one of a few words instead of an id. */
  words?: Record<string, readonly string[]>;
  /** Loads the parent, which is named by the first parameter below the path's head. */
  within?: Loader<R, Mode, Parent>;
  /** Loads the object itself, which is named by the next parameter. */
  on?: Loader<R, Mode, On, Parent>;
  /**
   * Returns the object as the API shows it. Needed for objects without a GET of their own. Used for `If-Match` and
   * for bodies that contain read-only fields.
   */
  current?: Loader<R, "statement", unknown, Parent>;
  query?: Query;
  body?: Body;
  /** An example of the body for the API description. The contract tests send it. */
  example?: Example<Body>;
  /**
   * What it creates always belongs to a project, which the body names in `project`. A body that names none means the only
   * live project that the caller sees.
   */
  inProject?: true;
  /**
   * Only the audience that the loaders return sees the objects; admins do not. The access matrix checks this, and it fails
   * if a private object's operation does not declare it.
   */
  private?: boolean;
  /** The events that a call records when it makes its example's change. The contract tests check them. */
  records?: readonly EventDefinition[];
  /** Requires payment: 402 with a challenge if not paid, 202 while the processor works on it. */
  pays?: boolean;
  /** Schema of a bulk call's items, which are validated one by one. */
  item?: Item;
  /**
   * A field of the body, or of a bulk call's items, that may be any JSON and is stored as JSON text. Its handler gets it
   * exactly as sent: with NUL and lone surrogates, and with numbers in their own spelling.
   */
  anyJson?: string;
  /**
   * Fields of a PATCH that are one text in several forms. Lists show them as `null` or leave them out. If one of them has
   * changed in a whole object that comes back, all that came along count as sent; a row of a list clears none of them.
   */
  textFields?: readonly string[];
  /** View of one object, of a list's rows, or of a bulk call's rows. */
  returns: z.ZodType;
  /**
   * Default: `one`. A `list` takes `cursor` and `limit`, and its handler returns a Page. `all` is a list without
   * paging, and its handler returns the rows. `bulk` returns one result per item (201 or 207).
   */
  shape?: Shape;
  status?: 200 | 201 | 202;
  /**
   * Media types that it may return instead. The handler then returns a Download or a Picture. `asked` is the one that the
   * Accept header names.
   */
  downloads?: readonly string[];
  /**
   * A streamed reply, for the API description. The handler returns a Stream. `frame`: an event of it
   * with its fields, and the JSON in `data`. `resumes`: it takes a Last-Event-ID.
   */
  streams?: { mediaType: string; description: string; frame: z.ZodType; resumes?: true };
  /** The handler of a GET answers from the objects of the path's head. It reads nothing more. */
  readsNothing?: true;
  /** The reply may have thousands of rows. It is written in parts, so that other calls are served in between. */
  long?: boolean;
  /**
   * `transaction`: the engine opens one around `on` and `handle`. `statement`: the handler changes everything in a
   * single statement and needs no transaction, unless the call has an Idempotency-Key. `shared`: so does this one, and
   * its statement may also store what other calls change (`Sharing`). `own`: the handler opens its own transactions,
   * calls outside services between them, and handles the Idempotency-Key itself.
   */
  mode?: Mode;
  /** For modes `statement` and `shared`: whether this body, as it was sent, needs a transaction all the same. */
  needsTransaction?: (body: unknown) => boolean;
  /**
   * Who may write, besides the scope: editors of the project, also its guests, or everyone who can see the project.
   */
  writers?: Writers;
  /** Also runs on archived objects: restore, archive, delete, and changes of visibility. */
  onArchived?: boolean;
  /** The reply contains a secret that is shown only once. A stored copy of the reply is sealed. */
  secret?: boolean;
  /** `short`: a frequent write of a few milliseconds. It never waits for longer writes of its workspace. */
  work?: WriteKind;
  /** A limit of its own besides the key's rate: calls a minute for each key. */
  perMinute?: number;
  /** Rate limit units besides the one that every call costs, e.g. for bulk calls. */
  cost?: (body: Input<Body>) => number;
  maxBodyBytes?: number;
  /**
   * Runs before the transaction and may call other services. It may run more than once, and the transaction may never
   * run; its side effects must expire.
   */
  prepare?: (call: PrepareCall<R, Body>) => Promise<Prepared>;
  /** Undoes `prepare` after the transaction was rejected or may have failed. */
  abandon?: (ctx: RouteContext<R>, prepared: Prepared) => Promise<void>;
  handle: (call: HandlerCall<R, Mode, Query, Body, On, Prepared, Parent, Item>) => Promise<unknown>;
  /** Runs after the commit, outside any transaction. Returns the answer to send; it may wait briefly for a worker. */
  finishAfterCommit?: (ctx: RouteContext<R>, answer: unknown) => Promise<unknown>;
};

/** A declaration with the properties derived from its route. Its type parameters are erased. */
export type Operation = Omit<
  Declaration<Route, z.ZodObject, z.ZodType, unknown, unknown>,
  "handle" | "on" | "within" | "current" | "finishAfterCommit" | "cost" | "prepare" | "abandon" | "example" | "item"
> & {
  item?: z.ZodType;
  example?: Record<string, unknown>;
  method: Method;
  /** As in OpenAPI: `/v1/workspaces/{slug}/projects/{key}`. */
  path: string;
  head: "none" | "W" | "P" | "I";
  /** Names of the path parameters below its head. */
  ownParams: readonly string[];
  limitedKeys?: LimitedKeys;
  /** `admin` is the bundle itself, for billing. No fine scope includes it. */
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
  on?: (ctx: any, id: string, parent: unknown, fields: readonly string[]) => Promise<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  current?: (ctx: any, id: string, parent: unknown) => Promise<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  prepare?: (call: any) => Promise<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  abandon?: (ctx: any, prepared: any) => Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  finishAfterCommit?: (ctx: any, answer: any) => Promise<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  cost?: (body: any) => number;
};

export function operation<
  const R extends Route,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  On = undefined,
  const Mode extends "transaction" | "statement" | "shared" | "own" = "transaction",
  Prepared = undefined,
  Parent = undefined,
  Item extends z.ZodType | undefined = undefined,
>(declaration: Declaration<R, Query, Body, On, Mode, Prepared, Parent, Item> & OfLimitedKeys<R>): Operation {
  const { route, needs } = declaration;
  const [scope, tier] = needs.split("; ");
  return {
    ...(declaration as unknown as Omit<Operation, "method">),
    ...readRoute(route),
    scope: needs === "any" ? null : (scope as Operation["scope"]),
    tier: (tier as Tier) ?? tierOf(needs),
    shape: declaration.shape ?? "one",
    status: declaration.status ?? 200,
  };
}

/** The role that follows from a scope: sessions have all scopes, so a scope for admins alone checks nothing for them. */
function tierOf(needs: Needs): Tier | null {
  if (needs === "projects:admin") return "project admin or admin tier";
  return needs !== "any" && isAdminScope(needs as Scope) ? "admin tier" : null;
}

/** Whether keys limited to some projects are rejected. Below a project, access depends on the project. */
export const isClosedToLimitedKeys = ({ head, limitedKeys }: Operation): boolean =>
  head !== "P" && head !== "I" && limitedKeys !== "filter";
