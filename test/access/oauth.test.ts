import { expect, test } from "vitest";
import { connect, me, post, refresh, servePublicly } from "../support/oauth.ts";
import { world } from "../support/world.ts";

await servePublicly();

test("a program registers, a person approves it, and it works with its token until that is revoked", async () => {
  const here = await world();
  const tokens = await connect(here, here.owner.userId);
  expect(tokens).toMatchObject({
    token_type: "Bearer",
    expires_in: 3600,
    scope: "read write",
    workspace: here.workspace.slug,
  });
  expect(tokens.access_token).toMatch(/^oat_/);
  expect(tokens.refresh_token).toMatch(/^ort_/);

  const who = await me(here, tokens.access_token);
  expect(who.status, who.text).toBe(200);
  // The token's end, and not that of the grant, which lives for a year.
  const seconds = (Date.parse(who.body.data.expiresAt) - Date.now()) / 1000;
  expect(seconds).toBeGreaterThan(3_500);
  expect(seconds).toBeLessThanOrEqual(3_600);
  expect(who.body.data).toMatchObject({
    name: "Robot",
    kind: "oauth",
    prefix: "oat_",
    scopes: ["read", "write"],
    user: null,
    agent: { id: tokens.agent_id, name: "Robot" },
    workspace: { slug: here.workspace.slug },
    role: "member",
  });

  const next = await refresh(here, tokens.clientId, tokens.refresh_token);
  expect(next.status, next.text).toBe(200);
  expect((await me(here, next.body.access_token)).status).toBe(200);

  const gone = await post(here, "revoke", { token: next.body.refresh_token, client_id: tokens.clientId });
  expect([gone.status, gone.text]).toEqual([200, ""]);
  expect((await me(here, next.body.access_token)).status).toBe(401);
  expect((await me(here, tokens.access_token)).status).toBe(401);
  expect((await refresh(here, tokens.clientId, next.body.refresh_token)).body.error).toBe("invalid_grant");
});
