import { request } from "node:http";
import { text } from "node:stream/consumers";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { browser } from "../support/browser.ts";
import { answerConsent, me, openConsent, REDIRECT, servePublicly } from "../support/oauth.ts";
import { world } from "../support/world.ts";

/** How clients reach the tool server: the challenge without a credential, and the methods of HTTP. */

const baseUrl = await servePublicly();
const PLACE = "/api/mcp/v1";

test("a caller without a valid credential learns how to get one", async () => {
  const { nobody, owner } = await world();
  const challenge = `Bearer realm="muster", resource_metadata="${baseUrl}/.well-known/oauth-protected-resource${PLACE}", scope="read write"`;
  for (const method of ["POST", "GET", "DELETE"]) {
    const reply = await nobody.call(method, PLACE).expect(401, "unauthorized");
    expect(reply.headers.get("www-authenticate")).toBe(challenge);
  }
  for (const authorization of [`Bearer ${owner.key}x`, "Basic abc", `Bearer wk_${"0".repeat(49)}`]) {
    const reply = await nobody.post(PLACE, {}, { headers: { authorization } }).expect(401, "unauthorized");
    expect(reply.headers.get("www-authenticate")).toBe(`${challenge}, error="invalid_token"`);
  }
  const document = await fetch(`${baseUrl}/.well-known/oauth-protected-resource${PLACE}`);
  expect(await document.json()).toMatchObject({ resource: baseUrl + PLACE });
});

test("only POST is answered, and below the path there is nothing", async () => {
  const { owner } = await world();
  for (const method of ["GET", "DELETE"]) {
    const reply = await owner.call(method, PLACE).expect(405, "method_not_allowed");
    expect(reply.headers.get("allow")).toBe("POST, OPTIONS");
  }
  await owner.get(`${PLACE}/nothing`).expect(404, "not_found");
});

test("a page that points a name of its own at the service reaches no tool, while other pages do", async () => {
  const { owner } = await world();
  const { port } = new URL(baseUrl);
  const ping = (headers: Record<string, string>) =>
    new Promise<{ status: number; body: string }>((resolve, reject) => {
      const common = { authorization: `Bearer ${owner.key}`, "content-type": "application/json" };
      const options = { host: "127.0.0.1", port, path: PLACE, method: "POST", headers: { ...common, ...headers } };
      request(options, async (reply) => resolve({ status: reply.statusCode!, body: await text(reply) }))
        .on("error", reject)
        .end(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }));
    });
  for (const host of ["evil.example", `evil.example:${port}`, "localhost.evil.example"]) {
    const refused = await ping({ host, origin: `http://${host}` });
    expect(refused.status, host).toBe(421);
    expect(refused.body).toContain(baseUrl);
  }
  for (const host of [`localhost:${port}`, `127.0.0.1:${port}`]) {
    expect((await ping({ host, origin: "https://app.example" })).status, host).toBe(200);
  }
  // Programs send no Origin, and may use the name of a container.
  expect((await ping({ host: `web:${port}` })).status).toBe(200);
});

test("the MCP SDK's transport starts OAuth by itself and returns with a token", async () => {
  const here = await world();
  const kept: { address?: URL; client?: object; tokens?: { access_token: string }; verifier?: string } = {};
  const authProvider = {
    redirectUrl: REDIRECT,
    clientMetadata: { client_name: "MCP host", redirect_uris: [REDIRECT] },
    clientInformation: () => kept.client,
    saveClientInformation: (client: object) => void Object.assign(kept, { client }),
    tokens: () => kept.tokens,
    saveTokens: (tokens: object) => void Object.assign(kept, { tokens }),
    redirectToAuthorization: (address: URL) => void Object.assign(kept, { address }),
    saveCodeVerifier: (verifier: string) => void Object.assign(kept, { verifier }),
    codeVerifier: () => kept.verifier,
  };
  const transport = () =>
    new StreamableHTTPClientTransport(new URL(baseUrl + PLACE), { authProvider: authProvider as never });
  const client = () => new Client({ name: "host", version: "1" });
  const first = transport();
  await expect(client().connect(first)).rejects.toThrow(/unauthorized/i);
  expect(kept.address!.searchParams.get("resource")).toBe(baseUrl + PLACE);
  expect(kept.address!.searchParams.get("scope")).toBe("read write");

  const visitor = await browser(here.app, here.owner.userId);
  const { path } = await openConsent(visitor, String(kept.address));
  const back = await answerConsent(visitor, path, here);
  await first.finishAuth(back.searchParams);
  expect((await me(here, kept.tokens!.access_token)).status).toBe(200);
  const signedIn = client();
  await signedIn.connect(transport());
  const { structuredContent } = await signedIn.callTool({ name: "whoami", arguments: {} });
  expect(structuredContent).toMatchObject({ data: { workspace: { slug: here.workspace.slug } } });
});
