import type { InIssue } from "../../domain/access/identity/issue-row.ts";
import type { Scope } from "../../domain/access/identity/scopes.ts";
import type { Background } from "../../domain/events/background.ts";
import type { InProject, InWorkspace, Sharing, WithCredential, Writing } from "../../domain/kernel/context.ts";

/**
 * Routes as the interface specification writes them (W workspace, P project, I issue). A route determines the type of
 * `ctx` and what must be declared.
 */

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type Route = `${Method} ${string}`;

/**
 * Which role a call needs. `starter or admin tier`: the handler decides whether a caller who is no admin may make it.
 */
export type Tier = "admin tier" | "project admin or admin tier" | "role owner or admin" | "starter or admin tier";
/**
 * A fine scope and, if it is not the one that follows from the scope, a tier (`tierOf`). `any` accepts any valid
 * credential.
 */
export type Needs = "any" | Scope | `${Scope | "admin"}; ${Tier}`;

export type At<Head extends string, R extends Route> = R extends `${Method} ${Head}` | `${Method} ${Head}/${string}`
  ? true
  : false;
export type RouteContext<R extends Route> = WithCredential &
  (At<"I", R> extends true ? InIssue : At<"P", R> extends true ? InProject : InWorkspace);

/**
 * The `ctx` of a handler. GET and `statement` handlers read, `own` handlers open transactions themselves, and all
 * others run inside one.
 */
export type CtxOf<R extends Route, Mode> = R extends `GET ${string}`
  ? RouteContext<R>
  : Mode extends "statement"
    ? RouteContext<R>
    : Mode extends "shared"
      ? RouteContext<R> & (Sharing | Writing)
      : Mode extends "own"
        ? RouteContext<R> & Background
        : RouteContext<R> & Writing;

/**
 * How a route outside projects treats keys that are limited to some projects. `refuse`: 403. `filter`: loaders hide
 * objects of other projects, and handlers neither list nor change them.
 */
export type LimitedKeys = "refuse" | "filter";
export type OfLimitedKeys<R extends Route> =
  At<"I", R> extends true
    ? { limitedKeys?: never }
    : At<"P", R> extends true
      ? { limitedKeys?: never }
      : { limitedKeys: LimitedKeys };

const HEADS = {
  W: "/v1/workspaces/{slug}",
  P: "/v1/workspaces/{slug}/projects/{key}",
  I: "/v1/workspaces/{slug}/projects/{key}/issues/{issueKey}",
} as const;

/** Parses a route. */
export function readRoute(route: Route) {
  const method = route.slice(0, route.indexOf(" ")) as Method;
  const pattern = route.slice(method.length + 1);
  const head = /^[WPI](?=\/|$)/.exec(pattern)?.[0] as keyof typeof HEADS | undefined;
  return {
    method,
    path: head ? HEADS[head] + pattern.slice(1) : pattern,
    head: head ?? ("none" as const),
    ownParams: [...pattern.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
    writes: method !== "GET",
  };
}
