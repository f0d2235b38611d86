import { auth as authV2 } from "@modelcontextprotocol/client";
import { auth as authV1 } from "@modelcontextprotocol/sdk/client/auth.js";
import * as oauth from "oauth4webapi";
import * as openid from "openid-client";
import { expect, test } from "vitest";
import { browser } from "../support/browser.ts";
import { answerConsent, me, openConsent, REDIRECT, servePublicly } from "../support/oauth.ts";
import { type World, world } from "../support/world.ts";

/** Stock clients, as they come: each goes from discovery to revocation. */

const baseUrl = await servePublicly();

/** What the person in front of the browser does: opens the address, approves, and is sent back. */
async function approve(here: World, address: URL | string, scope?: string[]): Promise<URL> {
  const visitor = await browser(here.app, here.owner.userId);
  const { path } = await openConsent(visitor, String(address));
  return answerConsent(visitor, path, here, scope ? { scope } : {});
}

async function works(here: World, token: string): Promise<boolean> {
  const { status } = await me(here, token);
  expect([200, 401]).toContain(status);
  return status === 200;
}

const insecure = { [oauth.allowInsecureRequests]: true };

async function discoverAndRegister(metadata: Partial<oauth.OmitSymbolProperties<oauth.Client>>) {
  const issuer = new URL(baseUrl);
  const discovery = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure });
  const as = await oauth.processDiscoveryResponse(issuer, discovery);
  const registered = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(as, { ...metadata, redirect_uris: [REDIRECT] }, insecure),
  );
  const client: oauth.Client = { client_id: registered.client_id };
  return { as, client, registered };
}

test("oauth4webapi", async () => {
  const here = await world();
  const metadata = { client_name: "oauth4webapi", scope: "read write", workspace: here.workspace.slug };
  const { as, client } = await discoverAndRegister(metadata);
  const verifier = oauth.generateRandomCodeVerifier();
  const address = new URL(as.authorization_endpoint!);
  address.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: REDIRECT,
    response_type: "code",
    scope: "read write",
    state: "s",
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  }).toString();
  const back = oauth.validateAuthResponse(as, client, await approve(here, address), "s");
  const none = oauth.None();
  const tokens = await oauth.processAuthorizationCodeResponse(
    as,
    client,
    await oauth.authorizationCodeGrantRequest(as, client, none, back, REDIRECT, verifier, insecure),
  );
  expect(await works(here, tokens.access_token)).toBe(true);
  const refreshed = await oauth.processRefreshTokenResponse(
    as,
    client,
    await oauth.refreshTokenGrantRequest(as, client, none, tokens.refresh_token!, insecure),
  );
  expect(await works(here, refreshed.access_token)).toBe(true);
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(as, client, none, refreshed.access_token, insecure),
  );
  expect(await works(here, refreshed.access_token)).toBe(false);

  const resource = new URL(`${baseUrl}/v1`);
  const described = await oauth.processResourceDiscoveryResponse(
    resource,
    await oauth.resourceDiscoveryRequest(resource, insecure),
  );
  expect(described).toMatchObject({ resource: `${baseUrl}/v1`, authorization_servers: [baseUrl] });
});

test("oauth4webapi with a secret", async () => {
  const here = await world();
  const metadata = { client_name: "secretive", token_endpoint_auth_method: "client_secret_post" };
  const { as, client, registered } = await discoverAndRegister(metadata);
  expect(registered.client_secret).toMatch(/^ocs_/);
  const verifier = oauth.generateRandomCodeVerifier();
  const challenge = await oauth.calculatePKCECodeChallenge(verifier);
  const query = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: REDIRECT,
    response_type: "code",
    code_challenge: challenge,
    code_challenge_method: "S256",
  });
  const back = oauth.validateAuthResponse(
    as,
    client,
    await approve(here, `${as.authorization_endpoint}?${query}`, ["read"]),
    oauth.expectNoState,
  );
  const grant = (authentication: oauth.ClientAuth) =>
    oauth.authorizationCodeGrantRequest(as, client, authentication, back, REDIRECT, verifier, insecure);
  for (const wrong of [
    oauth.None(),
    oauth.ClientSecretPost("ocs_wrong"),
    oauth.ClientSecretPost(await storedSecret(here, client.client_id)),
  ]) {
    expect((await grant(wrong)).status).toBe(401);
  }
  const tokens = await oauth.processAuthorizationCodeResponse(
    as,
    client,
    await grant(oauth.ClientSecretPost(String(registered.client_secret))),
  );
  expect(tokens.scope).toBe("read");
});

async function storedSecret({ sql }: World, clientId: string): Promise<string> {
  const [row] = await sql<{ metadata: { client_secret_hash: string } }>(
    "select metadata from oauth_client where id = $1",
    [clientId],
  );
  return row!.metadata.client_secret_hash;
}

test("openid-client", async () => {
  const here = await world();
  const config = await openid.dynamicClientRegistration(
    new URL(baseUrl),
    { client_name: "openid-client", redirect_uris: [REDIRECT], scope: "read write" },
    openid.None(),
    { algorithm: "oauth2", execute: [openid.allowInsecureRequests] },
  );
  const verifier = openid.randomPKCECodeVerifier();
  const state = openid.randomState();
  const address = openid.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT,
    scope: "openid read write offline_access",
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
  });
  const tokens = await openid.authorizationCodeGrant(config, await approve(here, address), {
    pkceCodeVerifier: verifier,
    expectedState: state,
  });
  expect(tokens.scope).toBe("read write");
  expect(await works(here, tokens.access_token)).toBe(true);
  const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token!);
  expect(await works(here, refreshed.access_token)).toBe(true);
  await openid.tokenRevocation(config, refreshed.refresh_token!);
  expect(await works(here, refreshed.access_token)).toBe(false);
});

/** What hosts of MCP keep for the SDK. */
class Memory {
  address: URL | undefined;
  client: { client_id: string; client_secret?: string } | undefined;
  kept: { access_token: string; refresh_token?: string; token_type: string } | undefined;
  verifier = "";
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata: { client_name: string; redirect_uris: string[]; token_endpoint_auth_method?: string };

  constructor(method?: string) {
    this.clientMetadata = {
      client_name: "MCP host",
      redirect_uris: [REDIRECT],
      ...(method ? { token_endpoint_auth_method: method } : {}),
    };
  }
  state = () => "mcp-state";
  clientInformation = () => this.client;
  saveClientInformation = (client: { client_id: string }) => {
    this.client = client;
  };
  tokens = () => this.kept;
  saveTokens = (tokens: { access_token: string; refresh_token?: string; token_type: string }) => {
    this.kept = tokens;
  };
  redirectToAuthorization = (address: URL) => {
    this.address = address;
  };
  saveCodeVerifier = (verifier: string) => {
    this.verifier = verifier;
  };
  codeVerifier = () => this.verifier;
  invalidateCredentials = (scope: string) => {
    if (scope === "all" || scope === "client") this.client = undefined;
    if (scope === "all" || scope === "tokens") this.kept = undefined;
  };
}

type Auth = (provider: Memory, options: Record<string, unknown>) => Promise<string>;

test.each([
  ["v1", authV1 as unknown as Auth, undefined],
  ["v1 with a secret", authV1 as unknown as Auth, "client_secret_post"],
  ["v2", authV2 as unknown as Auth, undefined],
  ["v2 with a secret", authV2 as unknown as Auth, "client_secret_post"],
])("the MCP SDK's client %s", async (_name, auth, method) => {
  const here = await world();
  const memory = new Memory(method);
  const serverUrl = `${baseUrl}/api/mcp/v1`;
  expect(await auth(memory, { serverUrl, scope: "read write" })).toBe("REDIRECT");
  expect(memory.address!.searchParams.get("resource")).toMatch(/\/api\/mcp\/v1\/?$/);
  const back = await approve(here, memory.address!);
  const authorizationCode = back.searchParams.get("code");
  const iss = back.searchParams.get("iss");
  expect(iss).toBe(baseUrl);
  expect(await auth(memory, { serverUrl, authorizationCode, iss })).toBe("AUTHORIZED");
  const first = memory.kept!;
  expect(await works(here, first.access_token)).toBe(true);

  expect(await auth(memory, { serverUrl })).toBe("AUTHORIZED");
  expect(memory.kept!.refresh_token).not.toBe(first.refresh_token);
  expect(await works(here, memory.kept!.access_token)).toBe(true);

  // A registration that is gone is noticed, and the client begins anew.
  const before = memory.client!.client_id;
  await here.sql("update oauth_client set revoked_at = now() where id = $1", [before]);
  expect(await auth(memory, { serverUrl })).toBe("REDIRECT");
  expect(memory.client!.client_id).not.toBe(before);
});
