import { afterAll, expect, test } from "vitest";
import { app } from "../support/app.ts";
import { type Process, startProcess } from "../support/process.ts";
import { world } from "../support/world.ts";

/** Strict-Transport-Security (RFC 6797). */

let plain: Process | undefined;
afterAll(() => plain?.kill());

const PATHS = [
  "/v1/me",
  "/nothing/here",
  "/docs",
  "/openapi.json",
  "/llms.txt",
  "/healthz",
  "/sign-in",
  "/w",
  "/assets/pages.css",
  "/f/nothing",
  "/files/nothing",
  "/problems/not_found",
  "/admin/queues",
  "/.well-known/oauth-authorization-server",
  "/api/oauth/authorize",
  "/api/oauth/token",
  "/api/mcp/v1",
];

test("every reply tells browsers to use only https if the service uses https", async () => {
  const { baseUrl } = await app();
  for (const path of PATHS) {
    for (const method of ["GET", "HEAD", "POST", "OPTIONS"]) {
      const reply = await fetch(baseUrl + path, { method, redirect: "manual" });
      expect(`${method} ${path} ${reply.headers.get("strict-transport-security")}`).toBe(
        `${method} ${path} max-age=31536000`,
      );
    }
  }
});

test("a reply with an internal error does so, too", async () => {
  const { owner, sql } = await world();
  await sql(`alter table issue add constraint broken check (title <> 'broken')`);
  const reply = await owner.post("P/issues", { title: "broken" }).expect(500);
  expect(reply.headers.get("strict-transport-security")).toBe("max-age=31536000");
});

test("a service that uses http does not mention https", async () => {
  const { config } = await app();
  plain = await startProcess("web", config, { BASE_URL: "http://localhost:3000" });
  for (const path of PATHS) {
    const reply = await fetch(plain.url + path, { redirect: "manual" });
    expect(reply.headers.has("strict-transport-security"), path).toBe(false);
  }
});
