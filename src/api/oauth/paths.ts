/** Where the OAuth endpoints are; whatever is spelled otherwise is nothing. */
export const OAUTH_PATHS = {
  register: "/api/oauth/register",
  authorize: "/api/oauth/authorize",
  token: "/api/oauth/token",
  revoke: "/api/oauth/revoke",
} as const;

/** The page that asks a person, below which each authorization request has an address of its own. */
export const CONSENT_PATH = "/oauth/consent";
export const AUTH_GUIDE_PATH = "/auth.md";
