import { count, some } from "./types.ts";

/** How often OAuth clients may call. */
export const oauthVariables = {
  OAUTH_REGISTRATIONS_PER_HOUR: some
    .default(20)
    .describe("OAuth clients that may register within an hour from one address."),
  OAUTH_REGISTRATIONS_PER_DAY: some
    .default(60)
    .describe("OAuth clients that may register within a day and name the same workspace."),
  OAUTH_TOKEN_REQUESTS_PER_MINUTE: some
    .default(60)
    .describe(
      "Requests a minute to the token and revocation endpoints: of one OAuth client from one address, and of one grant.",
    ),
  OAUTH_AUTHORIZATIONS_PER_MINUTE: some.default(60).describe("Authorization requests a minute from one address."),
  OAUTH_REUSE_QUIET_SECONDS: count
    .default(10)
    .describe("A refresh token used again so soon after its use is refused without ending its grant."),
};
