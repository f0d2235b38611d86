import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import Router from "@koa/router";
import Koa, { type Context, type Middleware, type Next } from "koa";
import { Refusal, refuse } from "../../domain/kernel/errors.ts";
import type { Log } from "../../domain/kernel/ports/ports.ts";
import type { Runtime } from "../engine/call.ts";
import { deprecationHeaders } from "../engine/deprecation.ts";
import type { Operation } from "../engine/operation.ts";
import { answer, type OperationRouter, routerOf } from "./bind.ts";
import { crossOrigin } from "./cors.ts";
import { loggedPath } from "./logged-path.ts";
import { type NearestPath, nearestPathIn } from "./nearest-path.ts";
import { problemOf } from "./problem.ts";
import { checkHead } from "./request-head.ts";

export type AppOptions = {
  runtime: Runtime;
  operations: readonly Operation[];
  /** What programs call that is not an operation, for suggestions to those who miss a path. */
  otherRoutes: readonly { path: string; method: string }[];
  /** Pages and documents that are not operations: health, API reference, queue console. */
  pages: (router: Router) => void;
  /** Replaces a problem by a page if the client is a browser. */
  problemPage: (ctx: Context, refusal: Refusal) => void;
  /** Middleware for whole subtrees. It runs before the router. */
  mounts?: Middleware[];
  /** The OAuth endpoints. */
  oauth: Middleware;
  /** Keys that sign the cookies of authorization requests. */
  cookieKeys: string[];
  log: Log;
  trustedProxies: number;
  isUnavailable: (error: unknown) => boolean;
  onRequest: (done: { operation: string; method: string; status: number; ms: number }) => void;
  onCaller: (keyId: string, address: string) => void;
  /** Called when a call with a key has been answered. */
  onAnswer: (keyId: string, status: number, ms: number) => void;
};

/** The web application: its middleware, in order. */
export function createApp(options: AppOptions): Koa {
  const app = new Koa({ proxy: options.trustedProxies > 0, maxIpsCount: options.trustedProxies });
  app.keys = options.cookieKeys;
  const router = new Router();
  options.pages(router);

  app.use(requestLine(options));
  app.use(problems(options));
  app.use(checkHead());
  for (const mount of options.mounts ?? []) app.use(mount);
  app.use(
    crossOrigin({
      allowMethods: "GET,HEAD,POST,PUT,PATCH,DELETE",
      allowHeaders: REQUEST_HEADERS,
      exposeHeaders: REPLY_HEADERS,
      maxAge: 86_400,
    }),
  );
  app.use(options.oauth);
  app.use(operationCalls(options, routerOf(options.operations)));
  app.use(router.routes());
  app.use(nothingHere(router, nearestPathIn([...options.operations, ...options.otherRoutes])));
  // Expected errors were handled above. The remaining ones are connections that broke while a reply was sent.
  app.on("error", (error) => options.log.debug({ err: error }, "a connection broke"));
  return app;
}

const REQUEST_HEADERS = [
  "Authorization",
  "Payment-Authorization",
  "X-Api-Key",
  "Content-Type",
  "Idempotency-Key",
  "If-Match",
  "If-None-Match",
  "Prefer",
  "Accept",
  "Accept-Payment",
  "X-Request-Id",
  "Last-Event-ID",
  // Clients of the tool server send these.
  "MCP-Protocol-Version",
  "Mcp-Method",
  "Mcp-Name",
  // Uploads send it to the object store, and cross-origin uploads to this service need it too.
  "X-Amz-Checksum-Sha256",
];
const REPLY_HEADERS = [
  "X-Request-Id",
  "ETag",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "WWW-Authenticate",
  "Idempotent-Replayed",
  "Preference-Applied",
  "Payment-Receipt",
  "Content-Disposition",
  "X-Warnings",
  "Allow",
  "Content-Range",
  "Deprecation",
  "Sunset",
  "Link",
];

const PROBES = ["/healthz", "/readyz", "/metrics"];

/** A year, in seconds. Subdomains are not included, because they may belong to others. */
const HTTPS_ONLY = "max-age=31536000";

/**
 * Assigns the request id, measures the time and logs one line per request. If the service uses https, every reply
 * tells browsers to use nothing else (RFC 6797).
 */
function requestLine({ log, onRequest, onAnswer, runtime }: AppOptions): Middleware {
  const isHttps = new URL(runtime.settings.baseUrl).protocol === "https:";
  return async (ctx, next) => {
    const started = performance.now();
    const sent = ctx.get("x-request-id");
    const requestId = /^[\w.:-]{1,64}$/.test(sent) ? sent : randomUUID();
    ctx.state.requestId = requestId;
    ctx.res.setHeader("X-Request-Id", requestId);
    ctx.res.setHeader("X-Content-Type-Options", "nosniff");
    if (isHttps) ctx.res.setHeader("Strict-Transport-Security", HTTPS_ONLY);
    await next();
    const ms = performance.now() - started;
    const operation = ctx.state.operation ?? "-";
    const { method, status } = ctx;
    const { keyId } = ctx.state;
    // A tool's error is sent with status 200.
    const outcome = ctx.state.toolStatus ?? status;
    if (keyId !== undefined) {
      // A long reply ends later; an event stream counts when it starts.
      if (ctx.body instanceof Readable && !ctx.res.closed) {
        ctx.res.once("close", () => onAnswer(keyId, outcome, performance.now() - started));
      } else onAnswer(keyId, outcome, ms);
    }
    onRequest({ operation, method, status, ms });
    // Probes come every few seconds and carry no information.
    const level = PROBES.includes(ctx.path) && status === 200 ? "debug" : "info";
    log[level](
      {
        request_id: requestId,
        method,
        path: loggedPath(ctx.path),
        operation,
        status,
        ms: Math.round(ms * 10) / 10,
        key_id: ctx.state.keyId,
      },
      `${method} ${operation} ${status}`,
    );
  };
}

function problems({ runtime, log, isUnavailable, problemPage }: AppOptions): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const problem = problemOf(error, {
        baseUrl: runtime.settings.baseUrl,
        requestId: ctx.state.requestId,
        log,
        isUnavailable,
      });
      ctx.status = problem.status;
      ctx.set(problem.headers);
      ctx.set("Cache-Control", "no-store");
      ctx.vary("Accept");
      ctx.body = problem.body;
      problemPage(ctx, problem.refusal);
      if (problem.status >= 500) ctx.state.cause = error instanceof Refusal ? error.code : "fault";
    }
  };
}

function operationCalls({ runtime, onCaller }: AppOptions, router: OperationRouter): Middleware {
  return async (ctx: Context, next: Next) => {
    const bound = router.find(ctx.method === "HEAD" ? "GET" : ctx.method, ctx.path);
    if (!bound) {
      const allowed = router.methods(ctx.path);
      return allowed.length > 0 ? otherMethod(ctx, allowed) : next();
    }
    ctx.state.operation = bound.operation.id;
    ctx.res.setHeader("Cache-Control", "no-store");
    const { deprecated } = bound.operation;
    if (deprecated) ctx.set(deprecationHeaders(deprecated, runtime.settings.baseUrl));
    return answer(ctx, bound, runtime, (keyId) => {
      ctx.state.keyId = keyId;
      onCaller(keyId, ctx.ip);
    });
  };
}

/** Fallback for paths without an operation: a wrong method for a page, or an unknown path. */
function nothingHere(router: Router, nearest: NearestPath): Middleware {
  return async (ctx, next) => {
    if (ctx.body !== undefined || ctx.respond === false || ctx.status !== 404) return next();
    const layers = router.match(ctx.path, ctx.method).path;
    const allowed = [...new Set(layers.flatMap((layer) => layer.methods))].filter((method) => method !== "HEAD");
    if (allowed.length > 0) return otherMethod(ctx, allowed);
    const meant = nearest(ctx.path, ctx.method);
    const hint = meant ? ` Did you mean ${meant.template}, with ${meant.methods.join(", ")}?` : "";
    refuse("not_found", {
      ...(meant ? { did_you_mean: meant.template, methods: meant.methods } : {}),
      message: `There is nothing at ${ctx.path.slice(0, 200)}.${hint} The API reference is at /docs, and programs start at /llms.txt.`,
    });
  };
}

function otherMethod(ctx: Context, allowed: string[]): void {
  const allow = [...allowed, ...(allowed.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
  if (ctx.method !== "OPTIONS") {
    const message = `${ctx.method} does not work at this path. Its methods are ${allow}.`;
    refuse("method_not_allowed", { message, headers: { Allow: allow }, allowed });
  }
  ctx.set("Allow", allow);
  ctx.status = 204;
}
