import { Readable } from "node:stream";
import findMyWay, { type HTTPMethod } from "find-my-way";
import type { Context } from "koa";
import { refuse } from "../../domain/kernel/errors.ts";
import { own } from "../../domain/kernel/own.ts";
import type { Call, LongReply, Rate, Runtime } from "../engine/call.ts";
import { execute } from "../engine/execute.ts";
import { readIdempotencyKey } from "../engine/idempotency.ts";
import type { Operation } from "../engine/operation.ts";
import { readJson } from "./body.ts";
import { callerOf } from "./caller.ts";
import { reserveReply } from "./memory.ts";
import { sendStream } from "./send-stream.ts";

/** Maps operations to HTTP. A radix tree finds them, so routing costs the same however many there are. */

export type Bound = {
  operation: Operation;
  params: Record<string, string>;
  /** The GET operation of the same path. */
  reading: Operation | null;
};

export type OperationRouter = {
  find(method: string, path: string): Bound | null;
  /** Methods that the path supports. Empty if the path is unknown. */
  methods(path: string): string[];
};

const PREFIXES = ["", "/api"];
const METHODS: HTTPMethod[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

export function routerOf(operations: readonly Operation[]): OperationRouter {
  const router = findMyWay({ maxParamLength: 512, ignoreTrailingSlash: true });
  for (const operation of operations) {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ":$1");
    for (const prefix of PREFIXES) {
      // Paths outside /v1 have no /api alias.
      if (prefix && !path.startsWith("/v1")) continue;
      router.on(operation.method, prefix + path, () => {}, { operation });
    }
  }
  const readings = new Map(operations.filter(({ method }) => method === "GET").map((one) => [one.path, one]));
  const find = (method: string, path: string): Bound | null => {
    const found = router.find(method as HTTPMethod, path);
    const params = (found?.params ?? {}) as Record<string, string>;
    // No object's name contains %00, and Postgres rejects it.
    if (!found || Object.values(params).some((value) => value.includes("\0"))) return null;
    const { operation } = found.store as { operation: Operation };
    return { operation, params, reading: readings.get(operation.path) ?? null };
  };
  return { find, methods: (path) => METHODS.filter((method) => find(method, path)) };
}

/** Runs a bound operation for an HTTP request. */
export async function answer(
  ctx: Context,
  { operation, params, reading }: Bound,
  runtime: Runtime,
  onCaller: (keyId: string) => void,
): Promise<void> {
  let query: Record<string, string> | undefined;
  let closed: AbortSignal | undefined;
  const call: Call = {
    ...callerOf(ctx),
    secret: readCredential(ctx),
    path: ctx.path,
    params,
    // Parsed on first access, after the caller is admitted, so that 401 and 404 come before errors in the query or
    // headers.
    get query() {
      query ??= readQuery(ctx);
      return query;
    },
    get idempotencyKey() {
      return operation.writes ? readIdempotencyKey(ctx.get("idempotency-key") || undefined) : null;
    },
    reading,
    ifMatch: operation.writes ? ctx.get("if-match") : "",
    ifNoneMatch: operation.writes ? "" : ctx.get("if-none-match"),
    headers: (name) => ctx.req.headersDistinct[name] ?? [],
    get closed() {
      closed ??= closedSignal(ctx);
      return closed;
    },
    lenient: /(^|[\s,;])handling\s*=\s*"?lenient/i.test(ctx.get("prefer")),
    readBody: (maxBytes, anyJson) => readJson(ctx, maxBytes, anyJson),
    onRate: (rate) => setRateHeaders(ctx, rate),
    onCaller,
  };
  const reply = await execute(operation, runtime, call);
  // RFC 7240: the reply says which preference was honoured, and that it depends on it.
  addVary(ctx, "Prefer");
  if (call.lenient) ctx.set("Preference-Applied", "handling=lenient");
  send(ctx, reply);
}

function send(ctx: Context, reply: LongReply): void {
  ctx.status = reply.status;
  // Not by Koa, which would look each of them up in its tables.
  ctx.res.setHeader("Content-Type", "application/json; charset=utf-8");
  const { headers } = reply;
  for (const name in headers) {
    const value = own(headers, name)!;
    if (name === "Vary") addVary(ctx, value);
    else ctx.res.setHeader(name, value);
  }
  if (isText(reply.body)) {
    reserveReply(ctx, reply.body.length);
    ctx.body = reply.body;
    return;
  }
  if ("start" in reply.body) {
    sendStream(ctx, reply.body);
    return;
  }
  // Koa reads a body as fast as the client receives it, and destroys it if the client disconnects.
  // Koa and the pipeline add six to our own four. They end with the reply.
  ctx.res.setMaxListeners(20);
  ctx.body = Readable.from(reply.body, { objectMode: false });
}

/** Replies to other sites vary with the origin, too. */
function addVary(ctx: Context, name: string): void {
  if (ctx.res.getHeader("Vary") === "Origin") ctx.res.setHeader("Vary", `Origin, ${name}`);
  else ctx.vary(name);
}

const isText = (body: LongReply["body"]): body is string | Buffer => typeof body === "string" || Buffer.isBuffer(body);

export function closedSignal(ctx: Context): AbortSignal {
  const closed = new AbortController();
  if (ctx.res.closed) closed.abort();
  else ctx.res.once("close", () => closed.abort());
  return closed.signal;
}

/** `Authorization: Bearer` (RFC 6750) or `X-Api-Key`. The latter wins, because payments use Authorization. */
export function readCredential(ctx: Context): string | null {
  const key = ctx.get("x-api-key");
  if (key) return key.trim();
  const header = ctx.get("authorization");
  if (!header) return null;
  return /^Bearer +(\S+) *$/i.exec(header)?.[1] ?? "";
}

function readQuery(ctx: Context): Record<string, string> {
  // Without a prototype, so that a parameter named __proto__ is an ordinary one.
  const query: Record<string, string> = Object.create(null);
  if (ctx.querystring === "") return query;
  for (const [name, value] of Object.entries(ctx.query)) {
    if (value === undefined) continue;
    // A parameter that is sent several times becomes a comma-separated list.
    const text = Array.isArray(value) ? value.join(",") : value;
    if (text.includes("\0") || text.length > 4_000) {
      refuse("invalid_parameter", { message: `${name.slice(0, 100)} is not valid.`, parameter: name.slice(0, 100) });
    }
    query[name] = text;
  }
  return query;
}

/** Sets both the common X-RateLimit-* headers and those of the IETF draft. */
export function setRateHeaders(ctx: Context, { limit, remaining, resetSeconds }: Rate): void {
  ctx.res.setHeader("X-RateLimit-Limit", limit);
  ctx.res.setHeader("X-RateLimit-Remaining", remaining);
  ctx.res.setHeader("X-RateLimit-Reset", Math.floor(Date.now() / 1000) + resetSeconds);
  ctx.res.setHeader("RateLimit-Policy", `"key";q=${limit};w=60`);
  ctx.res.setHeader("RateLimit", `"key";r=${remaining};t=${resetSeconds}`);
}
