import { request as rawRequest } from "node:http";
import { expect, test } from "vitest";
import { REDIRECT, register, servePublicly } from "../support/oauth.ts";
import { type World, world } from "../support/world.ts";

const baseUrl = await servePublicly();

const GOOD = { client_name: "Robot", redirect_uris: [REDIRECT] };

test("a registration returns the allowed metadata and ignores the rest", async () => {
  const here = await world();
  const reply = await register(here, {
    client_name: "  Robot  ",
    workspace: here.workspace.slug,
    redirect_uris: [REDIRECT, "https://robot.example/cb", "cursor://anysphere.cursor/cb"],
    grant_types: ["authorization_code", "refresh_token", "client_credentials"],
    response_types: ["code"],
    token_endpoint_auth_method: "private_key_jwt",
    scope: "read write openid nonsense",
    application_type: "web",
    sector_identifier_uri: "http://127.0.0.1:1/",
    jwks_uri: "http://127.0.0.1:1/",
    client_secret: "mine",
    client_id: "mine",
  });
  expect(reply.status, reply.text).toBe(201);
  expect(reply.headers.get("cache-control")).toBe("no-store");
  expect(reply.body).toEqual({
    client_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    client_id_issued_at: expect.any(Number),
    client_name: "Robot",
    workspace: here.workspace.slug,
    redirect_uris: [REDIRECT, "https://robot.example/cb", "cursor://anysphere.cursor/cb"],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    scope: "read write",
  });
});

test("names in any script, and apps with their own or a known scheme, are accepted", async () => {
  const here = await world();
  const uris = ["org.example.robot:/cb", "org.example.robot-2://cb?x=1", "vscode-insiders://robot/cb", "CLAUDE://cb"];
  for (const client_name of ["Rob\u00f6ter", "\u673a\u5668\u4eba", "\u{1f916}", "C-3PO"]) {
    const reply = await register(here, { client_name, redirect_uris: uris });
    expect([reply.status, reply.body.client_name, reply.body.redirect_uris]).toEqual([201, client_name, uris]);
  }
});

test.each([
  [["https://robot.example/cb", REDIRECT], "robot.example"],
  [["https://robot.example:8443/cb"], "robot.example:8443"],
  [["https://r\u00f6bot.example/cb"], "xn--rbot-5qa.example"],
  [[`https://${"accounts.".repeat(12)}robot.example/cb`], /^…[a-z.]{65}\.robot\.example$/],
  [["http://127.0.0.1:8765/callback"], "Local program"],
  [["http://[::1]/callback", "https://robot.example/cb"], "Local program"],
  [["org.example.robot:/cb"], "org.example.robot"],
  [["cursor://anysphere.cursor/cb"], "cursor"],
])("a client with the redirects %j that leaves out its name is called %s", async (redirect_uris, name) => {
  const here = await world();
  for (const client_name of [undefined, null]) {
    const reply = await register(here, { client_name, redirect_uris });
    expect([reply.status, reply.body.redirect_uris], reply.text).toEqual([201, redirect_uris]);
    expect(reply.body.client_name).toEqual(typeof name === "string" ? name : expect.stringMatching(name));
    expect(reply.body.client_name.length).toBeLessThanOrEqual(80);
  }
});

test("missing metadata has defaults, and a secret is issued only on request", async () => {
  const { body } = await register(await world(), GOOD);
  expect(body).toMatchObject({
    grant_types: ["authorization_code", "refresh_token"],
    token_endpoint_auth_method: "none",
    scope: "read",
  });
  expect(body).not.toHaveProperty("client_secret");
  expect(body).not.toHaveProperty("workspace");
});

test("a secret is issued only on request, and shown once", async () => {
  const here = await world();
  const { body } = await register(here, { ...GOOD, token_endpoint_auth_method: "client_secret_post" });
  expect(body).toMatchObject({
    token_endpoint_auth_method: "client_secret_post",
    client_secret: expect.stringMatching(/^ocs_/),
    client_secret_expires_at: 0,
  });
  const [row] = await here.sql<{ row: string }>("select c::text as row from oauth_client c where id = $1", [
    body.client_id,
  ]);
  expect(row!.row).not.toContain(body.client_secret);
});

test("registering does not reveal whether the named workspace exists", async () => {
  const here = await world();
  const [known, unknown] = await Promise.all(
    [here.workspace.slug, "no-such-workspace"].map((workspace) => register(here, { ...GOOD, workspace })),
  );
  expect([known!.status, unknown!.status]).toEqual([201, 201]);
  expect(Object.keys(known!.body)).toEqual(Object.keys(unknown!.body));
});

test.each([
  "http://robot.example/cb",
  "http://127.0.0.1.robot.example/cb",
  "http://localhost.robot.example/cb",
  "http://192.168.1.1/cb",
  "http://[::2]/cb",
  "https://localhost/cb",
  "https://user@robot.example/cb",
  "https://user:word@robot.example/cb",
  "https://robot.example/cb#fragment",
  "https://robot.example/#",
  "https://*.robot.example/cb",
  " https://robot.example/cb",
  "https://robot.example/cb\n",
  "https://robot.example/c b",
  "https://robot.example\\@evil.example/",
  "javascript:alert(1)",
  "JavaScript:alert(1)",
  "data:text/html,x",
  "vbscript:x",
  "file:///etc/passwd",
  "blob:https://robot.example/x",
  "about:blank",
  "view-source:https://robot.example",
  "mailto:a@b.example",
  "ms-msdt:/id",
  "market://details?id=robot",
  "robot://cb",
  "/relative",
  "robot.example",
  "",
  `https://robot.example/${"x".repeat(500)}`,
  7,
  null,
])("redirect address %j is refused", async (uri) => {
  const reply = await register(await world(), { ...GOOD, redirect_uris: [REDIRECT, uri] });
  expect([reply.status, reply.body.error]).toEqual([400, "invalid_redirect_uri"]);
});

test.each([
  { redirect_uris: [] },
  { redirect_uris: Array(11).fill(REDIRECT) },
  { redirect_uris: REDIRECT },
  { redirect_uris: undefined },
])("redirect addresses %j are refused", async (more) => {
  const reply = await register(await world(), { ...GOOD, ...more });
  expect([reply.status, reply.body.error]).toEqual([400, "invalid_redirect_uri"]);
});

test.each([
  { client_name: "" },
  { client_name: "x".repeat(81) },
  { client_name: "a\u202eb" },
  { client_name: "a\u200bb" },
  { client_name: "a\u2028b" },
  { client_name: "a\u{e0041}b" },
  { client_name: "\u3164" },
  { client_name: "\u2800\ufe0f" },
  { client_name: "\u0301" },
  { client_name: 7 },
  { client_name: "a\u0000b" },
  { grant_types: ["client_credentials"] },
  { grant_types: "authorization_code" },
  { grant_types: Array(21).fill("authorization_code") },
  { response_types: ["token"] },
  { scope: ["read"] },
  { scope: "x".repeat(2_001) },
  { workspace: "No such slug!" },
  { workspace: { slug: "x" } },
  { token_endpoint_auth_method: 7 },
  { padding: "x".repeat(17_000) },
])("metadata %j is refused", async (more) => {
  const reply = await register(await world(), { ...GOOD, ...more });
  expect([reply.status, reply.body.error]).toEqual([400, "invalid_client_metadata"]);
});

test("bodies that are not a JSON object, and those of the first drafts' anonymous kind, are refused with an explanation", async () => {
  const { app } = await world();
  const send = async (body: string, type: string) => {
    const reply = await fetch(`${app.baseUrl}/api/oauth/register`, {
      method: "POST",
      headers: { "content-type": type },
      body,
    });
    return [reply.status, (await reply.json()) as { error: string; error_description: string }] as const;
  };
  for (const [body, type] of [
    ["[]", "application/json"],
    ["{", "application/json"],
    ["client_name=x", "application/x-www-form-urlencoded"],
    ["\u00ff", "application/json"],
  ] as const) {
    expect(await send(body, type)).toMatchObject([400, { error: "invalid_client_metadata" }]);
  }
  const [status, anonymous] = await send('{"type":"anonymous"}', "application/json");
  expect(status).toBe(400);
  expect(anonymous.error_description).toContain(`${baseUrl}/auth.md`);
});

test.each([
  "/api/oauth/Register",
  "/api/oauth/register/",
  "/api/oauth//register",
  "/API/oauth/register",
  "/api/oauth/regist%65r",
  "//api/oauth/register",
  "/api/oauth/token/",
  "/api/oauth/Token",
  "/api/oauth/revoke/",
  "/api/oauth/register/some-client",
  "/api/oauth/jwks",
  "/jwks",
  "/token",
  "/reg",
  "/session/end",
  "/session/end/confirm",
  "/.well-known/openid-configuration",
])("%s is 404 with any method", async (path) => {
  const { app } = await world();
  for (const method of ["GET", "POST"]) {
    expect([method, await statusOf(app.baseUrl, path, method)]).toEqual([method, 404]);
  }
});

/** fetch() would tidy the path. */
function statusOf(base: string, path: string, method: string): Promise<number | undefined> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const request = rawRequest({ hostname, port, path, method, headers: { "content-type": "application/json" } });
    request.on("response", (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on("error", reject);
    request.end();
  });
}

test.each([
  ["register", "POST"],
  ["authorize", "GET"],
  ["token", "POST"],
  ["revoke", "POST"],
] as const)("%s is for %s; other methods hear which", async (name, method) => {
  const { app } = await world();
  const url = `${app.baseUrl}/api/oauth/${name}`;
  for (const other of ["GET", "POST", "PUT", "DELETE", "HEAD"].filter((one) => one !== method)) {
    const reply = await fetch(url, { method: other });
    expect([other, reply.status, reply.headers.get("allow")]).toEqual([other, 405, `${method}, OPTIONS`]);
  }
  const options = await fetch(url, { method: "OPTIONS" });
  expect([options.status, options.headers.get("allow")]).toEqual([204, `${method}, OPTIONS`]);
});

test("programs in browsers may call from any origin", async () => {
  const here = await world();
  for (const name of ["register", "token", "revoke"]) {
    const url = `${here.app.baseUrl}/api/oauth/${name}`;
    const preflight = await fetch(url, {
      method: "OPTIONS",
      headers: {
        origin: "https://app.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type,mcp-protocol-version",
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
    expect(preflight.headers.get("access-control-allow-headers")?.toLowerCase()).toContain("content-type");
    const reply = await fetch(url, { method: "POST", headers: { origin: "https://app.example" } });
    expect(reply.headers.get("access-control-allow-origin")).toBe("*");
    expect(reply.status).toBeLessThan(500);
  }
});

const documents = [
  "/.well-known/oauth-authorization-server",
  "/.well-known/oauth-protected-resource",
  "/.well-known/oauth-protected-resource/v1",
  "/.well-known/oauth-protected-resource/api/mcp/v1",
];

test.each(documents)("%s has the configured address, regardless of the request's host", async (path) => {
  const here: World = await world();
  const text = await new Promise<string>((resolve, reject) => {
    const { hostname, port } = new URL(here.app.baseUrl);
    const headers = { host: "evil.example", "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" };
    const request = rawRequest({ hostname, port, path, headers }, async (response) => {
      resolve(Buffer.concat(await response.toArray()).toString());
    });
    request.on("error", reject);
    request.end();
  });
  expect(text).toContain(baseUrl);
  expect(text).not.toContain("evil");
  const head = await fetch(here.app.baseUrl + path, { method: "HEAD", headers: { origin: "https://app.example" } });
  expect([head.status, head.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
});

test("the documents link to each other and to existing endpoints", async () => {
  const { app } = await world();
  const read = async (path: string) =>
    (await (await fetch(app.baseUrl + path)).json()) as { scopes_supported: string[] };
  const server = await read("/.well-known/oauth-authorization-server");
  expect(server).toMatchObject({
    issuer: baseUrl,
    response_types_supported: ["code"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    agent_auth: {
      register_uri: `${baseUrl}/api/oauth/register`,
      claim_uri: `${baseUrl}/api/oauth/authorize`,
      revocation_uri: `${baseUrl}/api/oauth/revoke`,
      identity_types_supported: ["anonymous"],
      skill: `${baseUrl}/auth.md`,
    },
  });
  expect(server.scopes_supported.slice(0, 3)).toEqual(["read", "write", "admin"]);
  expect(server.scopes_supported).not.toContain("openid");
  for (const resource of ["", "/v1", "/api/mcp/v1"]) {
    expect(await read(`/.well-known/oauth-protected-resource${resource}`)).toMatchObject({
      resource: baseUrl + resource,
      authorization_servers: [baseUrl],
      scopes_supported: resource === "" ? ["read", "write", "admin"] : ["read", "write"],
      bearer_methods_supported: ["header"],
    });
  }
  const guide = await fetch(`${app.baseUrl}/auth.md`);
  expect(guide.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
  const text = await guide.text();
  for (const name of ["register", "authorize", "token", "revoke"])
    expect(text).toContain(`${baseUrl}/api/oauth/${name}`);
});

test("a caller without a token learns where to get one", async () => {
  const { app, nobody, as } = await world();
  const bare = await nobody.get("/v1/me").expect(401, "unauthorized");
  expect(bare.headers.get("www-authenticate")).toBe(
    `Bearer realm="muster", resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/v1", scope="read write"`,
  );
  const bad = await fetch(`${app.baseUrl}/api/v1/me`, { headers: { authorization: "Bearer oat_nonsense" } });
  expect(bad.headers.get("www-authenticate")).toBe(
    `Bearer realm="muster", resource_metadata="${baseUrl}/.well-known/oauth-protected-resource", scope="read write", error="invalid_token"`,
  );
  const reader = await as({ role: "member", scopes: ["read"] });
  const lacking = await reader.post("P/issues", { title: "x" }).expect(403, "insufficient_scope");
  expect(lacking.headers.get("www-authenticate")).toContain('error="insufficient_scope", scope="issues:write"');
});
