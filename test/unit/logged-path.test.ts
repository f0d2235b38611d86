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

test("segments of any other shape than words, ids, keys and slugs are not logged", () => {
  const id = "0199a7b2-8c1d-7e3f-9a4b-5c6d7e8f9012";
  expect(loggedPath(`/v1/workspaces/acme-1/projects/WEB/issues/WEB-12/comments/${id}`)).toBe(
    `/v1/workspaces/acme-1/projects/WEB/issues/WEB-12/comments/${id}`,
  );
  expect(loggedPath("/v1/workspaces/acme/members/ada@acme.test")).toBe("/v1/workspaces/acme/members/…");
  expect(loggedPath("/v1/workspaces/acme/members/ada%40acme.test/x")).toBe("/v1/workspaces/acme/members/…/x");
  expect(loggedPath(`/nothing/${"a".repeat(41)}`)).toBe("/nothing/…");
  expect(loggedPath("/.well-known/oauth-authorization-server/")).toBe("/.well-known/oauth-authorization-server/");
  expect(loggedPath("/")).toBe("/");
});
