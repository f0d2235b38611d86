import type { Client } from "./client.ts";

/** Calls of the tool server, as JSON-RPC over plain HTTP. */

export const TOOL_SERVER = "/api/mcp/v1";

export type ToolResult = {
  isError?: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of all kinds
  structuredContent: any;
  content: { type: string; text: string }[];
};

/** Sends one message. Returns the reply of HTTP. */
export const send = (client: Client, method: string, params: object = {}) =>
  client.post(TOOL_SERVER, { jsonrpc: "2.0", id: 1, method, params });

/** Calls a tool. Returns its result. */
export async function callTool(client: Client, name: string, given: object = {}): Promise<ToolResult> {
  const { body } = await send(client, "tools/call", { name, arguments: given }).expect(200);
  return body.result;
}

/** Calls a tool that succeeds. Returns its answer. */
export async function useTool(client: Client, name: string, given: object = {}) {
  const { isError, structuredContent } = await callTool(client, name, given);
  if (isError) throw new Error(`${name}: ${JSON.stringify(structuredContent)}`);
  return structuredContent;
}

/** Calls a tool that fails. Returns the error. */
export async function failTool(client: Client, name: string, given: object = {}) {
  const { isError, structuredContent } = await callTool(client, name, given);
  if (!isError) throw new Error(`${name} has succeeded: ${JSON.stringify(structuredContent).slice(0, 500)}`);
  return structuredContent.error;
}

export async function toolNames(client: Client): Promise<string[]> {
  const { body } = await send(client, "tools/list").expect(200);
  return body.result.tools.map(({ name }: { name: string }) => name);
}
