import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import type { Deprecation } from "../../src/api/engine/deprecation.ts";
import { operation } from "../../src/api/engine/operation.ts";
import { createApp } from "../../src/api/http/app.ts";
import { openApiDocument } from "../../src/api/openapi/document.ts";
import type { Json } from "../../src/api/openapi/schemas.ts";
import { operations } from "../../src/api/operations/index.ts";
import { runtimeOf } from "../../src/start-web.ts";
import { world } from "../support/world.ts";

/** Deprecated operations, with an operation of this test's own. */

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.closeAllConnections();
});

const deprecatedCall = (deprecated: Deprecation) =>
  operation({
    id: "moods.get",
    route: "GET W/mood",
    summary: "Read the mood",
    about: "The mood of everybody.",
    deprecated,
    needs: "any",
    limitedKeys: "refuse",
    returns: z.object({ mood: z.string().meta({ examples: ["good"] }) }),
    handle: async () => ({ mood: "good" }),
  });

async function serve(deprecated: Deprecation) {
  const { app, workspace, owner } = await world();
  const koa = createApp({
    runtime: runtimeOf(app.resources, new AbortController().signal),
    operations: [deprecatedCall(deprecated)],
    otherRoutes: [],
    pages: () => {},
    problemPage: () => {},
    oauth: (_, next) => next(),
    cookieKeys: ["test"],
    log: app.resources.log,
    trustedProxies: 0,
    isUnavailable: () => false,
    onRequest: () => {},
    onCaller: () => {},
    onAnswer: () => {},
  });
  const server = createServer(koa.callback());
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return (headers: Record<string, string> = {}, query = "") =>
    fetch(`http://127.0.0.1:${port}/v1/workspaces/${workspace.slug}/mood${query}`, {
      headers: { authorization: `Bearer ${owner.key}`, ...headers },
    });
}

const PAGE = '<https://muster.test/changelog.md>; rel="deprecation"; type="text/markdown"';

test("every reply of a deprecated operation says so, errors too", async () => {
  const call = await serve({ since: "2027-01-01", sunset: "2027-07-01", use: "Use `GET /v1/me` instead." });
  const replies = [await call(), await call({ authorization: "Bearer wrong" }), await call({}, "?unknown=1")];
  expect(replies.map(({ status }) => status)).toEqual([200, 401, 400]);
  for (const { headers } of replies) {
    expect(headers.get("deprecation")).toBe("@1798761600");
    expect(headers.get("sunset")).toBe("Thu, 01 Jul 2027 00:00:00 GMT");
    expect(headers.get("link")).toBe(`${PAGE}, ${PAGE.replace('"deprecation"', '"sunset"')}`);
  }
});

test("what is to stay has no Sunset, and pages of other sites may read the headers", async () => {
  const call = await serve({ since: "2027-01-01", use: "Use `GET /v1/me` instead." });
  const { headers } = await call({ origin: "https://other.test" });
  expect(headers.get("sunset")).toBeNull();
  expect(headers.get("link")).toBe(PAGE);
  expect(headers.get("access-control-expose-headers")?.split(",")).toEqual(
    expect.arrayContaining(["Deprecation", "Sunset", "Link"]),
  );
});

test("the API description marks it and says what to use instead", () => {
  const deprecated = { since: "2027-01-01", sunset: "2027-07-01", use: "Use `GET /v1/me` instead." };
  const document = openApiDocument([deprecatedCall(deprecated)], "https://muster.test");
  const call = (document.paths as Record<string, Record<string, Json>>)["/v1/workspaces/{slug}/mood"]!.get!;
  expect(call.deprecated).toBe(true);
  expect(call.description).toMatch(
    /^\*\*Deprecated\*\* since 2027-01-01; it may be gone from 2027-07-01\. Use `GET \/v1\/me` instead\.\n\nThe mood/,
  );
  const headers = (call.responses as Record<string, { headers: Json }>)["200"]!.headers;
  expect(Object.keys(headers)).toEqual(expect.arrayContaining(["Deprecation", "Sunset", "Link"]));
});

test("an operation is deprecated for six months at least", () => {
  for (const { id, deprecated } of operations) {
    if (!deprecated?.sunset) continue;
    const days = (Date.parse(deprecated.sunset) - Date.parse(deprecated.since)) / (24 * 3600 * 1000);
    expect(days, id).toBeGreaterThanOrEqual(180);
  }
});
