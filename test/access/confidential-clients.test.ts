import * as oauth from "oauth4webapi";
import * as openid from "openid-client";
import { expect, test } from "vitest";
import { browser } from "../support/browser.ts";
import {
  answerConsent,
  authorizePath,
  connect,
  exchange,
  me,
  newCode,
  openConsent,
  post,
  REDIRECT,
  register,
  servePublicly,
} from "../support/oauth.ts";
import { type World, world } from "../support/world.ts";

/** Clients with a secret: apps of a workspace, and clients that asked for a secret when they registered. */

const baseUrl = await servePublicly();
const issuer = new URL(baseUrl);
const insecure = { [oauth.allowInsecureRequests]: true };

const newApp = async ({ owner }: World): Promise<{ client_id: string; client_secret: string }> =>
  (
    await owner
      .post("W/oauth-apps", { name: "Server", redirect_uris: [REDIRECT], scopes: ["read", "write"] })
      .expect(201)
  ).data;

const works = async (here: World, token: string) => (await me(here, token)).status === 200;
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString("base64")}`,
});

async function approve(here: World, address: URL | string): Promise<URL> {
  const visitor = await browser(here.app, here.owner.userId);
  const { path } = await openConsent(visitor, String(address));
  return answerConsent(visitor, path, here);
}

async function discover() {
  const found = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure });
  return oauth.processDiscoveryResponse(issuer, found);
}

test.each([
  ["client_secret_post", oauth.ClientSecretPost],
  ["client_secret_basic", oauth.ClientSecretBasic],
] as const)("oauth4webapi with %s, from approval to revocation", async (method, authenticate) => {
  const here = await world();
  const app = await newApp(here);
  const as = await discover();
  expect(as.token_endpoint_auth_methods_supported).toContain(method);
  expect(as.revocation_endpoint_auth_methods_supported).toContain(method);
  const client: oauth.Client = { client_id: app.client_id };
  const verifier = oauth.generateRandomCodeVerifier();
  const address = authorizePath({ clientId: app.client_id, verifier, scope: "read write", state: "s" });
  const back = oauth.validateAuthResponse(as, client, await approve(here, address), "s");
  const grant = (authentication: oauth.ClientAuth, verified = verifier) =>
    oauth.authorizationCodeGrantRequest(as, client, authentication, back, REDIRECT, verified, insecure);

  const storedHash = await here.sql<{ hash: string }>(
    "select metadata ->> 'client_secret_hash' as hash from oauth_client where id = $1",
    [app.client_id],
  );
  for (const wrong of [oauth.None(), authenticate("ocs_wrong"), authenticate(storedHash[0]!.hash)]) {
    const refused = await grant(wrong);
    const { error } = (await refused.json()) as { error: string };
    expect([refused.status, error]).toEqual([401, "invalid_client"]);
  }
  const right = authenticate(app.client_secret);
  const tokens = await oauth.processAuthorizationCodeResponse(as, client, await grant(right));
  expect(await works(here, tokens.access_token)).toBe(true);

  const unauthenticated = await oauth.refreshTokenGrantRequest(
    as,
    client,
    oauth.None(),
    tokens.refresh_token!,
    insecure,
  );
  expect(unauthenticated.status).toBe(401);
  const refreshed = await oauth.processRefreshTokenResponse(
    as,
    client,
    await oauth.refreshTokenGrantRequest(as, client, right, tokens.refresh_token!, insecure),
  );
  expect(await works(here, refreshed.access_token)).toBe(true);

  const stranger = await oauth.revocationRequest(as, client, oauth.None(), refreshed.access_token, insecure);
  expect(stranger.status).toBe(401);
  expect(await works(here, refreshed.access_token)).toBe(true);
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(as, client, right, refreshed.access_token, insecure),
  );
  expect(await works(here, refreshed.access_token)).toBe(false);
});

test("openid-client with a secret", async () => {
  const here = await world();
  const app = await newApp(here);
  const config = await openid.discovery(issuer, app.client_id, app.client_secret, undefined, {
    algorithm: "oauth2",
    execute: [openid.allowInsecureRequests],
  });
  const verifier = openid.randomPKCECodeVerifier();
  const address = openid.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT,
    scope: "read write",
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  });
  const tokens = await openid.authorizationCodeGrant(config, await approve(here, address), {
    pkceCodeVerifier: verifier,
  });
  expect(await works(here, tokens.access_token)).toBe(true);
  const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token!);
  expect(await works(here, refreshed.access_token)).toBe(true);
});

test("PKCE is required with a secret too", async () => {
  const here = await world();
  const { client_id: clientId, client_secret } = await newApp(here);
  const visitor = await browser(here.app, here.owner.userId);
  const without = authorizePath({ clientId, scope: "read" }).replace(/&code_challenge(_method)?=[^&]*/g, "");
  const refused = await visitor.get(without);
  expect(new URL(refused.headers.get("location")!).searchParams.get("error")).toBe("invalid_request");

  const code = await newCode(here, here.owner.userId, { clientId });
  const wrong = await exchange(here, { ...code, verifier: "x".repeat(43) }, { client_secret });
  expect([wrong.status, wrong.body.error]).toEqual([400, "invalid_grant"]);
});

test("a secret of another client is refused", async () => {
  const here = await world();
  const [app, other] = [await newApp(here), await newApp(here)];
  const code = await newCode(here, here.owner.userId, { clientId: app.client_id });
  const theirs = await exchange(here, code, { client_secret: other.client_secret });
  expect([theirs.status, theirs.body.error]).toEqual([401, "invalid_client"]);
  // The code was issued to another client.
  const stolen = await exchange(here, { ...code, clientId: other.client_id }, { client_secret: other.client_secret });
  expect([stolen.status, stolen.body.error]).toEqual([400, "invalid_grant"]);
  expect((await exchange(here, code, { client_secret: app.client_secret })).status).toBe(200);
});

test("a secret is sent in one way at a time", async () => {
  const here = await world();
  const { client_id, client_secret } = await newApp(here);
  const code = await newCode(here, here.owner.userId, { clientId: client_id });
  const form = {
    grant_type: "authorization_code",
    code: code.code,
    redirect_uri: REDIRECT,
    code_verifier: code.verifier,
    client_secret,
  };
  const both = await post(here, "token", form, basic(client_id, client_secret));
  expect([both.status, both.body.error]).toEqual([400, "invalid_request"]);
  const wrong = await post(here, "token", { ...form, client_secret: "" }, basic(client_id, "ocs_wrong"));
  expect([wrong.status, wrong.body.error]).toEqual([401, "invalid_client"]);
  // RFC 6749 §5.2: a client that used the header is told its scheme.
  expect(wrong.headers.get("www-authenticate")).toMatch(/^Basic /);
});

test("a client that registers for client_secret_basic gets a secret that works", async () => {
  const here = await world();
  const metadata = {
    client_name: "Robot",
    redirect_uris: [REDIRECT],
    scope: "read",
    token_endpoint_auth_method: "client_secret_basic",
  };
  const { body: registered } = await register(here, metadata);
  expect(registered).toMatchObject({
    client_secret: expect.stringMatching(/^ocs_/),
    client_secret_expires_at: 0,
    token_endpoint_auth_method: "client_secret_basic",
  });
  const { client_id: clientId, client_secret } = registered;
  const code = await newCode(here, here.owner.userId, { clientId, scope: "read" });
  expect((await exchange(here, code)).status).toBe(401);
  expect((await exchange(here, code, { client_secret })).status).toBe(200);
});

test("a public app needs no secret, and a secret that it sends is refused", async () => {
  const here = await world();
  const { data: app } = await here.owner
    .post("W/oauth-apps", { name: "Phone", redirect_uris: [REDIRECT], scopes: ["read", "write"], is_public: true })
    .expect(201);
  const code = await newCode(here, here.owner.userId, { clientId: app.client_id });
  expect((await exchange(here, code, { client_secret: "ocs_any" })).status).toBe(401);
  const { access_token } = await connect(here, here.owner.userId, { clientId: app.client_id });
  expect(await works(here, access_token)).toBe(true);
});
