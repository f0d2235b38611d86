import { BUNDLE_NAMES, SCOPES } from "../../domain/access/identity/scopes.ts";
import { AUTH_METHODS } from "../../domain/access/oauth/registration.ts";
import { AUTH_GUIDE_PATH, OAUTH_PATHS } from "../oauth/paths.ts";
import { PROTECTED_DOCUMENT, REST, TOOL_SERVER } from "../oauth/resources.ts";

/** OAuth metadata. It uses only the configured base URL and ignores the request's host. */

/** `/.well-known/oauth-authorization-server` (RFC 8414), with the `agent_auth` block that auth.md describes. */
export function authorizationServer(baseUrl: string) {
  const at = (path: string) => baseUrl + path;
  const credentials = ["oauth2_authorization_code", "access_token"];
  return {
    issuer: baseUrl,
    authorization_endpoint: at(OAUTH_PATHS.authorize),
    token_endpoint: at(OAUTH_PATHS.token),
    registration_endpoint: at(OAUTH_PATHS.register),
    revocation_endpoint: at(OAUTH_PATHS.revoke),
    scopes_supported: SCOPES,
    response_types_supported: ["code"],
    response_modes_supported: ["query", "fragment"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: AUTH_METHODS,
    revocation_endpoint_auth_methods_supported: AUTH_METHODS,
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    protected_resources: [at(TOOL_SERVER), at(REST)],
    service_documentation: at(AUTH_GUIDE_PATH),
    agent_auth: {
      skill: at(AUTH_GUIDE_PATH),
      register_uri: at(OAUTH_PATHS.register),
      claim_uri: at(OAUTH_PATHS.authorize),
      revocation_uri: at(OAUTH_PATHS.revoke),
      identity_endpoint: at(OAUTH_PATHS.register),
      claim_endpoint: at(OAUTH_PATHS.authorize),
      identity_types_supported: ["anonymous"],
      credential_types_supported: credentials,
      anonymous: { credential_types_supported: credentials, claim_uri: at(OAUTH_PATHS.authorize) },
    },
  };
}

/**
 * The parts of the service that accept tokens, each with the path of its metadata document. "" is the whole service.
 */
export const PROTECTED = ["", REST, TOOL_SERVER].map((path) => ({
  resource: path,
  document: PROTECTED_DOCUMENT + path,
}));

/**
 * `/.well-known/oauth-protected-resource` and its siblings (RFC 9728). Clients request every scope that the document
 * lists, so only the document of the whole service lists `admin`.
 */
export function protectedResource(baseUrl: string, path: string) {
  return {
    resource: baseUrl + path,
    resource_name: path === TOOL_SERVER ? "Muster tool server" : "Muster",
    authorization_servers: [baseUrl],
    scopes_supported: path === "" ? BUNDLE_NAMES : BUNDLE_NAMES.filter((bundle) => bundle !== "admin"),
    bearer_methods_supported: ["header"],
    resource_documentation: `${baseUrl}/docs`,
  };
}
