import Router from "@koa/router";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { operations } from "../../src/api/operations/index.ts";
import { pages } from "../../src/api/pages/index.ts";
import { app } from "../support/app.ts";
import { browser } from "../support/browser.ts";
import { hookOf, signature } from "../support/commits.ts";
import { expectShortTurns, startWatched, type WatchedProcess } from "../support/loop.ts";
import { named, sampled } from "../support/sample.ts";
import { sources, visit } from "../support/syntax.ts";
import { type World, world } from "../support/world.ts";
import { exampleOf, type Params, pathOf } from "./examples.ts";
import { type Place, put } from "./hostile.ts";
import { textPlaces } from "./text-places.ts";
import { worstOfAll, worstTexts } from "./worst-texts.ts";

/**
 * Sends the worst texts, at and above the maximum length, to every input. Another client's call waits at most as long
 * as the event loop is blocked, so the test measures that, as the process's own computing time, which a busy machine
 * does not change. (The promise is a wait of 100 ms; the limit here is 50 ms of computing.)
 */

const MiB = 1024 * 1024;
/** Shorter texts are fast for every pattern, so only one, with parts of all kinds, is sent. */
const LONG = 3_000;

const WIDE = Object.fromEntries(
  [
    ...["PUBLIC_FORMS_PER_MINUTE", "ANONYMOUS_READS_PER_MINUTE", "SIGN_INS_PER_MINUTE", "BAD_CREDENTIALS_PER_MINUTE"],
    ...["OAUTH_REGISTRATIONS_PER_HOUR", "OAUTH_REGISTRATIONS_PER_DAY", "OAUTH_AUTHORIZATIONS_PER_MINUTE"],
    "OAUTH_TOKEN_REQUESTS_PER_MINUTE",
  ].map((name) => [name, "100000"]),
);

let web: WatchedProcess;
beforeAll(async () => {
  // Without a mail server, sign-in returns 503.
  web = await startWatched((await app()).config, { ...WIDE, SMTP_URL: "smtp://127.0.0.1:1" });
});
afterAll(() => web?.kill());

type Sent = { method: string; path: string; headers?: Record<string, string>; body?: string };

/** Sends a call. Expects no server error, and no long turn of the event loop. */
const expectShort = (what: string, sent: () => Sent) =>
  expectShortTurns(web, what, async () => {
    const { method, path, headers = {}, body } = sent();
    const options = { method: method as "GET", headers, ...(body ? { body } : {}) };
    const { statusCode: status, headers: received, body: answer } = await request(web.url + path, options);
    const isEndless = String(received["content-type"]).startsWith("text/event-stream");
    const text = isEndless ? "" : await answer.text();
    if (isEndless) answer.on("error", () => {}).destroy();
    // While the processor is unreachable, purchases return 503.
    if (!text.includes("payments_off") && !path.includes("/cards/")) {
      expect(`${what}: ${status}`, text.slice(0, 300)).toMatch(/: [234]\d\d$/);
    }
  });

const bearer = ({ owner }: World) => ({ authorization: `Bearer ${owner.key}` });
const json = { "content-type": "application/json" };

const withBodies = operations.filter(({ body }) => body).map((operation) => ({ id: operation.id, operation }));
describe.each(sampled(withBodies, 8))(named("the body of $id"), ({ operation }) => {
  const { params: make, body } = exampleOf(operation);

  test("handles any text within the time limit", { timeout: 300_000 }, async () => {
    const here = await world();
    const path = pathOf(operation, here, await make?.(here));
    let n = 1;
    const sent =
      ({ path: place, variants }: Place, text: string) =>
      () => {
        const good = body?.(n++, here) ?? {};
        const item = operation.item ? (good.items as Record<string, unknown>[])[0]! : good;
        const one = put(item, place, JSON.stringify(text), variants);
        const raw = operation.item ? `{"items":[${one}]}` : one;
        return { method: operation.method, path, headers: { ...bearer(here), ...json }, body: raw };
      };
    for (const place of textPlaces(operation)) {
      const { most } = place;
      const where = `/${place.path.join("/")}`;
      const length = Math.min(most ?? MiB, 150_000);
      const texts = length > LONG ? worstTexts(length) : [{ what: "all kinds", text: worstOfAll(length) }];
      for (const { what, text } of texts) await expectShort(`${what} at ${where}`, sent(place, text));
      await expectShort(`too many digits at ${where}`, sent(place, "1".repeat(900_000)));
    }
  });
});

test("queries and paths", { timeout: 300_000 }, async () => {
  const here = await world();
  for (const operation of operations.filter(({ writes }) => !writes)) {
    const params = (await exampleOf(operation).params?.(here)) ?? {};
    const get = (path: string) => () => ({ method: "GET", path, headers: bearer(here) });
    const names = ["cursor", "limit", "fields", ...Object.keys(operation.query?.shape ?? {})];
    for (const name of names) {
      const query = `${name}=${encodeURIComponent(worstOfAll(3_900))}`;
      await expectShort(`${operation.id} ${name}`, get(`${pathOf(operation, here, params)}?${query}`));
    }
    for (const [, name] of operation.path.matchAll(/\{(\w+)\}/g)) {
      const worst: Params = { ...params, [name!]: worstOfAll(500) };
      await expectShort(`${operation.id} {${name}}`, get(pathOf(operation, here, worst)));
    }
  }
  for (const unit of ["a", "-", "%2F", "a/", "%20"]) {
    const long = unit.repeat(Math.floor(28_000 / unit.length));
    for (const path of [
      "/v1/",
      "/f/",
      "/w/",
      "/hooks/commits/",
      "/files/",
      "/problems/",
      "/oauth/consent/",
      "/docs/",
    ]) {
      await expectShort(`${path} and ${unit}`, () => ({ method: "GET", path: path + long }));
    }
  }
});

test("headers", { timeout: 300_000 }, async () => {
  const here = await world();
  const path = pathOf(operations.find(({ id }) => id === "issues.create")!, here);
  const names = [
    ...["authorization", "x-api-key", "prefer", "content-type", "idempotency-key", "accept", "cookie", "x-request-id"],
    ...["origin", "payment-authorization", "range", "if-none-match", "accept-language", "x-forwarded-for", "forwarded"],
  ];
  const units = ["a", "1", " ,", "\\", "=", "a=b; ", '"', "a,b;q=0.1,", "Bearer ", "Payment "];
  for (const name of names) {
    for (const unit of units) {
      const headers = { ...bearer(here), ...json, [name]: unit.repeat(Math.floor(28_000 / unit.length)) };
      await expectShort(`${name}: ${unit}`, () => ({ method: "POST", path, headers, body: '{"title":"x"}' }));
    }
  }
  const buy = "/api/mpp/v1/credits/small";
  for (const unit of ["a", "=", '"', "payload=", "W10", "eyI"]) {
    const authorization = `Payment ${unit.repeat(Math.floor(16_000 / unit.length))}`;
    const headers = { "x-api-key": here.owner.key!, authorization };
    await expectShort(`a credential of ${unit}`, () => ({ method: "POST", path: buy, headers }));
  }
});

test("queries of many parameters", { timeout: 300_000 }, async () => {
  const here = await world();
  for (const path of ["/v1/me", "/nothing", "/sign-in", "/f/form", "/api/oauth/authorize", "/admin/queues"]) {
    for (const unit of ["a&", "a=1&", "&", "scope=a&"]) {
      const query = unit.repeat(Math.floor(28_000 / unit.length));
      await expectShort(`${path} and ${unit}`, () => ({
        method: "GET",
        path: `${path}?${query}`,
        headers: bearer(here),
      }));
    }
  }
});

test("hooks", { timeout: 300_000 }, async () => {
  const here = await world();
  const hook = await hookOf(here);
  const path = new URL(hook.url).pathname;
  const signed = (payload: string, event: string, type = "application/json") => ({
    method: "POST",
    path,
    body: payload,
    headers: { "content-type": type, "x-github-event": event, ...signature(hook, payload) },
  });
  const id = (n: number) => n.toString(16).padStart(40, "0");
  for (const { what, text: message } of worstTexts(64_000)) {
    const commits = Array.from({ length: 20 }, (_, n) => ({ id: id(n), message, url: message, timestamp: message }));
    const push = JSON.stringify({ ref: message, repository: { full_name: message }, commits });
    await expectShort(`a push of ${what}`, () => signed(push, "push"));
  }
  for (const unit of ["A-1 ", "AB-", "_A"]) {
    const head = { sha: id(1), ref: unit.repeat(100_000) };
    const request = JSON.stringify({ pull_request: { head, title: "x", body: unit.repeat(MiB / 2) } });
    await expectShort(`a pull request of ${unit}`, () => signed(request, "pull_request"));
  }
  const names = Array.from({ length: 39_000 }, (_, n) => `"name${n}":1`).join(",");
  await expectShort("a message of many names", () => signed(`{${names}}`, "push"));
  const form = "application/x-www-form-urlencoded";
  await expectShort("a form of escapes", () => signed(`payload=${"%41".repeat(MiB)}`, "push", form));
  await expectShort("a form of many fields", () => signed("a&".repeat(2 * MiB), "push", form));
  const headers = { ...json, "stripe-signature": "t=1,v1=a,".repeat(3_000) };
  const notice = { method: "POST", path: "/api/webhooks/stripe", headers, body: "x".repeat(250_000) };
  await expectShort("a notice", () => notice);
});

const FORM = { "content-type": "application/x-www-form-urlencoded" };

/** The names of form fields that our pages read, and the paths that accept forms. */
function pageInputs() {
  const names = new Set<string>();
  for (const { file, syntax } of sources()) {
    if (!file.startsWith("src/api/pages/people/") && !file.startsWith("src/api/pages/site/")) continue;
    visit(syntax, (node) => {
      if (node.type !== "CallExpression") return;
      // biome-ignore lint/suspicious/noExplicitAny: the parser's own shapes
      const { callee, arguments: args } = node as any;
      const called = callee.property?.value ?? callee.value;
      const [first] = args;
      if (/^(text|all|query)$/.test(called) && first?.expression.type === "StringLiteral") {
        names.add(first.expression.value);
      }
    });
  }
  const router = new Router();
  // The routes are only listed, so the pages get no more than creating them requires.
  const settings = { payments: {} };
  pages({ operations, settings, runtime: { settings, ports: {} }, oauth: { provider: {} } } as never)(router);
  const posts = router.stack.filter(({ methods }) => methods.includes("POST")).map(({ path }) => String(path));
  return { names: [...names], posts };
}

test(named("forms of pages"), { timeout: 600_000 }, async () => {
  const here = await world();
  const visitor = await browser(here.app, here.owner.userId);
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const { names, posts } = pageInputs();
  expect(names.length).toBeGreaterThan(10);
  expect(posts.length).toBeGreaterThan(15);
  const staying = posts.filter((path) => path !== "/sign-out" && !path.endsWith("/leave"));
  // All of them are read in the same way.
  for (const pattern of sampled(staying, 12)) {
    const path = pattern.replace(":slug", here.workspace.slug).replaceAll(/:\w+/g, "x");
    const send = (body: string) => () => ({ method: "POST", path, headers: { ...FORM, cookie }, body });
    const text = worstOfAll(Math.floor(20_000 / names.length));
    const all = new URLSearchParams(names.map((name): [string, string] => [name, text]));
    await expectShort(`${path} with all kinds everywhere`, send(all.toString().slice(0, 60_000)));
    for (let from = 0; from < names.length; from += 4) {
      const some = names.slice(from, from + 4);
      const digits = some.map((name) => `${name}=${"1".repeat(7_000)}${"+".repeat(7_000)}x`);
      await expectShort(`${path} with ${some}`, send(digits.join("&")));
    }
    await expectShort(`${path} with many fields`, send("a&".repeat(11_000)));
  }
});

test("OAuth", { timeout: 300_000 }, async () => {
  for (const { what, text } of worstTexts(6_000)) {
    const encoded = encodeURIComponent(text).slice(0, 40_000);
    for (const name of [
      "grant_type",
      "code",
      "client_id",
      "redirect_uri",
      "scope",
      "resource",
      "token",
      "code_verifier",
    ]) {
      const body = `grant_type=authorization_code&client_id=x&${name}=${encoded}`;
      for (const path of ["/api/oauth/token", "/api/oauth/revoke"]) {
        await expectShort(`${path} ${name} ${what}`, () => ({ method: "POST", path, headers: FORM, body }));
      }
    }
    for (const name of ["client_id", "redirect_uri", "scope", "state", "code_challenge", "resource", "prompt"]) {
      const path = `/api/oauth/authorize?response_type=code&client_id=x&${name}=${encoded.slice(0, 24_000)}`;
      await expectShort(`authorize ${name} ${what}`, () => ({ method: "GET", path }));
    }
    for (const name of ["client_name", "scope", "workspace", "redirect_uris", "grant_types", "client_uri"]) {
      const said = {
        client_name: "x",
        redirect_uris: ["http://127.0.0.1/cb"],
        [name]: /s$/.test(name) ? [text] : text,
      };
      const body = JSON.stringify(said);
      await expectShort(`register ${name} ${what}`, () => ({
        method: "POST",
        path: "/api/oauth/register",
        headers: json,
        body,
      }));
    }
  }
});
