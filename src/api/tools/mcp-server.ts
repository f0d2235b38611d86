import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import type { Refusal } from "../../domain/kernel/errors.ts";
import { type Exchange, identifyCaller } from "./exchange.ts";
import { errorResult, resultOf } from "./results.ts";
import type { Tool } from "./tool.ts";

const INSTRUCTIONS = `
Muster manages projects, issues, docs and agent sessions of one workspace: the one that your credential belongs to.
Begin with whoami, then list_projects. Whatever has no tool of its own, find_operation finds, describe_operation
explains and call_operation calls. Lists have pages: send next_cursor as cursor. Send an idempotency_key with each
change, so that you can retry it. An error says what to do next.
`.trim();

/** The protocol server of one request. Nothing of it outlives the request. */
export function serverFor(exchange: Exchange, tools: readonly Tool[]): Server {
  const { baseUrl } = exchange.runtime.settings;
  const server = new Server(
    { name: "muster", title: "Muster", version: "1.0.0", websiteUrl: baseUrl },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler("tools/list", () => {
    const shown = tools.filter((tool) => tool.isFor(exchange.runtime, exchange.located!));
    return { tools: shown.map(({ isFor: _, run: __, ...tool }) => tool as never) };
  });
  server.setRequestHandler("tools/call", ({ params }) =>
    callTool(exchange, tools, params.name, params.arguments ?? {}),
  );
  return server;
}

async function callTool(
  exchange: Exchange,
  tools: readonly Tool[],
  name: string,
  given: Record<string, unknown>,
): Promise<CallToolResult> {
  try {
    const tool = tools.find((one) => one.name === name);
    if (tool) return resultOf(await tool.run(exchange, given));
    await identifyCaller(exchange);
  } catch (error) {
    const refusal = exchange.refusalOf(error);
    if (!isForRequest(refusal)) return errorResult(refusal);
    exchange.refusal = refusal;
  }
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, 100)}`);
}

/** Whether an error answers the whole request, because the client and not the model can do something about it. */
const isForRequest = (error: Refusal) => error.is("unauthorized");
