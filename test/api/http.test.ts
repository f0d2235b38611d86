import { expect, test } from "vitest";
import { world } from "../support/world.ts";

test("an Idempotency-Key replays the first answer, refuses another body and stores no refusal", async () => {
  const { owner } = await world();
  const headers = { "idempotency-key": "k1" };
  await owner.post("P/issues", { title: "" }, { headers }).expect(400);
  const first = await owner.post("P/issues", { title: "once" }, { headers }).expect(201);
  const again = await owner.post("P/issues", { title: "once" }, { headers: { "idempotency-key": '"k1"' } }).expect(201);
  expect(again.text).toBe(first.text);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  const other = await owner.post("P/issues", { title: "other" }, { headers }).expect(409, "idempotency_key_reused");
  expect(other.body.error.code).toBe("idempotency_violation");
  await owner
    .post("P/issues", { title: "x" }, { headers: { "idempotency-key": "x".repeat(256) } })
    .expect(400, "invalid_parameter");
  expect((await owner.get("P/issues")).data).toHaveLength(1);
});

test("20 parallel requests with one Idempotency-Key change one thing", async () => {
  const { owner } = await world();
  const headers = { "idempotency-key": "parallel" };
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => owner.post("P/issues", { title: "once" }, { headers })),
  );
  expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([201]));
  expect(new Set(replies.map((reply) => reply.data.key)).size).toBe(1);
});

test("a key's rate limit is exact, shown in both spellings, and a refusal counts nothing", async () => {
  const here = await world();
  const limited = await here.keyFor(here.owner, { rateLimit: 5 });
  for (let left = 4; left >= 0; left--) {
    const reply = await limited.get("/v1/me").expect(200);
    expect(reply.headers.get("x-ratelimit-remaining")).toBe(String(left));
    expect(reply.headers.get("ratelimit")).toMatch(new RegExp(`^"key";r=${left};t=\\d+$`));
    expect(reply.headers.get("ratelimit-policy")).toBe('"key";q=5;w=60');
  }
  const refused = await limited.get("/v1/me").expect(429, "rate_limited");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(refused.body.error.details["violated-policies"]).toEqual(["key"]);

  const bulky = await here.keyFor(here.owner, { rateLimit: 4 });
  await bulky.post("P/issues/bulk", { items: Array.from({ length: 40 }, () => ({ title: "x" })) }).expect(429);
  await bulky.post("P/issues/bulk", { items: Array.from({ length: 30 }, () => ({ title: "x" })) }).expect(201);
});

test("all bad credentials get one opaque 401", async () => {
  const { owner, nobody } = await world();
  const none = await nobody.get("/v1/me").expect(401, "unauthorized");
  expect(none.headers.get("www-authenticate")).toBe(
    'Bearer realm="muster", resource_metadata="https://muster.test/.well-known/oauth-protected-resource/v1", scope="read write"',
  );
  const bodies = new Set<string>();
  for (const authorization of [
    "Bearer x",
    `Bearer ${owner.key}x`,
    "Basic abc",
    "Bearer",
    `Bearer wk_${"0".repeat(49)}`,
  ]) {
    const reply = await nobody.get("/v1/me", { headers: { authorization } }).expect(401);
    bodies.add(JSON.stringify({ ...reply.body, request_id: "" }));
  }
  expect(bodies.size).toBe(1);
  await nobody.get("/v1/me", { headers: { "x-api-key": owner.key! } }).expect(200);
  await nobody.get("/v1/me", { headers: { authorization: `bearer ${owner.key}` } }).expect(200);
});

test("requests have ids, Allow lists methods, and both prefixes work", async () => {
  const { owner, workspace } = await world();
  expect((await owner.get("/v1/me", { headers: { "x-request-id": "abc-1" } })).headers.get("x-request-id")).toBe(
    "abc-1",
  );
  expect((await owner.get("/v1/me", { headers: { "x-request-id": "<script>" } })).headers.get("x-request-id")).not.toBe(
    "<script>",
  );
  await owner.get("/api/v1/me").expect(200);
  const wrong = await owner.put("/v1/me").expect(405, "method_not_allowed");
  expect(wrong.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
  const head = await owner.call("HEAD", "/v1/me").expect(200);
  expect(head.text).toBe("");
  expect((await owner.get("/v1/nothing").expect(404, "not_found")).headers.get("content-type")).toMatch(
    /problem\+json/,
  );
  await owner.get(`/v1/workspaces/${workspace.slug}x/projects/WEB/issues`).expect(404, "not_found");
});

test("browsers on other origins may call and read the headers that clients need", async () => {
  const { nobody } = await world();
  const preflight = await nobody.call("OPTIONS", "P/issues", undefined, {
    headers: {
      origin: "https://app.test",
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization,idempotency-key",
    },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("access-control-allow-methods")).toContain("PATCH");
  expect(preflight.headers.get("access-control-allow-headers")).toContain("Idempotency-Key");
  const reply = await nobody.get("/v1/me", { headers: { origin: "https://app.test" } });
  expect(reply.headers.get("access-control-allow-origin")).toBe("*");
  const exposed = reply.headers.get("access-control-expose-headers")!.split(",");
  expect(exposed).toContain("X-RateLimit-Remaining");
  expect(new Set(exposed).size).toBe(exposed.length);
});

test("a query has at most 500 parameters, wherever it is sent", async () => {
  const { owner, nobody } = await world();
  const query = (parameters: number) => `?${"a&".repeat(parameters - 1)}limit=1`;
  await owner.get(`P/issues${query(1)}`).expect(200);
  for (const path of ["P/issues", "/v1/me", "/nothing", "/sign-in", "/f/form", "/api/oauth/authorize"]) {
    const refused = await nobody.get(path + query(501)).expect(400, "invalid_parameter");
    expect(refused.body.detail).toContain("at most 500 parameters");
    expect((await nobody.get(path + query(500))).text).not.toContain("at most 500 parameters");
  }
});

test("an Accept header of more than 2,000 characters is ignored", async () => {
  const { nobody } = await world();
  const typeFor = async (accept: string) =>
    (await nobody.get("/nothing", { headers: { accept } }).expect(404)).headers.get("content-type");
  expect(await typeFor(`text/html${",".repeat(1_900)}`)).toMatch("text/html");
  expect(await typeFor(`text/html${",".repeat(2_000)}`)).toMatch("application/problem+json");
});
