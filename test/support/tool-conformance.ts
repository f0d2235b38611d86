import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/**
 * Runs the protocol's own conformance suite against the tool server of `npm run dev`, which must be running. The suite
 * cannot send a credential, so a proxy adds one. npx fetches the suite: it needs many packages that nothing else does.
 */

const SUITE = "@modelcontextprotocol/conformance@0.1.16";
/** What a server with only tools and without sessions has to serve. The others call tools, prompts and resources of the suite. */
const SCENARIOS = ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"];

type Dev = { base_url: string; api_key: string };
const { base_url, api_key }: Dev = JSON.parse(readFileSync(join(process.env.DATA_DIR ?? ".data", "dev.json"), "utf8"));

const proxy = createServer((given, reply) => {
  const headers = { ...given.headers, authorization: `Bearer ${api_key}` };
  const passed = request(new URL(given.url!, base_url), { method: given.method!, headers }, (answer) => {
    reply.writeHead(answer.statusCode!, answer.headers);
    answer.pipe(reply);
  });
  passed.on("error", () => reply.destroy());
  given.pipe(passed);
});
await once(proxy.listen(0, "127.0.0.1"), "listening");
const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/api/mcp/v1`;

for (const scenario of SCENARIOS) {
  const parameters = ["--yes", SUITE, "server", "--url", url, "--scenario", scenario];
  const [code] = await once(spawn("npx", parameters, { stdio: "inherit" }), "exit");
  if (code !== 0) process.exitCode = 1;
}
proxy.close();
proxy.closeAllConnections();
