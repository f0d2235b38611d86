import { expect, test } from "vitest";
import { authorizePath, newClient } from "../support/oauth.ts";
import { world } from "../support/world.ts";

test("behind https, the cookies of a request are secure, even if this connection is not", async () => {
  const here = await world();
  const path = authorizePath({ clientId: await newClient(here), scope: "read" });
  const reply = await fetch(here.app.baseUrl + path, { redirect: "manual" });
  expect(reply.status).toBe(303);
  const cookies = reply.headers.getSetCookie();
  expect(cookies).toHaveLength(4);
  for (const cookie of cookies) expect(cookie).toMatch(/; secure/i);
});
