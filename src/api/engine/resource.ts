import type { z } from "zod";
import type { EventDefinition } from "../../domain/events/define-event.ts";
import type { Cap } from "../../domain/kernel/plans.ts";
import type { Deprecation } from "./deprecation.ts";
import type { HandlerCall, Loader, PrepareCall } from "./handler.ts";
import { type Example, type Operation, operation, type Writers } from "./operation.ts";
import type { Method, Needs, OfLimitedKeys } from "./route.ts";

/**
 * The standard verbs of a resource, each expanded to an ordinary operation. It covers the HTTP shape; rules belong to
 * domain functions. Verbs with their own query, mode or status are declared as operations.
 */

type Head = "W" | "P" | "I";
type Schema = z.ZodType | undefined;
/** All routes of this method below the head have the same `ctx` type. */
type At<M extends Method, H extends Head> = `${M} ${H}/x`;

type Verb<
  M extends Method,
  H extends Head,
  Body extends Schema,
  On,
  Parent,
  Query extends z.ZodObject | undefined = undefined,
> = {
  summary: string;
  /** As in `operation`. */
  about?: string;
  /** As in `operation`. */
  deprecated?: Deprecation;
  needs?: Needs;
  /** Default: the resource's. */
  writers?: Writers;
  /** Default: the resource's. */
  gate?: Cap;
  /** As in `operation`. */
  onArchived?: boolean;
  query?: Query;
  body?: Body;
  /** As in `operation`. */
  example?: Example<Body>;
  returns?: z.ZodType;
  /** As an operation's. */
  records?: readonly EventDefinition[];
  secret?: boolean;
  /** As in `operation`. */
  prepare?: (call: PrepareCall<At<M, H>, Body>) => Promise<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: `prepared` is the result of this verb's own prepare
  handle: (call: HandlerCall<At<M, H>, "transaction", Query, Body, On, any, Parent>) => Promise<unknown>;
};

export type ResourceVerbs<
  H extends Head,
  On,
  Create extends Schema,
  Patch extends Schema,
  Parent,
  Query extends z.ZodObject | undefined,
> = {
  /** Prefix of the operation ids, e.g. `webhooks`. */
  id: string;
  view: z.ZodType;
  read: Needs;
  write: Needs;
  writers?: Writers;
  /** Plan limit that must not be zero. */
  gate?: Cap;
  /** As an operation's. */
  private?: boolean;
  /** Loads the parent that the route names, e.g. the goal of `W/goals/{goalId}/key-results`. */
  within?: Loader<At<"GET", H>, "transaction", Parent>;
  /** Name of the last path parameter. */
  param?: string;
  /** Loads the object that PATCH and DELETE change. Null means 404. */
  entity: Loader<At<"PATCH", H>, "transaction", On, Parent>;
  /** Returns the object as the API shows it, if there is no `get`. */
  current?: Loader<At<"GET", H>, "statement", unknown, Parent>;
  /** A paginated list. */
  list?: Verb<"GET", H, undefined, undefined, Parent, Query>;
  /** A list of few rows, returned whole. */
  all?: Verb<"GET", H, undefined, undefined, Parent>;
  /** Reads one row. Null means 404. */
  get?: {
    summary: string;
    about?: string;
    returns?: z.ZodType;
    row: Loader<At<"GET", H>, "transaction", { id: string } | object, Parent>;
    /** Query parameters, with what is done by them after the row was read. */
    query?: z.ZodObject;
    // biome-ignore lint/suspicious/noExplicitAny: the query is that of the line above, and the row the loader's
    seen?: (ctx: any, query: any, row: any) => Promise<void>;
  };
  create?: Verb<"POST", H, Create, undefined, Parent>;
  patch?: Verb<"PATCH", H, Patch, On, Parent>;
  remove?: Verb<"DELETE", H, undefined, On, Parent>;
};

export function resource<
  const H extends Head,
  On,
  Create extends Schema = undefined,
  Patch extends Schema = undefined,
  Parent = undefined,
  Query extends z.ZodObject | undefined = undefined,
>(
  route: `${H}/${string}`,
  declaration: ResourceVerbs<H, On, Create, Patch, Parent, Query> & OfLimitedKeys<At<"GET", H>>,
): Operation[] {
  const {
    id,
    view,
    read,
    write,
    writers,
    gate,
    private: isPrivate,
    limitedKeys,
    within,
    param = "id",
    entity,
    current,
    ...verbs
  } = declaration;
  const { list, all, get, create, patch, remove } = verbs;
  const operations: Operation[] = [];
  // The types above check the verbs against the route's head. The expansion itself is untyped.
  // biome-ignore lint/suspicious/noExplicitAny: see the line above
  const add = (name: string, path: string, verb: any, rest: any) => {
    operations.push(
      operation({
        returns: view,
        gate,
        private: isPrivate,
        limitedKeys,
        within,
        ...verb,
        ...rest,
        id: `${id}.${name}`,
        route: path,
        needs: verb.needs ?? rest.needs,
        writers: verb.writers ?? rest.writers,
      }),
    );
  };
  const item = `${route}/{${param}}`;
  if (list) add("list", `GET ${route}`, list, { needs: read, shape: "list" });
  if (all) add("list", `GET ${route}`, all, { needs: read, shape: "all" });
  if (create) add("create", `POST ${route}`, create, { needs: write, status: 201, writers });
  if (get) {
    const { row, seen, ...words } = get;
    const handle = async ({ ctx, query, on }: { ctx: unknown; query: unknown; on: unknown }) => {
      await seen?.(ctx, query, on);
      return on;
    };
    add("get", `GET ${item}`, { ...words, on: row, handle }, { needs: read });
  }
  if (patch) add("patch", `PATCH ${item}`, patch, { needs: write, on: entity, current, writers });
  if (remove) add("delete", `DELETE ${item}`, remove, { needs: write, on: entity, current, writers });
  return operations;
}
