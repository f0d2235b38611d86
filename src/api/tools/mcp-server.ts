import {
  type CallToolResult,
  type Tool as ListedTool,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from "@modelcontextprotocol/server";
import type { Refusal } from "../../domain/kernel/errors.ts";
import { MUSTER } from "../discovery/facts.ts";
import { type Arguments, refuseArgument } from "./arguments.ts";
import { type Exchange, identifyCaller } from "./exchange.ts";
import { errorResult, resultOf } from "./results.ts";
import type { Tool } from "./tool.ts";

/** How OAuth access tokens begin. */
const ACCESS_TOKEN = "oat_";

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
    { name: "muster", title: MUSTER.name, version: MUSTER.version, websiteUrl: baseUrl },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler("tools/list", () => {
    const shown = tools.filter((tool) => tool.isFor(exchange.runtime, exchange.located!));
    return { tools: shown.map(listed) };
  });
  server.setRequestHandler("tools/call", ({ params }) =>
    callTool(exchange, tools, params.name, params.arguments ?? {}),
  );
  return server;
}

/** A tool as `tools/list` shows it. */
export const listed = ({ name, title, description, inputSchema, annotations }: Tool) => ({
  name,
  title,
  description,
  inputSchema: inputSchema as ListedTool["inputSchema"],
  annotations,
});

async function callTool(
  exchange: Exchange,
  tools: readonly Tool[],
  name: string,
  given: Arguments,
): Promise<CallToolResult> {
  try {
    const tool = tools.find((one) => one.name === name);
    if (tool) exchange.onTool(name);
    if (tool?.isClosed) refuseUnknown(tool, given);
    if (tool) return resultOf(await tool.run(exchange, given));
    await identifyCaller(exchange);
  } catch (error) {
    const refusal = await ofKnownCaller(exchange, exchange.refusalOf(error));
    exchange.onError(refusal.status);
    if (!isForClient(exchange, refusal)) return errorResult(refusal);
    exchange.refusal = refusal;
  }
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, 100)}`);
}

/** An error in the arguments is told only to callers with a valid credential. */
async function ofKnownCaller(exchange: Exchange, refusal: Refusal): Promise<Refusal> {
  if (exchange.isKnown || refusal.status !== 400) return refusal;
  try {
    await identifyCaller(exchange);
    return refusal;
  } catch (error) {
    return exchange.refusalOf(error);
  }
}

/**
 * Whether an error answers the whole request, because the client and not the model can do something about it: sign in, or
 * ask for more scopes. Only a person can give a key more scopes.
 */
const isForClient = ({ secret }: Exchange, error: Refusal): boolean =>
  error.is("unauthorized") || (error.is("insufficient_scope") && secret!.startsWith(ACCESS_TOKEN));

function refuseUnknown({ inputSchema }: Tool, given: Arguments): void {
  const known = Object.keys(inputSchema.properties as object);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  refuseArgument(unknown.slice(0, 100), "unknown_field", `is unknown. The arguments are ${known.join(", ")}`);
}
