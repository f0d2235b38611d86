import type Router from "@koa/router";
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Context } from "koa";
import { refuse } from "../../domain/kernel/errors.ts";
import { looksLikeSecret } from "../../domain/kernel/secrets.ts";
import type { Runtime } from "../engine/call.ts";
import type { Operation } from "../engine/operation.ts";
import { readJson } from "../http/body.ts";
import { reserveReply } from "../http/memory.ts";
import { admitOwnHost } from "../http/own-host.ts";
import { TOOL_SERVER } from "../oauth/resources.ts";
import { refuseArgument } from "./arguments.ts";
import { callablesOf } from "./callable.ts";
import { type Exchange, exchangeOf, identifyCaller, type ToolServerOptions } from "./exchange.ts";
import { serverFor } from "./mcp-server.ts";
import type { Tool } from "./tool.ts";
import { toolsOf } from "./tools.ts";

/**
 * The tool server, which speaks the Model Context Protocol over streamable HTTP. It has no sessions: each request is
 * complete in itself and may reach any process.
 */

/** The longest request, in bytes. */
const MAX_BYTES = 1024 * 1024;
/** Longer requests, and those of unknown length, are read only from known callers. In bytes. */
const SMALL = 64 * 1024;
/** The longest id of a message, in characters: it is sent back. */
const MAX_ID = 200;

/** Describing all operations takes long. What a process has described it uses again, in tests for hundreds of servers. */
const described = new WeakMap<readonly Operation[], readonly Tool[]>();

function toolsFor(operations: readonly Operation[]): readonly Tool[] {
  const tools = described.get(operations) ?? toolsOf(callablesOf(operations));
  described.set(operations, tools);
  return tools;
}

export function toolServer(options: ToolServerOptions): (router: Router) => void {
  const tools = toolsFor(options.operations);
  const exchanges = new WeakMap<Request, Exchange>();
  // Clients of the revision 2026-07-28 send everything with each request.
  const handler = createMcpHandler(({ requestInfo }) => serverFor(exchanges.get(requestInfo!)!, tools), {
    legacy: "reject",
    // Nothing is announced, so nobody can subscribe.
    maxSubscriptions: 0,
  });

  async function answer(exchange: Exchange, request: Request, message: unknown): Promise<Response> {
    exchanges.set(request, exchange);
    if (!(await isLegacyRequest(request, message))) return handler.fetch(request, { parsedBody: message });
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    const server = serverFor(exchange, tools);
    await server.connect(transport);
    const response = await transport.handleRequest(request, { parsedBody: message });
    await server.close();
    return response;
  }

  return (router) => {
    router.all(TOOL_SERVER, async (ctx) => {
      ctx.state.operation = "tool-server";
      // The protocol asks servers to check the origin. A page of any site may call, but not under a name of its own.
      if (ctx.get("origin") !== "" && !admitOwnHost(ctx, { baseUrl: options.runtime.settings.baseUrl, more: [] }))
        return;
      const exchange = exchangeOf(ctx, options);
      if (ctx.method !== "POST") {
        await identifyCaller(exchange);
        refuse("method_not_allowed", { headers: { Allow: "POST, OPTIONS" }, allowed: ["POST", "OPTIONS"] });
      }
      const message = await readMessage(ctx, exchange);
      const response = await answer(exchange, requestOf(ctx, options.runtime), message);
      if (exchange.refusal) throw exchange.refusal;
      // A call of a tool that the protocol's own checks refused has reached no tool.
      if (!exchange.isKnown && !exchange.hasFailed) await identifyCaller(exchange);
      await send(ctx, response);
    });
  };
}

/**
 * The message in the body. Its sender is identified, unless it calls a tool: then the call does so.
 * @throws Refusal unauthorized, rate_limited, and as `readJson`
 */
async function readMessage(ctx: Context, exchange: Exchange): Promise<unknown> {
  const { secret } = exchange;
  const isSmall = Number(ctx.get("content-length") || Number.NaN) <= SMALL;
  if (!isSmall || secret === null || !looksLikeSecret(secret)) exchange.located = await identifyCaller(exchange);
  const { text, value } = await readJson(ctx, MAX_BYTES);
  exchange.text = text;
  const { method, id } = (value ?? {}) as { method?: unknown; id?: unknown };
  if (method !== "tools/call") exchange.located ??= await identifyCaller(exchange);
  if (typeof id === "string" && id.length > MAX_ID) {
    refuseArgument("id", "too_long", `must have at most ${MAX_ID} characters`);
  }
  return value;
}

function requestOf({ req }: Context, { settings }: Runtime): Request {
  const headers = new Headers({
    "Content-Type": "application/json",
    // The reply is always one JSON object, so it suits clients that do not list both types, too.
    Accept: "application/json, text/event-stream",
  });
  for (const [name, value] of Object.entries(req.headers)) {
    if (name.startsWith("mcp-") && typeof value === "string") headers.set(name, value);
  }
  return new Request(settings.baseUrl + TOOL_SERVER, { method: "POST", headers });
}

async function send(ctx: Context, response: Response): Promise<void> {
  ctx.status = response.status;
  const text = await response.text();
  if (text === "") {
    ctx.body = null;
    ctx.status = response.status;
    return;
  }
  ctx.type = response.headers.get("content-type") ?? "application/json";
  ctx.set("Cache-Control", "no-store");
  reserveReply(ctx, text.length);
  ctx.body = text;
}
