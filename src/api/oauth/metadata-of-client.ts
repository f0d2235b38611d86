import type { AllClientMetadata } from "oidc-provider";
import { type ClientMetadata, DEFAULT_SCOPE } from "../../domain/access/oauth/registration.ts";
import { ORDINARY, readScopes, scopesWithin } from "../../domain/access/oauth/scopes.ts";

/** A client's metadata in the provider's form. */
export function providerMetadata(client: ClientMetadata): AllClientMetadata {
  const { scope, client_secret_hash, client_uri: _homepage, logo_uri: _logo, ...said } = client;
  const held = scope === undefined ? ORDINARY : scopesWithin(readScopes(scope).known);
  return {
    ...said,
    application_type: "native",
    response_modes: ["query", "fragment"],
    // The provider compares words, while our scopes include each other. Requests may contain openid, which is removed
    // again.
    scope: [...held, "openid"].join(" "),
    default_scope: scope ?? DEFAULT_SCOPE,
    // A hash. Only the client knows its secret; see compareClientSecret.
    ...(client_secret_hash ? { client_secret: client_secret_hash } : {}),
  };
}
