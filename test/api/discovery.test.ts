import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { startMailbox } from "../support/mailbox.ts";
import { servePublicly } from "../support/oauth.ts";
import { type World, world } from "../support/world.ts";

/** The documents for programs: each can be found from the home page, and what they say agrees. */

// Without mail, nobody can sign in.
await startMailbox();
const baseUrl = await servePublicly();
const here: World = await world();

// biome-ignore lint/suspicious/noExplicitAny: tests look into documents freely
type Json = any;

const DOCUMENTS = [
  "/llms.txt",
  "/auth.md",
  "/openapi.json",
  "/api/v1/openapi.json",
  "/api/mpp/v1/openapi.json",
  "/.well-known/agent-card.json",
  "/.well-known/mcp/server-card.json",
  "/.well-known/api-catalog",
  "/.well-known/ucp",
  "/.well-known/acp.json",
  "/.well-known/oauth-authorization-server",
  "/.well-known/oauth-protected-resource",
  "/.well-known/oauth-protected-resource/v1",
  "/.well-known/oauth-protected-resource/api/mcp/v1",
];

const ALIASES = ["/v1", "/api/v1", "/api/mpp/v1", "/.well-known/mcp.json", "/api/mcp/v1/server-card"];

const json = async (path: string): Promise<Json> => (await fetch(baseUrl + path)).json();

test.each([...DOCUMENTS, ...ALIASES])("%s is public, cacheable and the same for every host", async (path) => {
  const got = await fetch(baseUrl + path, { redirect: "error", headers: { origin: "https://a.test" } });
  const text = await got.text();
  expect(got.status, text).toBe(200);
  const etag = got.headers.get("etag")!;
  expect(got.headers.get("cache-control")).toBe("public, max-age=300");
  expect(got.headers.get("access-control-allow-origin")).toBe("*");
  expect(text).toContain(baseUrl);

  const head = await fetch(baseUrl + path, { method: "HEAD" });
  expect([head.status, head.headers.get("etag"), await head.text()]).toEqual([200, etag, ""]);
  expect(head.headers.get("content-type")).toBe(got.headers.get("content-type"));
  const again = await fetch(baseUrl + path, { headers: { "if-none-match": etag, "cache-control": "max-age=0" } });
  expect(again.status).toBe(304);
  const forged = { "x-forwarded-host": "evil.test", forwarded: "host=evil.test" };
  expect(await (await fetch(baseUrl + path, { headers: forged })).text()).toBe(text);
  const posted = await fetch(baseUrl + path, { method: "POST" });
  expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
});

/** Addresses of ours in a document. Those that continue with a placeholder are templates, and cannot be followed. */
function linksIn(text: string, headers: Headers): string[] {
  const absolute = new RegExp(`${baseUrl}[^\\s"'\`()\\\\,;]*`, "g");
  const found = [...text.matchAll(absolute)]
    .map(([link]) => link)
    .filter((link) => !/[<{]/.test(link))
    .map((link) => link.replace(/[.:]+$/, ""));
  const isHtml = /html/.test(headers.get("content-type") ?? "");
  const relative = isHtml ? [...text.matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(([, path]) => baseUrl + path) : [];
  const isMarkdown = /markdown/.test(headers.get("content-type") ?? "");
  const beside = isMarkdown ? [...text.matchAll(/\]\(([\w-]+\.\w+)\)/g)].map(([, file]) => `${baseUrl}/${file}`) : [];
  const inHeader = [...(headers.get("link") ?? "").matchAll(/<([^>]+)>/g)].map(([, path]) => baseUrl + path);
  return [...found, ...relative, ...beside, ...inHeader].map((link) => link.replace(/#.*$/, ""));
}

const READABLE = /^(application\/([\w.-]+\+)?json|text\/(plain|markdown|html))/;

test("from the home page, links lead to every document, and no link is broken", async () => {
  const waiting = [`${baseUrl}/`];
  const seen = new Set(waiting);
  const broken: string[] = [];
  for (let address = waiting.shift(); address; address = waiting.shift()) {
    const reply = await fetch(address, { redirect: "manual" });
    const text = await reply.text();
    if (reply.status === 401)
      expect(reply.headers.get("www-authenticate"), address).toMatch(/^Bearer .*resource_metadata=/);
    // Without parameters there is nothing to authorize. Pages of a workspace ask people to sign in.
    const { pathname } = new URL(address);
    const expected = [200, 401, 402, 405, ...(pathname === "/api/oauth/authorize" ? [400] : [])];
    if (pathname.startsWith("/w/")) expected.push(303);
    if (!expected.includes(reply.status)) broken.push(`${address} ${reply.status}`);
    if (reply.status !== 200 || !READABLE.test(reply.headers.get("content-type") ?? "")) continue;
    for (const link of linksIn(text, reply.headers)) {
      if (seen.has(link)) continue;
      seen.add(link);
      waiting.push(link);
    }
  }
  expect(broken).toEqual([]);
  expect([...DOCUMENTS, "/changelog.md", "/webhooks.md"].filter((path) => !seen.has(baseUrl + path))).toEqual([]);
});

test("the documents agree on issuer, endpoints and scopes", async () => {
  const server = await json("/.well-known/oauth-authorization-server");
  const description = await json("/api/v1/openapi.json");
  const card = await json("/.well-known/agent-card.json");
  const guide = await (await fetch(`${baseUrl}/auth.md`)).text();
  expect(server.issuer).toBe(baseUrl);
  for (const resource of ["", "/v1", "/api/mcp/v1"]) {
    const metadata = await json(`/.well-known/oauth-protected-resource${resource}`);
    expect(metadata).toMatchObject({ resource: baseUrl + resource, authorization_servers: [baseUrl] });
    expect(server.scopes_supported).toEqual(expect.arrayContaining(metadata.scopes_supported));
  }
  const { authorizationCode } = description.components.securitySchemes.oauth2.flows;
  const carded = card.securitySchemes.oauth2.oauth2SecurityScheme;
  for (const flow of [authorizationCode, carded.flows.authorizationCode]) {
    expect(flow).toMatchObject({
      authorizationUrl: server.authorization_endpoint,
      tokenUrl: server.token_endpoint,
    });
    expect(server.scopes_supported).toEqual(expect.arrayContaining(Object.keys(flow.scopes)));
  }
  expect(carded.oauth2MetadataUrl).toBe(`${baseUrl}/.well-known/oauth-authorization-server`);
  for (const endpoint of ["registration", "authorization", "token", "revocation"])
    expect(guide).toContain(server[`${endpoint}_endpoint`]);
  expect(server.agent_auth).toMatchObject({
    register_uri: server.registration_endpoint,
    claim_uri: server.authorization_endpoint,
    revocation_uri: server.revocation_endpoint,
    skill: `${baseUrl}/auth.md`,
  });
});

test("the documents agree on the tool server, names and versions, and the tool server confirms them", async () => {
  const card = await json("/.well-known/mcp/server-card.json");
  const agent = await json("/.well-known/agent-card.json");
  const catalog = await json("/.well-known/api-catalog");
  const description = await json("/api/v1/openapi.json");
  const server = await json("/.well-known/oauth-authorization-server");
  const [remote] = card.remotes;
  expect(remote).toMatchObject({ type: "streamable-http", url: `${baseUrl}/api/mcp/v1` });
  expect(agent.supportedInterfaces[0].url).toBe(remote.url);
  expect(server.protected_resources).toContain(remote.url);
  expect(catalog.linkset.map(({ anchor }: Json) => anchor)).toContain(remote.url);
  expect(await (await fetch(`${baseUrl}/llms.txt`)).text()).toContain(remote.url);
  expect([card.title, agent.name]).toEqual([description.info.title, description.info.title]);
  expect([card.version, agent.version]).toEqual([description.info.version, description.info.version]);

  const client = new Client({ name: "reader", version: "1" });
  const requestInit = { headers: { authorization: `Bearer ${here.owner.key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(remote.url), { requestInit }));
  expect(client.getServerVersion()).toMatchObject({ title: card.title, version: card.version });
  await client.close();
  for (const version of remote.supportedProtocolVersions.filter((one: string) => one < "2026")) {
    const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: "reader", version: "1" } };
    const message = { jsonrpc: "2.0", id: 1, method: "initialize", params };
    const reply = await here.owner.post("/api/mcp/v1", message).expect(200);
    expect(reply.body.result.protocolVersion).toBe(version);
  }
});

test("the agent card has what A2A requires, and no interface of A2A", async () => {
  const card = await json("/.well-known/agent-card.json");
  for (const field of ["name", "description", "version"]) expect(card[field], field).toMatch(/./);
  for (const field of ["defaultInputModes", "defaultOutputModes", "skills", "supportedInterfaces"])
    expect(card[field].length, field).toBeGreaterThan(0);
  for (const { url, protocolBinding, protocolVersion } of card.supportedInterfaces) {
    expect(url).toContain(baseUrl);
    expect(["JSONRPC", "GRPC", "HTTP+JSON"]).not.toContain(protocolBinding);
    expect(protocolVersion).toMatch(/./);
  }
  for (const skill of card.skills)
    expect(skill).toMatchObject({
      id: expect.stringMatching(/^[a-z-]+$/),
      name: expect.any(String),
      description: expect.any(String),
      tags: expect.arrayContaining([expect.any(String)]),
    });
});

test("the server card has the form of its schema", async () => {
  const reply = await fetch(`${baseUrl}/.well-known/mcp/server-card.json`);
  expect(reply.headers.get("content-type")).toMatch(/^application\/mcp-server-card\+json/);
  const card = (await reply.json()) as Json;
  expect(card.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  expect(card.description.length).toBeLessThanOrEqual(100);
});

test("the catalog is a linkset that describes each of its items", async () => {
  const reply = await fetch(`${baseUrl}/.well-known/api-catalog`);
  expect(reply.headers.get("content-type")).toBe(
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  );
  expect(reply.headers.get("link")).toContain('</.well-known/api-catalog>; rel="api-catalog"');
  const { linkset } = (await reply.json()) as Json;
  const items = linkset[0].item.map(({ href }: Json) => href);
  expect(items).toEqual([`${baseUrl}/v1`, `${baseUrl}/api/mcp/v1`, `${baseUrl}/api/mpp/v1`]);
  expect(linkset.slice(1).map(({ anchor }: Json) => anchor)).toEqual(items);
  for (const api of linkset.slice(1)) {
    for (const relation of ["service-desc", "service-doc", "service-meta", "status"]) {
      for (const { href, type } of api[relation]) {
        const linked = await fetch(href);
        expect(linked.headers.get("content-type"), href).toContain(type);
      }
    }
  }
});

test("what is for sale costs the same in all documents", async () => {
  const [full, offers] = [await json("/api/mpp/v1/openapi.json"), await json("/openapi.json")];
  const guide = await (await fetch(`${baseUrl}/llms.txt`)).text();
  for (const [path, { post }] of Object.entries<Json>(full.paths)) {
    const { offers: mine, ...price } = post["x-payment-info"];
    expect(mine).toEqual([price]);
    expect(offers.paths[path].post["x-payment-info"]).toEqual({ offers: mine });
    const { status, body } = await here.owner.post(path, path.endsWith("custom") ? { credits: 500 } : undefined);
    expect(status).toBe(402);
    expect(body.challenge.request ?? body.challenge).toBeTruthy();
    expect(guide).toContain(`${baseUrl}${path}\`: ${price.description}`);
    if (!path.endsWith("custom")) expect(guide).toContain(`${(Number(price.amount) / 100).toFixed(2)} USD`);
    expect(JSON.stringify(body.challenge)).toContain(price.amount);
  }
  const shop = await json("/.well-known/acp.json");
  expect(shop).toMatchObject({ protocol: { name: "acp" }, api_base_url: `${baseUrl}/api/mpp/v1` });
  expect(shop.capabilities.services).toEqual([]);
  const [[service]] = Object.values<Json>((await json("/.well-known/ucp")).ucp.services);
  expect(service.endpoint).toBe(shop.api_base_url);
});
