import { once } from "node:events";
import type { RequestListener } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDocuments } from "../../src/adapters/documents.ts";
import { startWeb } from "../../src/start-web.ts";
import { browser } from "../support/browser.ts";
import { selfSigned } from "../support/certificate.ts";
import {
  authorizePath,
  connect,
  exchange,
  me,
  openConsent,
  post,
  REDIRECT,
  refresh,
  servePublicly,
  verifierOf,
} from "../support/oauth.ts";
import { world } from "../support/world.ts";

/** Clients whose id is the address of a document about them. */

await servePublicly();

let server: Server;
let origin: string;
let listener: RequestListener;
let reads = 0;

beforeAll(async () => {
  const certificate = selfSigned("localhost");
  setDefaultCACertificates([...getCACertificates(), certificate.cert]);
  server = createServer(certificate, (request, response) => {
    reads++;
    listener(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `https://localhost:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.closeAllConnections());
afterAll(() => server.close());

let counter = 0;
const newId = () => `${origin}/clients/${++counter}.json`;
const documentOf = (id: string, more: object = {}) => ({
  client_id: id,
  client_name: "Published",
  redirect_uris: [REDIRECT],
  scope: "read write",
  ...more,
});
const serve = (body: unknown, status = 200, headers: Record<string, string> = {}) => {
  listener = (_request, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
};

test("a client that publishes its metadata needs no registration, and people see by whom it is published", async () => {
  const here = await world();
  const clientId = newId();
  serve(documentOf(clientId));
  const visitor = await browser(here.app, here.owner.userId);
  const { page } = await openConsent(visitor, authorizePath({ clientId, scope: "read" }));
  expect(page.text).toContain("Published by");
  expect(page.text).toContain(`<strong>${new URL(origin).host}</strong>`);

  const tokens = await connect(here, here.owner.userId, { clientId, scope: "read write" });
  expect((await me(here, tokens.access_token)).body.data).toMatchObject({
    name: "Published",
    agent: { name: "Published" },
  });
  expect((await refresh(here, clientId, tokens.refresh_token)).status).toBe(200);
  expect(reads).toBe(1);
  expect((await connect(here, here.owner.userId, { clientId, scope: "read" })).agent_id).toBe(tokens.agent_id);
});

test("a published client that leaves out its name is called by the host of its first redirect address", async () => {
  const here = await world();
  const clientId = newId();
  const redirectUri = "https://robot.example/cb";
  serve(documentOf(clientId, { client_name: undefined, redirect_uris: [redirectUri, REDIRECT] }));
  const visitor = await browser(here.app, here.owner.userId);
  const { page } = await openConsent(visitor, authorizePath({ clientId, redirectUri, scope: "read" }));
  expect(page.text).toContain("Connect robot.example?");
  const tokens = await connect(here, here.owner.userId, { clientId, redirectUri, scope: "read" });
  expect((await me(here, tokens.access_token)).body.data.name).toBe("robot.example");
});

test("a published client that a person has not approved cannot redirect them", async () => {
  const here = await world();
  const clientId = newId();
  const redirectUri = "https://robot.example/cb";
  serve(documentOf(clientId, { redirect_uris: [redirectUri] }));
  const nobody = await browser(here.app);
  const path = authorizePath({ clientId, redirectUri, more: { prompt: "none" } });
  const owner = await browser(here.app, here.owner.userId);
  const stays = async (visitor: typeof nobody) => {
    const page = await visitor.get(path);
    expect([page.status, page.headers.get("location")]).toEqual([400, null]);
  };
  await stays(owner);
  await connect(here, here.owner.userId, { clientId, redirectUri, scope: "read" });
  await stays(nobody);
  expect((await owner.get(path)).headers.get("location")).toContain("https://robot.example/cb?error=login_required");
});

test("a process other than the one that read the document can show the page and issue tokens", async () => {
  const here = await world();
  const clientId = newId();
  serve(documentOf(clientId));
  const other = await startWeb({ ...here.app.config, PORT: 0 });
  try {
    const visitor = await browser(here.app, here.owner.userId);
    const verifier = verifierOf();
    const { path } = await openConsent(visitor, authorizePath({ clientId, verifier, scope: "read" }));
    const elsewhere = { ...here.app, baseUrl: `http://127.0.0.1:${other.port}` };
    const moved = await browser(elsewhere);
    for (const [name, value] of visitor.cookies) moved.cookies.set(name, value);
    const page = await moved.get(path);
    expect(page.text).toContain("Published by");
    const sent = await moved.post(path, { decision: "approve", scope: "read", workspace: here.workspace.slug });
    const back = await visitor.follow(sent);
    const code = new URL(back.headers.get("location")!).searchParams.get("code")!;
    const tokens = await exchange({ ...here, app: elsewhere }, { clientId, verifier, code, redirect_uri: REDIRECT });
    expect(tokens.status, tokens.text).toBe(200);
    expect((await me(here, tokens.body.access_token)).status).toBe(200);
  } finally {
    await other.stop();
  }
});

test("repeated views of a page fetch a document only a limited number of times", async () => {
  const here = await world();
  const clientId = newId();
  serve(documentOf(clientId));
  // Counting apart from the other tests.
  const { config } = here.app;
  const more = { PORT: 0, OAUTH_AUTHORIZATIONS_PER_MINUTE: 3, REDIS_PREFIX: `${config.REDIS_PREFIX}-apart` };
  const other = await startWeb({ ...config, ...more });
  try {
    const visitor = await browser(here.app, here.owner.userId);
    const { path } = await openConsent(visitor, authorizePath({ clientId, scope: "read" }));
    const moved = await browser({ ...here.app, baseUrl: `http://127.0.0.1:${other.port}` });
    for (const [name, value] of visitor.cookies) moved.cookies.set(name, value);
    serve("{}", 404);
    const before = reads;
    for (let looked = 0; looked < 5; looked++) expect((await moved.get(path)).text).toContain("no longer registered");
    expect(reads - before).toBe(3);
  } finally {
    await other.stop();
  }
});

const faults: [string, (id: string) => void][] = [
  ["of another client", (id) => serve(documentOf(`${id}x`))],
  ["of none", () => serve({ client_name: "Published", redirect_uris: [REDIRECT] })],
  ["that is too large", (id) => serve(documentOf(id, { padding: "x".repeat(6_000) }))],
  ["that redirects elsewhere", (id) => serve("", 302, { location: `${id}?other` })],
  ["that does not exist", () => serve("{}", 404)],
  ["that is not JSON", () => serve("<html>")],
  ["that is not an object", () => serve("[]")],
  ["that is null", () => serve("null")],
  ["with a secret method", (id) => serve(documentOf(id, { token_endpoint_auth_method: "client_secret_post" }))],
  ["with keys", (id) => serve(documentOf(id, { token_endpoint_auth_method: "private_key_jwt" }))],
  [
    "that redirects over http",
    (id) => serve(documentOf(id, { application_type: "web", redirect_uris: ["http://a.example/"] })),
  ],
  ["with an empty name", (id) => serve(documentOf(id, { client_name: "" }))],
];

test.each(faults)("a document %s is rejected, and there is no redirect", async (_name, publish) => {
  const here = await world();
  const clientId = newId();
  publish(clientId);
  const page = await (await browser(here.app)).get(authorizePath({ clientId, scope: "read" }));
  expect([page.status, page.headers.get("location")]).toEqual([400, null]);
  expect(page.text).toContain("Unknown program");
});

test("an id that is too long for an index is not a client, and its document is not read", async () => {
  const here = await world();
  const clientId = `${origin}/${"x".repeat(500)}.json`;
  serve(documentOf(clientId));
  const before = reads;
  const page = await (await browser(here.app, here.owner.userId)).get(authorizePath({ clientId, scope: "read" }));
  expect([page.status, page.headers.get("location")]).toEqual([400, null]);
  expect(page.text).toContain("Unknown program");
  const reply = await post(here, "token", { grant_type: "refresh_token", client_id: clientId, refresh_token: "ort_x" });
  expect([reply.status, reply.body.error]).toEqual([400, "invalid_client"]);
  expect(reads).toBe(before);
});

test("a document that does not arrive is not waited for", async () => {
  const here = await world();
  listener = () => {};
  const started = performance.now();
  const page = await (await browser(here.app)).get(authorizePath({ clientId: newId(), scope: "read" }));
  expect(page.status).toBe(400);
  expect(performance.now() - started).toBeLessThan(4_000);
});

test("a document cannot make the server call other addresses", async () => {
  const here = await world();
  const clientId = newId();
  const called: (string | undefined)[] = [];
  listener = ({ url }, response) => {
    called.push(url);
    const more = { sector_identifier_uri: `${origin}/sector`, jwks_uri: `${origin}/jwks`, logo_uri: `${origin}/logo` };
    response.end(JSON.stringify(documentOf(clientId, more)));
  };
  await openConsent(await browser(here.app, here.owner.userId), authorizePath({ clientId, scope: "read" }));
  expect(called).toEqual([new URL(clientId).pathname]);
});

test.each([
  "https://10.0.0.1/client.json",
  "https://169.254.169.254/client.json",
  "https://[fd00::1]/client.json",
  "https://user@localhost/client.json",
  "https://localhost/a/../client.json",
  "http://localhost/client.json",
])("%s is not a client", async (clientId) => {
  const { app } = await world();
  const page = await (await browser(app)).get(authorizePath({ clientId, scope: "read" }));
  expect([page.status, page.headers.get("location")]).toEqual([400, null]);
});

test("documents are read only from public addresses, even if a name resolves to others", async () => {
  const before = reads;
  serve("{}");
  const { port } = new URL(origin);
  for (const addresses of [["127.0.0.1"], ["10.0.0.1"], ["93.184.216.34", "127.0.0.1"]]) {
    const documents = openDocuments({ allowLoopback: false, resolve: async () => addresses });
    await expect(documents.fetch(`https://robot.example:${port}/`)).rejects.toMatchObject({
      reason: "private_address",
    });
    await expect(documents.fetch(`https://127.0.0.1:${port}/`)).rejects.toMatchObject({ reason: "private_address" });
    await expect(documents.fetch(`http://robot.example:${port}/`)).rejects.toThrow("https only");
    await documents.close();
  }
  expect(reads).toBe(before);
});
