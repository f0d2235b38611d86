import type { z } from "zod";
import type { Background } from "../../domain/events/background.ts";
import type { Found, ProjectAccess } from "../../domain/kernel/belongs.ts";
import type { Refusal } from "../../domain/kernel/errors.ts";
import type { Paging } from "../../domain/kernel/paging.ts";
import type { At, CtxOf, Route, RouteContext } from "./route.ts";

/** The arguments of the functions that an operation declares. */

export type Input<S> = S extends z.ZodType ? z.output<S> : undefined;

/** The arguments of a handler. */
export type HandlerCall<
  R extends Route,
  Mode,
  Query,
  Body,
  On,
  Prepared = undefined,
  Parent = undefined,
  Item = undefined,
> = {
  ctx: CtxOf<R, Mode>;
  query: Input<Query>;
  body: Input<Body>;
  /** The object that the path names. */
  on: On;
  /** The parent object that the path names, if any. */
  parent: Parent;
  /**
   * The project that the body names in `project` or `project_id`, checked; null if it names none. Only for changes below
   * the workspace.
   */
  project: ProjectAccess | null;
  /** The items of a bulk call. An invalid item is the reason for its refusal. */
  items: (Input<Item> | Refusal)[];
  /** The project that each item of a bulk call names, as in `project`. */
  projects: (ProjectAccess | null)[];
  /** The fields that the client asks for with `fields`; empty if it asks for all. Only for GET. */
  fields: readonly string[];
  /** The result of `prepare`. */
  prepared: Prepared;
  params: Record<string, string>;
  /** Position and size of the page. Only for `list`. */
  paging: Paging;
  /** The media type of `downloads` that the Accept header names. Null if it names none of them, or JSON first. */
  asked: string | null;
  /** Unknown fields are ignored, with a warning. */
  lenient: boolean;
  /** Only for operations that stream. */
  streaming: Streaming;
  /** The call as received. Only for operations with mode `own`. */
  raw: Raw;
};

/** What an operation that streams gets besides. */
export type Streaming = {
  /** The id of the last event that the client has received from an earlier stream. Null if it sent none. */
  lastEventId: string | null;
  /** Checks whether the caller may still make this call, since a stream may outlive the right to read it. */
  checkAccess: () => Promise<Access>;
};

/**
 * `lost`: why the caller may no longer make the call. Null if it may: the key is live, and the object that the path names is
 * visible. `until`: when the credential ends now, as RFC 3339; null if it does not end.
 */
export type Access = { lost: LostAccess; until?: never } | { lost: null; until: string | null };

/** `key_revoked`: the key or access token is revoked or has expired; `no_access`: it lacks the right. */
export type LostAccess = "key_revoked" | "no_access";

/** The arguments of `prepare`. */
export type PrepareCall<R extends Route, Body> = {
  ctx: RouteContext<R> & Background;
  body: Input<Body>;
  params: Record<string, string>;
};

/** The parts of the request that an `own` operation may read besides its input. */
export type Raw = {
  headers: (name: string) => readonly string[];
  bodyText: string;
  path: string;
  idempotencyKey: string | null;
};

/** The result of an `own` operation: the view's data with its status and headers. */
export type OwnAnswer = { status: number; headers: Record<string, string>; data: unknown };

/**
 * Loads the object that a path parameter names. `fields` are those that a GET asks for, as in `HandlerCall`. Null means
 * 404. Below the workspace it also returns the object's project or audience, so that the engine can decide who sees it.
 */
export type Loader<R extends Route, Mode, T, Parent = undefined> = (
  ctx: CtxOf<R, Mode>,
  id: string,
  parent: Parent,
  fields: readonly string[],
) => Promise<(At<"W", R> extends true ? Found<T> : T) | null>;
