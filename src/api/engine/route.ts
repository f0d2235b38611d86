import type { InIssue } from "../../domain/access/identity/issue-row.ts";
import type { Scope } from "../../domain/access/identity/scopes.ts";
import type { Background } from "../../domain/events/background.ts";
import type { InProject, InWorkspace, WithCredential, Writing } from "../../domain/kernel/context.ts";

/**
 * Routes, written as the interface specification writes them (W workspace, P project, I issue), and what follows from
 * them: the type of \`ctx\`, and what has to be declared.
 */

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type Route = `${Method} ${string}`;

/** Fine scope, and what is needed besides it. `any` is any valid credential. */
export type Tier = "admin tier" | "project admin or admin tier" | "role owner or admin";
export type Needs = "any" | Scope | `${Scope | "admin"}; ${Tier}`;

export type At<Head extends string, R extends Route> = R extends `${Method} ${Head}` | `${Method} ${Head}/${string}`
  ? true
  : false;
export type Place<R extends Route> = WithCredential &
  (At<"I", R> extends true ? InIssue : At<"P", R> extends true ? InProject : InWorkspace);

/**
 * What a handler is given as `ctx`: GET and statement calls read, `own` ones open their transactions themselves, all
 * others are inside one.
 */
export type CtxOf<R extends Route, Mode> = R extends `GET ${string}`
  ? Place<R>
  : Mode extends "statement"
    ? Place<R>
    : Mode extends "own"
      ? Place<R> & Background
      : Place<R> & Writing;

/**
 * What a route outside of projects does for keys that are limited to some projects. `refuse`: 403. `filter`: loaders
 * hide what does not belong to the key's projects, and handlers list and change nothing else.
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

/** The parts of a route. */
export function readRoute(route: Route) {
  const method = route.slice(0, route.indexOf(" ")) as Method;
  const place = route.slice(method.length + 1);
  const letter = /^[WPI](?=\/|$)/.exec(place)?.[0] as keyof typeof HEADS | undefined;
  return {
    method,
    path: letter ? HEADS[letter] + place.slice(1) : place,
    head: letter ?? ("none" as const),
    ownParams: [...place.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
    writes: method !== "GET",
  };
}
