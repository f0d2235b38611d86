import { generateKeyPairSync, timingSafeEqual } from "node:crypto";
import Provider, {
  type Configuration,
  errors,
  interactionPolicy,
  type JWK,
  type KoaContextWithOIDC,
} from "oidc-provider";
import { SCOPES } from "../../domain/access/identity/scopes.ts";
import { GRANT_DAYS } from "../../domain/access/oauth/grants.ts";
import { AUTH_METHODS } from "../../domain/access/oauth/registration.ts";
import { readScopes } from "../../domain/access/oauth/scopes.ts";
import { hashSecret, newSecret } from "../../domain/kernel/secrets.ts";
import type { Runtime } from "../engine/call.ts";
import { adapterOf, revoke } from "./adapter.ts";
import { fetchMetadata } from "./client-documents.ts";
import { renderError } from "./error-page.ts";
import { mayFetch } from "./limits.ts";
import { CONSENT_PATH, OAUTH_PATHS } from "./paths.ts";
import { resourcesOf } from "./resources.ts";

/** Configures the library that implements OAuth 2.1. */

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const COOKIES = { interaction: "muster_consent", resume: "muster_consent_resume", session: "muster_unused" };

/** Lifetimes in seconds. */
const LIVES = {
  AccessToken: HOUR,
  AuthorizationCode: 5 * MINUTE,
  // Since the last use. Each use returns a new one.
  RefreshToken: 30 * DAY,
  Grant: GRANT_DAYS * DAY,
  // Time for a mail to arrive and for the person to decide.
  Interaction: 30 * MINUTE,
  Session: MINUTE,
};

export function openProvider(runtime: Runtime, cookieKeys: string[]): Provider {
  const provider = new Provider(runtime.settings.baseUrl, configurationOf(runtime, cookieKeys));
  shapeSecrets(provider);
  provider.on("server_error", (ctx, error) => {
    ctx.state.fault = error;
  });
  provider.on("authorization.error", (ctx, { error, error_description }) => {
    ctx.state.refused = { error, error_description };
  });
  return provider;
}

function configurationOf(runtime: Runtime, cookieKeys: string[]): Configuration {
  const { baseUrl } = runtime.settings;
  return {
    adapter: adapterOf(runtime),
    routes: {
      authorization: OAUTH_PATHS.authorize,
      token: OAUTH_PATHS.token,
      revocation: OAUTH_PATHS.revoke,
    },
    cookies: {
      keys: cookieKeys,
      names: COOKIES,
      short: { signed: true, httpOnly: true, sameSite: "lax", overwrite: true },
      long: { signed: true, httpOnly: true, sameSite: "lax", overwrite: true },
    },
    responseTypes: ["code"],
    scopes: [...SCOPES],
    clientAuthMethods: [...AUTH_METHODS],
    clientDefaults: {
      grant_types: ["authorization_code", "refresh_token"],
      token_endpoint_auth_method: "none",
      id_token_signed_response_alg: "EdDSA",
    },
    extraClientMetadata: { properties: ["default_scope"], validator: () => {} },
    enabledJWA: { idTokenSigningAlgValues: ["EdDSA"] },
    // The library requires a key, but nothing is ever signed: there are no ID tokens here.
    jwks: { keys: [throwawayKey()] },
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    clockTolerance: 0,
    ttl: LIVES,
    rotateRefreshToken: true,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed("refresh_token"),
    expiresWithSession: async () => false,
    revokeGrantPolicy: () => true,
    // Endpoints for programs in browsers read no cookies, so any origin may call them.
    clientBasedCORS: () => true,
    // Finding the grant checks that the person is still a member.
    findAccount: async (_ctx, accountId) => ({ accountId, claims: async () => ({ sub: accountId }) }),
    // Every request needs a new consent, so that grants of two workspaces never mix.
    loadExistingGrant: async (ctx) => {
      const { grantId } = (ctx.oidc.result?.consent ?? {}) as { grantId?: string };
      return grantId ? ctx.oidc.provider.Grant.find(grantId) : undefined;
    },
    interactions: { url: (_ctx, interaction) => `${CONSENT_PATH}/${interaction.uid}`, policy: alwaysAsk() },
    extraParams: { scope: checkScope },
    renderError: (ctx, out) => renderError(ctx, out),
    fetch: (url) => fetchMetadata(runtime.ports, String(url)),
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      dPoP: { enabled: false },
      registration: { enabled: false },
      revocation: {
        enabled: true,
        // RFC 7009: either token ends the whole grant, and a client can end only its own grants.
        allowedPolicy: async (_ctx, client, token) => {
          if (token.clientId !== client.clientId) return false;
          const { grantId } = token as { grantId?: string };
          if (grantId) await revoke(runtime, grantId, "user");
          return true;
        },
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: async (_ctx, _client, oneOf) => oneOf?.[0] ?? baseUrl,
        useGrantedResource: async () => true,
        getResourceServerInfo: async (_ctx, resource) => {
          if (!resourcesOf(baseUrl).includes(resource)) throw new errors.InvalidTarget();
          return {
            scope: SCOPES.join(" "),
            audience: baseUrl,
            accessTokenFormat: "opaque",
            accessTokenTTL: LIVES.AccessToken,
          };
        },
      },
      clientIdMetadataDocument: {
        enabled: true,
        ack: "draft-02",
        allowFetch: (ctx, clientId) => mayFetch(runtime, ctx, clientId),
      },
    },
  };
}

function alwaysAsk() {
  const policy = interactionPolicy.base();
  const consent = policy.get("consent")!;
  consent.checks.clear();
  const unasked = (ctx: { oidc: { result?: Record<string, unknown> } }) => ctx.oidc.result?.consent === undefined;
  consent.checks.add(
    new interactionPolicy.Check("not_asked", "the person has to approve", "consent_required", (ctx) => unasked(ctx)),
  );
  return policy;
}

/** Rejects unknown scopes. A request without scopes gets those that its client registered. */
function checkScope(ctx: KoaContextWithOIDC, text: string | undefined, client: { [name: string]: unknown }): void {
  const { known, unknown } = readScopes(text);
  if (unknown[0]) throw new errors.InvalidScope("there is no such scope", unknown[0]);
  ctx.oidc.params!.scope = known.length > 0 ? known.join(" ") : String(client.default_scope);
}

/** Gives tokens the format of our other secrets, so that secret scanners and the API's first check recognise them. */
function shapeSecrets(provider: Provider): void {
  Object.assign(provider.AccessToken.prototype, {
    generateTokenId(this: { format: string }) {
      this.format = "opaque";
      return newSecret("oat_").plaintext;
    },
  });
  Object.assign(provider.RefreshToken.prototype, { generateTokenId: () => newSecret("ort_").plaintext });
  Object.assign(provider.Client.prototype, {
    compareClientSecret(this: { clientSecret: string }, given: string) {
      return timingSafeEqual(hashSecret(given), Buffer.from(this.clientSecret, "hex"));
    },
  });
}

const throwawayKey = () =>
  ({ ...generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" }), use: "sig", alg: "EdDSA" }) as JWK;
