import { count, some } from "./types.ts";

/** How often callers may do what costs something; OAuth has a file of its own. */
export const limitVariables = {
  RATE_LIMIT_PER_MINUTE: some.default(600).describe("Requests a minute of a key that has no limit of its own."),
  BAD_CREDENTIALS_PER_MINUTE: some
    .default(100)
    .describe("Requests with a bad credential, or a wrong operator password, a minute from one address."),
  SIGN_INS_PER_MINUTE: some.default(20).describe("Forms of signing in a minute from one address."),
  ANONYMOUS_READS_PER_MINUTE: some.default(120).describe("Public forms opened a minute from one address."),
  PUBLIC_FORMS_PER_MINUTE: some.default(10).describe("Answers to public forms a minute from one address."),
  INVITES_PER_DAY: some.default(100).describe("Invites a person may send in 24 hours."),
  WORKSPACES_PER_DAY: count.default(10).describe("Workspaces a person may create in 24 hours."),
};
