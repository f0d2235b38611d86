import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import Router from "@koa/router";
import Koa from "koa";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commerceProfile } from "../../src/api/discovery/commerce-profile.ts";
import { discoveryPages } from "../../src/api/discovery/discovery.ts";
import { paymentDocument } from "../../src/api/discovery/payment-document.ts";
import { tagOf } from "../../src/api/openapi/describe.ts";
import type { Json } from "../../src/api/openapi/schemas.ts";
import { TAGS } from "../../src/api/openapi/tags.ts";
import { operations } from "../../src/api/operations/index.ts";
import { openReceiptKeys } from "../../src/domain/tenancy/credits/receipts.ts";

const BASE = "https://muster.test";
const SEED = Buffer.alloc(32, "discovery").toString("base64");
const keys = openReceiptKeys({ current: SEED, retired: [Buffer.alloc(32, "earlier").toString("base64")] }).jwks();
const offer = { baseUrl: BASE, method: "stripe" };

const app = new Koa();
const router = new Router();
discoveryPages({ ...offer, operations, signingKeys: () => keys })(router);
const server = createServer(app.use(router.routes()).callback());
beforeAll(() => new Promise<void>((done) => server.listen(0, "127.0.0.1", done)));
afterAll(() => new Promise((done) => server.close(done)));

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { headers, redirect: "error" });
const purchases = (document: Json) =>
  Object.entries(document.paths as Record<string, { post: Json }>).map(
    ([path, { post }]) => ({ path, ...post }) as Json,
  );

test.each([
  ["/.well-known/ucp", "application/json; charset=utf-8"],
  ["/openapi.json", "application/json; charset=utf-8"],
  ["/api/mpp/v1/openapi.json", "application/json; charset=utf-8"],
  ["/llms.txt", "text/plain; charset=utf-8"],
  ["/operations.md", "text/markdown; charset=utf-8"],
])("%s is public, small, and not sent again while it is unchanged", async (path, type) => {
  const first = await get(path);
  expect(first.status).toBe(200);
  expect(first.headers.get("content-type")).toBe(type);
  expect(first.headers.get("cache-control")).toBe("public, max-age=300");
  expect((await first.text()).length).toBeLessThan(64 * 1024);
  const etag = first.headers.get("etag") as string;
  const again = await get(path, { "if-none-match": etag, "cache-control": "max-age=0" });
  expect(again.status).toBe(304);
});

test("the profile has the keys in all three places, and nothing secret", async () => {
  const profile = (await (await get("/.well-known/ucp")).json()) as Record<string, Json>;
  expect(profile.signing_keys).toEqual(keys);
  expect(profile.keys).toEqual(keys);
  expect(profile.ucp!.signing_keys).toEqual(keys);
  expect(JSON.stringify(profile)).not.toContain('"d":');
  expect(profile.ucp).toMatchObject({
    version: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
    services: { "test.muster.credits": [{ transport: "rest", endpoint: `${BASE}/api/mpp/v1` }] },
    payment_handlers: {},
  });
});

test.each([
  ["http://localhost:3000", "localhost.credits"],
  ["https://my-app.herokuapp.com", "com.herokuapp.my_app.credits"],
  ["http://127.0.0.1:3000", "n1.n0.n0.n127.credits"],
  ["http://[::1]:3000", "n___1_.credits"],
])("%s has a service with a reverse-domain name", (baseUrl, name) => {
  const { services } = commerceProfile(baseUrl, keys).ucp as { services: Json };
  expect(Object.keys(services)).toEqual([name]);
  expect(name).toMatch(/^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$/);
});

test("the description of purchases has the spec's payment info, all strings", async () => {
  const document = (await (await get("/api/mpp/v1/openapi.json")).json()) as Json;
  expect(document).toMatchObject({ openapi: "3.1.0", info: { version: "1.0.0" } });
  expect(document["x-service-info"]).toEqual({
    categories: ["software", "productivity", "project-management"],
    docs: { homepage: BASE, apiReference: `${BASE}/docs`, llms: `${BASE}/llms.txt` },
  });
  expect(purchases(document).map(({ path, operationId }) => [path, operationId])).toEqual([
    ["/api/mpp/v1/credits/small", "buyCreditsSmall"],
    ["/api/mpp/v1/credits/medium", "buyCreditsMedium"],
    ["/api/mpp/v1/credits/large", "buyCreditsLarge"],
    ["/api/mpp/v1/credits/custom", "buyCreditsCustom"],
  ]);
  const small = { intent: "charge", method: "stripe", amount: "2000", currency: "USD", description: "2000 AI credits" };
  const infos = purchases(document).map((purchase) => purchase["x-payment-info"] as Json);
  expect(infos[0]).toEqual({ ...small, offers: [small] });
  expect(infos.map(({ amount }) => amount)).toEqual(["2000", "5000", "10000", "500"]);
  for (const { offers, ...flat } of infos) expect(offers).toEqual([flat]);
});

test("each purchase declares its answers and its body", () => {
  for (const { path, responses, requestBody } of purchases(paymentDocument("full", offer)) as Record<string, Json>[]) {
    expect(Object.keys(responses!), String(path)).toEqual(["200", "400", "401", "402", "403"]);
    expect(requestBody!.required).toBe(String(path).endsWith("custom"));
  }
  const custom = purchases(paymentDocument("full", offer))[3]!.requestBody as {
    content: Record<string, { schema: Json }>;
  };
  expect(custom.content["application/json"]!.schema).toMatchObject({
    required: ["credits"],
    properties: { credits: { type: "integer", minimum: 500, maximum: 50_000 } },
  });
});

test("llms.txt and both documents list the other replies and what a buyer does then", async () => {
  const guide = await (await get("/llms.txt")).text();
  const documents = (["full", "standard"] as const).map((form) => paymentDocument(form, offer));
  const introductions = documents.map((document) => String((document.info as Json).description));
  for (const text of [guide, ...introductions]) {
    for (const status of [202, 409, 429, 503]) expect(text).toMatch(new RegExp(`^- ${status}: `, "m"));
    for (const word of ["idempotency_in_progress", "payment_unknown", "retryable", "refunded"])
      expect(text).toContain(word);
    // A used challenge is not always a paid one, and a person can open the address they are sent to.
    expect(text).toMatch(/`consumed` means that it was paid.*`failed` means/s);
    expect(text).toMatch(/send an owner or admin to `error\.details\.action_url`/);
    expect(text).not.toMatch(/means that the challenge was paid already/);
  }
  for (const purchase of documents.flatMap((document) => purchases(document))) {
    for (const status of [202, 409, 429, 503]) expect(purchase.description).toMatch(new RegExp(`^- ${status}: `, "m"));
  }
});

test("the guides say what an agent would have to guess", async () => {
  const guide = await (await get("/llms.txt")).text();
  for (const call of ["GET W/projects", "POST W/projects/WEB/issues", "GET W/search?q="]) expect(guide).toContain(call);
  expect(guide).toMatch(/shared payment token is one that your wallet issues for this seller/);
  const steps = await (await get("/auth.md")).text();
  expect(steps).toMatch(/`admin` is not ticked/);
  expect(steps).toMatch(/or to step 1\s+if you registered without it/);
});

test("clients of the Payment scheme get offers alone, else the same document", async () => {
  const standard = (await (await get("/openapi.json")).json()) as Json;
  const infos = purchases(standard).map((purchase) => purchase["x-payment-info"] as Json);
  expect(infos.map((info) => Object.keys(info))).toEqual(Array(4).fill(["offers"]));
  const bare = (document: Json) => purchases(document).map(({ "x-payment-info": _, ...rest }) => rest);
  expect(bare(standard)).toEqual(bare(JSON.parse(JSON.stringify(paymentDocument("full", offer)))));
});

test("the method's name is the configured one, everywhere", () => {
  const text = JSON.stringify(paymentDocument("full", { baseUrl: BASE, method: "acmepay" }));
  expect(text.match(/"method":"acmepay"/g)).toHaveLength(8);
  expect(text).not.toContain("stripe");
});

test.each(["full", "standard"] as const)("redocly finds no error in the %s document", async (form) => {
  const folder = await mkdtemp(join(tmpdir(), "muster-discovery-"));
  const file = join(folder, `${form}.json`);
  try {
    await writeFile(file, JSON.stringify(paymentDocument(form, offer)));
    const cli = join(dirname(createRequire(import.meta.url).resolve("@redocly/cli/package.json")), "bin/cli.js");
    const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
    const lint = promisify(execFile)(process.execPath, [cli, "lint", "--format=json", file], { env });
    const { stdout } = await lint.catch((error: { stdout: string; stderr: string }) => error);
    expect(JSON.parse(stdout).totals, stdout).toEqual({ errors: 0, warnings: 0, ignored: 0 });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("llms.txt explains to an agent how to start, how to pay, and where everything else is", async () => {
  const text = await (await get("/llms.txt")).text();
  expect(text).toMatch(/^# Muster\n\n> /);
  for (const word of [
    "X-Api-Key",
    "agent_name",
    "W/agent-events",
    "Payment payload=",
    "Payment-Receipt",
    "20.00 USD",
    "50.00 USD",
    "100.00 USD",
    "/purchases/",
  ]) {
    expect(text).toContain(word);
  }
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link as string);
  expect(links).toContain(`${BASE}/openapi.json`);
  for (const link of links) expect(link).toMatch(/^https:\/\/muster\.test\/[\w./-]+$/);
});

test("every operation is listed with what its group is used for, and the introduction names the group", async () => {
  const [all, introduction] = await Promise.all(
    ["/operations.md", "/llms.txt"].map(async (path) => (await get(path)).text()),
  );
  const groups = new Set(operations.map(tagOf));
  for (const group of groups) {
    expect(TAGS[group]?.split(" ").length, group).toBeGreaterThan(5);
    expect(all).toContain(`### ${group}\n\n${TAGS[group]}\n`);
    expect(introduction).toMatch(new RegExp(`^- .*: .*\\b${group}\\b`, "m"));
  }
  const lines = all!.split("\n").filter((line) => line.startsWith("- `"));
  expect(lines).toHaveLength(operations.length);
  for (const { summary } of operations)
    expect(
      lines.some((line) => line.endsWith(`: ${summary}`)),
      summary,
    ).toBe(true);
});
