import { describe, expect, test } from "vitest";
import { hasEtag } from "../../src/api/engine/etag.ts";
import { operations } from "../../src/api/operations/index.ts";
import { configure } from "../support/app.ts";
import { type World, world } from "../support/world.ts";
import { exampleOf, type Params, pathOf } from "./examples.ts";
import { snapshot } from "./snapshot.ts";

/** ETag, If-Match and If-None-Match (RFC 9110 §13) for every operation. */

configure({ BAD_CREDENTIALS_PER_MINUTE: "1000000" });

const changes = operations.filter(({ method }) => method === "PATCH" || method === "PUT" || method === "DELETE");
const readings = operations.filter((one) => one.method === "GET" && hasEtag(one) && one.mode !== "own" && !one.long);

/** Calls that delete and succeed even if there is nothing to delete. */
const MADE_FIRST: Record<string, (here: World, params: Params) => Promise<unknown>> = {
  "project-members.delete": ({ owner }, { userId }) =>
    owner.post("P/members", { user_id: userId, role: "viewer" }).expect(201),
};

describe.each(changes.map((operation) => ({ id: operation.id, operation })))("$id", ({ operation }) => {
  test("is rejected with an outdated If-Match, changes nothing then, and succeeds with the returned ETag", async () => {
    const here = await world();
    const example = exampleOf(operation);
    const params = (await example.params?.(here)) ?? {};
    await MADE_FIRST[operation.id]?.(here, params);
    const call = (ifMatch: string) =>
      here.owner.call(operation.method, pathOf(operation, here, params), example.body?.(1, here), {
        headers: { "if-match": ifMatch },
      });

    const before = await snapshot(here);
    const refused = await call('"outdated"').expect(412, "precondition_failed");
    const etag = refused.headers.get("etag")!;
    expect(etag).toMatch(/^"[\w.-]+"$/);
    await call(`W/${etag}`).expect(412, "precondition_failed");
    expect(await snapshot(here)).toEqual(before);

    const done = await call(`"another", ${etag}`).expect(200);
    if (hasEtag(operation)) expect(done.headers.get("etag")).toMatch(/^"[\w.-]+"$/);
  });
});

describe.each(readings.map((operation) => ({ id: operation.id, operation })))("$id", ({ operation }) => {
  test("has an ETag, and returns 304 to a client that has it", async () => {
    const here = await world();
    const example = exampleOf(operation);
    const path =
      pathOf(operation, here, (await example.params?.(here)) ?? {}) + (example.query ? `?${example.query}` : "");
    const first = await here.owner.get(path).expect(200);
    const etag = first.headers.get("etag")!;
    expect(etag).toMatch(/^"[\w.-]+"$/);
    const unchanged = await here.owner.get(path, { headers: { "if-none-match": `"other", W/${etag}` } }).expect(304);
    expect(unchanged.text).toBe("");
    expect(unchanged.headers.get("etag")).toBe(etag);
    const changed = await here.owner.get(path, { headers: { "if-none-match": '"other"' } }).expect(200);
    expect(changed.text).toBe(first.text);
  });
});

test("of ten concurrent changes with the same If-Match, one succeeds", async () => {
  const { owner } = await world();
  const { data, headers } = await owner.post("P/issues", { title: "Target" }).expect(201);
  const ifMatch = headers.get("etag")!;
  const titles = Array.from({ length: 10 }, (_, n) => `Title ${n}`);
  const replies = await Promise.all(
    titles.map((title) => owner.call("PATCH", `P/issues/${data.key}`, { title }, { headers: { "if-match": ifMatch } })),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)]);
  const winner = titles[replies.findIndex(({ status }) => status === 200)];
  const { data: after } = await owner.get(`P/issues/${data.key}`).expect(200);
  expect(after).toMatchObject({ title: winner, version: data.version + 1 });
});

test("a comment changes the tag that If-None-Match compares, but not the one of If-Match", async () => {
  const { owner } = await world();
  const { data } = await owner.post("P/issues", { title: "Target" }).expect(201);
  const seen = await owner.get(`P/issues/${data.key}`).expect(200);
  const etag = seen.headers.get("etag")!;
  await owner.post(`P/issues/${data.key}/comments`, { body_md: "Hello" }).expect(201);
  await owner.get(`P/issues/${data.key}`, { headers: { "if-none-match": etag } }).expect(200);
  await owner
    .call("PATCH", `P/issues/${data.key}`, { title: "Changed" }, { headers: { "if-match": etag } })
    .expect(200);
});

test("a repeat with an Idempotency-Key has the ETag of the first reply", async () => {
  const { owner } = await world();
  const headers = { "idempotency-key": "once" };
  const first = await owner.call("POST", "P/labels", { name: "bug" }, { headers }).expect(201);
  const again = await owner.call("POST", "P/labels", { name: "bug" }, { headers }).expect(201);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  expect(again.headers.get("etag")).toBe(first.headers.get("etag"));
});

test("* matches any existing object", async () => {
  const { owner } = await world();
  const { data } = await owner.post("P/labels", { name: "bug" }).expect(201);
  const any = { headers: { "if-match": "*" } };
  await owner.call("PATCH", `P/labels/${data.id}`, { name: "defect" }, any).expect(200);
  await owner.call("DELETE", `P/labels/${data.id}`, undefined, any).expect(200);
  await owner.call("DELETE", `P/labels/${data.id}`, undefined, any).expect(404, "not_found");
});
