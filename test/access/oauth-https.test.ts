import { expect, test } from "vitest";
import { authorizePath, newClient } from "../support/oauth.ts";
import { world } from "../support/world.ts";

test("behind https, cookies of a request are for https alone, whatever this connection is", async () => {
  const here = await world();
  const path = authorizePath({ clientId: await newClient(here), scope: "read" });
  const reply = await fetch(here.app.baseUrl + path, { redirect: "manual" });
  expect(reply.status).toBe(303);
  const cookies = reply.headers.getSetCookie();
  expect(cookies).toHaveLength(4);
  for (const cookie of cookies) expect(cookie).toMatch(/; secure/i);
});
