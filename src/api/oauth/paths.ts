/** The paths of the OAuth endpoints. Other spellings are not accepted. */
export const OAUTH_PATHS = {
  register: "/api/oauth/register",
  authorize: "/api/oauth/authorize",
  token: "/api/oauth/token",
  revoke: "/api/oauth/revoke",
} as const;

/** The consent page. Each authorization request has its own address below it. */
export const CONSENT_PATH = "/oauth/consent";
export const AUTH_GUIDE_PATH = "/auth.md";
