import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, test } from "vitest";
import { type World, world } from "../support/world.ts";

/** The tools, called by both official clients over HTTP. */

async function connect(here: World, key: string) {
  const options = { requestInit: { headers: { authorization: `Bearer ${key}` } } };
  const address = new URL(`${here.app.baseUrl}/api/mcp/v1`);
  const newer = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await newer.connect(new StreamableHTTPClientTransport(address, options));
  const older = new OlderClient({ name: "test", version: "1" });
  await older.connect(new OlderTransport(address, options));
  return [newer, older] as const;
}

test("both clients list the tools and call them", async () => {
  const here = await world();
  for (const client of await connect(here, here.owner.key!)) {
    expect(client.getServerVersion()).toMatchObject({ name: "muster", title: "Muster" });
    expect(client.getInstructions()).toContain("whoami");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["whoami", "list_projects", "create_issue"]));
    const result = await client.callTool({ name: "create_issue", arguments: { project: "WEB", title: "From a tool" } });
    expect(result.structuredContent).toMatchObject({ data: { title: "From a tool" } });
    expect(JSON.parse((result.content as { text: string }[])[0]!.text)).toEqual(result.structuredContent);
  }
});
