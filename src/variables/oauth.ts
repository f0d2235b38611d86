import { count, some } from "./types.ts";

/** Rate limits of OAuth clients. */
export const oauthVariables = {
  OAUTH_REGISTRATIONS_PER_HOUR: some
    .default(20)
    .describe("OAuth clients that may register per hour from one network address."),
  OAUTH_REGISTRATIONS_PER_DAY: some
    .default(60)
    .describe("OAuth clients that may register per day and name the same workspace."),
  OAUTH_TOKEN_REQUESTS_PER_MINUTE: some
    .default(60)
    .describe(
      "Requests per minute to the token and revocation endpoints: of one OAuth client from one network address, and of one grant.",
    ),
  OAUTH_AUTHORIZATIONS_PER_MINUTE: some
    .default(60)
    .describe("Authorization requests per minute from one network address."),
  OAUTH_REUSE_QUIET_SECONDS: count
    .default(10)
    .describe("Seconds after its use in which a reused refresh token is rejected without ending its grant."),
};
