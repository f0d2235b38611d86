import { expect, test } from "vitest";
import { openApiDocument } from "../../src/api/openapi/document.ts";
import { operations } from "../../src/api/operations/index.ts";
import { app, configure } from "../support/app.ts";

// The page leads to signing in, which needs a mail server to be named.
configure({ SMTP_URL: "smtp://127.0.0.1:9" });

const get = async (path: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch((await app()).baseUrl + path, { method, headers });

test("openapi.json is derived from the registry, and is not sent again while it is unchanged", async () => {
  const first = await get("/api/v1/openapi.json");
  expect(first.status).toBe(200);
  expect(first.headers.get("content-type")).toMatch(/^application\/json/);
  expect(first.headers.get("cache-control")).toBe("public, max-age=300");
  expect(await first.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument(operations, "https://muster.test"))));

  const etag = first.headers.get("etag") as string;
  // As browsers ask; fetch by itself would ask for a copy in any case (no-cache).
  const again = await get("/api/v1/openapi.json", { "if-none-match": etag, "cache-control": "max-age=0" });
  expect(again.status).toBe(304);
  expect(await again.text()).toBe("");
});

test("documents are compressed for clients that accept it", async () => {
  const packed = await get("/api/v1/openapi.json", { "accept-encoding": "gzip" });
  expect(packed.headers.get("content-encoding")).toBe("gzip");
  expect(packed.headers.get("vary")).toMatch(/Accept-Encoding/);
  const plain = await get("/api/v1/openapi.json", { "accept-encoding": "identity" });
  expect(plain.headers.get("content-encoding")).toBeNull();
  expect(await plain.text()).toBe(await packed.text());
});

test.each(["/docs", "/api/v1/reference"])("%s shows the reference, all of it from this server", async (path) => {
  const page = await get(path);
  expect(page.status).toBe(200);
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
  const policy = page.headers.get("content-security-policy") as string;
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
  expect(policy).not.toMatch(/unsafe|https?:/);

  const html = await page.text();
  expect(html).not.toMatch(/<script>|<style>|\son\w+=/);
  const links = [...html.matchAll(/(?:href|src)="([^"#]+)"/g)].map(([, link]) => link as string);
  expect(links).toContain("/api/v1/openapi.json");
  for (const link of new Set(links)) {
    expect(link).toMatch(/^\//);
    const asset = await get(link);
    expect(asset.status, link).toBe(200);
    expect(asset.headers.get("x-content-type-options"), link).toBe("nosniff");
  }
});

test("assets have their types, and other files are not served", async () => {
  for (const [name, type] of [
    ["swagger-ui-bundle.js", "text/javascript"],
    ["reference.js", "text/javascript"],
    ["swagger-ui.css", "text/css"],
    ["icon.svg", "image/svg+xml"],
  ] as const) {
    const asset = await get(`/docs/assets/${name}`);
    expect(asset.headers.get("content-type"), name).toContain(type);
    expect(asset.headers.get("cache-control"), name).toBe("public, max-age=3600");
  }
  for (const name of ["reference.html", "package.json", "..%2findex.ts", "%2e%2e/index.ts", "swagger-ui.js.map", ""]) {
    expect((await get(`/docs/assets/${name}`)).status, name).toBe(404);
  }
});

test("pages answer HEAD, and other methods with what is allowed", async () => {
  const head = await get("/docs", {}, "HEAD");
  expect(head.status).toBe(200);
  expect(await head.text()).toBe("");
  const post = await get("/docs", {}, "POST");
  expect(post.status).toBe(405);
  expect(post.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
});

test("the page of a problem's type explains it", async () => {
  const refused = await get("/v1/me");
  const { type } = (await refused.json()) as { type: string };
  expect(type).toBe("https://muster.test/problems/unauthorized");
  const explained = await get(new URL(type).pathname);
  expect(explained.status).toBe(200);
  expect(await explained.text()).toMatch(/^# Unauthorized \(HTTP 401\)/);
  expect((await get("/problems/no_such_problem")).status).toBe(404);
  expect((await get("/problems/__proto__")).status).toBe(404);
});
