import { count, some } from "./types.ts";

/** Rate limits. Those of OAuth are in oauth.ts. */
export const limitVariables = {
  RATE_LIMIT_PER_MINUTE: some.default(600).describe("Requests per minute of a key without its own limit."),
  BAD_CREDENTIALS_PER_MINUTE: some
    .default(100)
    .describe("Requests per minute with an invalid credential or operator password from one network address."),
  SIGN_INS_PER_MINUTE: some.default(20).describe("Sign-in forms per minute from one network address."),
  ANONYMOUS_READS_PER_MINUTE: some.default(120).describe("Public forms opened per minute from one network address."),
  PUBLIC_FORMS_PER_MINUTE: some.default(10).describe("Answers to public forms per minute from one network address."),
  INVITES_PER_DAY: some.default(100).describe("Invites a person may send in 24 hours."),
  WORKSPACES_PER_DAY: count.default(10).describe("Workspaces a person may create in 24 hours."),
};
