import type { Ctx } from "../../kernel/context.ts";
import { newId } from "../../kernel/ids.ts";
import { newSecret } from "../../kernel/secrets.ts";
import { slug } from "../../kernel/slug.ts";
import { canBeSeen } from "../../kernel/text.ts";
import { insertClient } from "./clients.sql.ts";
import { faultOf, MAX_NAME_LENGTH, nameFrom } from "./redirects.ts";
import { readScopes } from "./scopes.ts";

/** Dynamic client registration (RFC 7591): which metadata clients may send, and which is stored. */

/** The metadata that is stored, with the names of the RFC. All other metadata is ignored. */
export type ClientMetadata = {
  client_name: string;
  redirect_uris: string[];
  grant_types: string[];
  response_types: ["code"];
  token_endpoint_auth_method: AuthMethod;
  /** Absent if the client named none. */
  scope?: string;
  /** SHA-256 in hexadecimal. */
  client_secret_hash?: string;
  /** Only of apps that an admin created. */
  client_uri?: string;
  logo_uri?: string;
};

/** How clients authenticate at the token and revocation endpoints. One with a secret may use either way to send it. */
export const AUTH_METHODS = ["none", "client_secret_post", "client_secret_basic"] as const;
type AuthMethod = (typeof AUTH_METHODS)[number];

/** A rejected registration, with the error codes of the RFC. */
export type RegistrationFault = {
  error: "invalid_client_metadata" | "invalid_redirect_uri";
  error_description: string;
};

const GRANT_TYPES = ["authorization_code", "refresh_token"];
const MAX_REDIRECTS = 10;
/** Control characters and direction marks, with which a name could rewrite the sentence around it. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/u;
/** The scope of clients that name none, and of requests that ask for none. */
export const DEFAULT_SCOPE = "read";

/** Reads the metadata that a client sends. Unknown scopes, grant types and authentication methods are dropped. */
export function readMetadata(said: Record<string, unknown>): ClientMetadata | RegistrationFault {
  const uris = said.redirect_uris;
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > MAX_REDIRECTS) {
    return {
      error: "invalid_redirect_uri",
      error_description: `redirect_uris must be a list of 1 to ${MAX_REDIRECTS}`,
    };
  }
  const fault = uris.map(faultOf).find((found) => found !== null);
  if (fault) return { error: "invalid_redirect_uri", error_description: `redirect_uris ${fault}` };
  const name = readName(said.client_name, uris[0]);
  if (typeof name !== "string") return name;

  const grants = said.grant_types === undefined ? GRANT_TYPES : words(said.grant_types);
  if (!grants?.includes("authorization_code")) return invalid("grant_types must contain authorization_code");
  const responses = said.response_types === undefined ? ["code"] : words(said.response_types);
  if (!responses?.includes("code")) return invalid("response_types must contain code");
  const { scope, token_endpoint_auth_method: method = "none" } = said;
  if (typeof method !== "string") return invalid("token_endpoint_auth_method must be a string");
  if (scope !== undefined && (typeof scope !== "string" || scope.length > 2_000)) {
    return invalid("scope must be a string of scopes separated by spaces");
  }
  const scopes = readScopes(scope).known.join(" ");

  return {
    client_name: name,
    redirect_uris: [...new Set(uris as string[])],
    grant_types: GRANT_TYPES.filter((type) => grants.includes(type)),
    response_types: ["code"],
    token_endpoint_auth_method: AUTH_METHODS.find((known) => known === method) ?? "none",
    ...(scope === undefined ? {} : { scope: scopes || DEFAULT_SCOPE }),
  };
}

/** Optional in RFC 7591. Without a name, people see the host of the redirect address. */
function readName(said: unknown, firstRedirect: string): string | RegistrationFault {
  if (said === undefined || said === null) return nameFrom(firstRedirect);
  const name = typeof said === "string" ? said.trim() : "";
  if ([...name].length <= MAX_NAME_LENGTH && !UNSEEN.test(name) && canBeSeen(name)) return name;
  return invalid(`client_name must be a string of 1 to ${MAX_NAME_LENGTH} visible characters, or absent`);
}

/**
 * The workspace that a client asks for, if any. It is only a preference, and the reply does not reveal whether the
 * workspace exists.
 */
export function readPreferredWorkspace(said: unknown): string | null | RegistrationFault {
  if (said === undefined || said === null || said === "") return null;
  const parsed = slug.safeParse(typeof said === "string" ? said.trim().toLowerCase() : said);
  return parsed.success ? parsed.data : invalid("workspace must be the slug of a workspace");
}

export type Registered = { id: string; secret: string | null };

/** Stores a client. The secret is returned here and stored only as a hash. */
export async function register(ctx: Ctx, metadata: ClientMetadata, workspaceSlug: string | null): Promise<Registered> {
  const id = newId();
  const secret = metadata.token_endpoint_auth_method === "none" ? null : newSecret("ocs_");
  const kept = secret ? { ...metadata, client_secret_hash: secret.hash.toString("hex") } : metadata;
  await insertClient(ctx.db, { id, name: metadata.client_name, metadata: kept, workspaceSlug, now: ctx.now });
  return { id, secret: secret?.plaintext ?? null };
}

const words = (list: unknown): string[] | null =>
  Array.isArray(list) && list.length <= 20 && list.every((word) => typeof word === "string") ? list : null;

const invalid = (description: string): RegistrationFault => ({
  error: "invalid_client_metadata",
  error_description: description,
});
