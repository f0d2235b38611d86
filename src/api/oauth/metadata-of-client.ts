import type { AllClientMetadata } from "oidc-provider";
import { type ClientMetadata, DEFAULT_SCOPE } from "../../domain/access/oauth/registration.ts";
import { ORDINARY, readScopes, within } from "../../domain/access/oauth/scopes.ts";

/** What the provider is told of a client, however it introduced itself. */
export function providerMetadata(client: ClientMetadata): AllClientMetadata {
  const { scope, client_secret_hash, ...said } = client;
  const held = scope === undefined ? ORDINARY : within(readScopes(scope).known);
  return {
    ...said,
    application_type: "native",
    response_modes: ["query", "fragment"],
    // The provider compares words, while ours contain each other. Requests may name openid, which is taken out again.
    scope: [...held, "openid"].join(" "),
    default_scope: scope ?? DEFAULT_SCOPE,
    // Its secret is known to the client alone; see compareClientSecret.
    ...(client_secret_hash ? { client_secret: client_secret_hash } : {}),
  };
}
