import { expect, test } from "vitest";
import { ERRORS } from "../../src/domain/error-catalogue.ts";
import { app } from "../support/app.ts";
import { noBrowser } from "../support/browser-path.ts";
import { look, profile } from "../support/chromium.ts";
import type { Reply } from "../support/client.ts";
import { world } from "../support/world.ts";

/** The pages that the `type` of problems leads to: cause, mend and example, for people and for programs. */

const get = async (path: string, accept = "*/*") =>
  fetch((await app()).baseUrl + path, { headers: { accept }, redirect: "error" });
const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

test("each code has a page for people, Markdown for programs, and JSON for those that ask", async () => {
  for (const { code, status, title, cause, fix } of ERRORS) {
    const page = await get(`/problems/${code}`, BROWSER);
    expect(`${page.status} ${page.headers.get("content-type")}`, code).toBe("200 text/html; charset=utf-8");
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    const html = await page.text();
    for (const part of [`<h1>${title}</h1>`, `HTTP ${status}`, "Cause", "What to do", "Example"])
      expect(html).toContain(part);

    const markdown = await get(`/problems/${code}`);
    expect(markdown.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    expect(markdown.headers.get("vary")).toContain("Accept");
    expect(await markdown.text()).toContain(`${cause}\n\n## What to do\n\n${fix}`);
    const json = await get(`/problems/${code}`, "application/json");
    expect(await json.json()).toMatchObject({ code, status, title, cause, fix, example: { code, status } });
  }
});

test("the list leads to every code", async () => {
  const html = (await (await get("/problems", BROWSER)).text()).replaceAll("&#x2F;", "/");
  const markdown = await (await get("/problems")).text();
  const { data } = (await (await get("/problems", "application/json")).json()) as { data: { code: string }[] };
  expect(data.map(({ code }) => code)).toEqual(ERRORS.map(({ code }) => code));
  for (const { code } of ERRORS) {
    expect(html).toContain(`href="/problems/${code}"`);
    expect(markdown).toContain(`/problems/${code})`);
  }
});

test("an unknown code is 404, with similar ones", async () => {
  for (const [wrong, right] of [
    ["not_fuond", "not_found"],
    ["idempotency", "idempotency_key_reused"],
    ["RATE_LIMITED", "rate_limited"],
  ] as const) {
    const page = await get(`/problems/${wrong}`, BROWSER);
    expect(page.status).toBe(404);
    expect((await page.text()).replaceAll("&#x2F;", "/")).toContain(`href="/problems/${right}"`);
    const json = await get(`/problems/${wrong}`);
    expect(json.status).toBe(404);
    expect(((await json.json()) as { detail: string }).detail).toContain(`https://muster.test/problems/${right}`);
  }
  for (const hostile of ["__proto__", "constructor", "%00", "%3Cb%3E", "x".repeat(3_000), "_".repeat(90)]) {
    for (const accept of ["*/*", BROWSER]) {
      const reply = await get(`/problems/${hostile}`, accept);
      expect(reply.status, hostile).toBe(404);
      expect(await reply.text()).not.toContain("<b>");
    }
  }
});

test("the examples are what a client gets", async () => {
  const { owner, as } = await world();
  const reader = await as({ role: "member", scopes: ["read"] });
  const viewer = await as({ role: "viewer" });
  const headers = { "idempotency-key": "k" };
  await owner.post("P/labels", { name: "bug" }).expect(201);
  await owner.post("P/issues", { title: "One" }, { headers });
  const { data: issue } = await owner.post("P/issues", { title: "Two" }).expect(201);
  const replies: Record<string, Reply> = {
    validation_failed: await owner.post("P/issues", {}),
    unknown_field: await owner.patch(`P/issues/${issue.key}`, { titel: "y" }),
    unknown_parameter: await owner.get("P/issues?statuz=todo"),
    invalid_parameter: await owner.get("P/issues?limit=many"),
    invalid_reference: await owner.post("P/issues", {
      title: "x",
      assignee_id: "0199aa00-7b1c-7c07-9d0e-3f2a10b4c8d1",
    }),
    insufficient_scope: await reader.post("P/issues", { title: "x" }),
    insufficient_role: await viewer.post("P/issues", { title: "x" }),
    already_exists: await owner.post("P/labels", { name: "bug" }),
    precondition_failed: await owner.patch(`P/issues/${issue.key}`, { title: "z" }, { headers: { "if-match": '"x"' } }),
    idempotency_key_reused: await owner.post("P/issues", { title: "Other" }, { headers }),
    unauthorized: await owner.get("/v1/me", { headers: { authorization: "Bearer no" } }),
  };
  for (const [code, { status, body, headers: sent }] of Object.entries(replies)) {
    expect(body.code).toBe(code);
    const page = await (await get(`/problems/${code}`)).text();
    const shown = ((await (await get(`/problems/${code}`, "application/json")).json()) as Reply["body"]).example;
    expect(status).toBe(shown.status);
    expect(shown.detail).toBe(body.detail);
    expect(Object.keys(shown).sort(), code).toEqual(Object.keys(body).sort());
    expect(Object.keys(body.error.details), code).toEqual(
      expect.arrayContaining(Object.keys(shown.error.details as object)),
    );
    for (const row of shown.error.details.errors ?? [])
      expect(Object.keys(body.error.details.errors[0])).toEqual(expect.arrayContaining(Object.keys(row)));
    for (const [, name] of page.matchAll(/^(ETag|WWW-Authenticate|Retry-After): /gm))
      expect(sent.get(name!), `${code} ${name}`).not.toBeNull();
  }
});

test("an example has the details that its text names", async () => {
  // These are fields of the call.
  const sent = ["target_key", "cancel_runs"];
  for (const { code, fix } of ERRORS) {
    const named = [...fix.matchAll(/\b(?:[a-z]+_[a-z_]+|allowed)\b/g)].map(([name]) => name);
    const json = (await (await get(`/problems/${code}`, "application/json")).json()) as Reply["body"];
    const shown = Object.keys({ ...json.example, ...json.example.error.details });
    expect(shown, code).toEqual(expect.arrayContaining(named.filter((name) => !sent.includes(name))));
  }
});

test.skipIf(noBrowser)(`the pages look right and are accessible${noBrowser}`, { timeout: 60_000 }, async () => {
  const { baseUrl } = await app();
  const page = await (await profile()).newPage();
  for (const path of ["/problems", "/problems/validation_failed", "/problems/not_fuond"]) {
    await page.goto(baseUrl + path);
    await look(page, path.slice(1).replace("/", "-"));
  }
});
