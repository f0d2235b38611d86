import { expect, test } from "vitest";
import { loggedPath } from "../../src/api/http/logged-path.ts";

test("paths are logged without the secrets in them", () => {
  expect(loggedPath("/hooks/commits/token")).toBe("/hooks/commits/…");
  expect(loggedPath("/Hooks/Commits/token/more")).toBe("/Hooks/Commits/…");
  expect(loggedPath("/oauth/consent/id")).toBe("/oauth/consent/…");
  expect(loggedPath("/api/oauth/authorize/id")).toBe("/api/oauth/authorize/…");
  expect(loggedPath("/files/token")).toBe("/files/…");
  expect(loggedPath("/f/token")).toBe("/f/…");
  expect(loggedPath("/v1/workspaces/acme")).toBe("/v1/workspaces/acme");
});
