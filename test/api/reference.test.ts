import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { GUIDES } from "../../src/api/discovery/guides.ts";
import { openApiDocument } from "../../src/api/openapi/document.ts";
import { operations } from "../../src/api/operations/index.ts";
import { createIssue } from "../../src/api/operations/work/issues.ts";
import { app, configure } from "../support/app.ts";
import { world } from "../support/world.ts";

// The page leads to signing in, which needs a mail server to be named.
configure({ SMTP_URL: "smtp://127.0.0.1:9" });

const get = async (path: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch((await app()).baseUrl + path, { method, headers });

/** A page with its character references resolved. */
async function pageText(path: string): Promise<string> {
  const text = await (await get(path)).text();
  return text
    .replaceAll(/&#(x?)([0-9A-F]+);/gi, (_, hex, code) => String.fromCodePoint(Number.parseInt(code, hex ? 16 : 10)))
    .replaceAll(/&(quot|lt|gt|amp);/g, (_, name) => ({ quot: '"', lt: "<", gt: ">", amp: "&" })[name as "lt"]);
}

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

test.each(["/docs", "/api/v1/reference", "/docs/createIssue", "/docs/events/issue.created"])(
  "%s is a page without scripts, all of it from this server",
  async (path) => {
    const page = await get(path);
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const policy = page.headers.get("content-security-policy") as string;
    expect(policy).toMatch(/^default-src 'none'; style-src 'self'; img-src 'self' data:;/);
    expect(policy).not.toMatch(/unsafe|https?:|script-src/);

    const html = await page.text();
    expect(html).not.toMatch(/<script|<style|\son\w+=/);
    const links = [...(await pageText(path)).matchAll(/(?:href|src)="([^"#]+)"/g)].map(([, link]) => link as string);
    for (const link of new Set(links.filter((one) => !one.startsWith("/docs/") || one.includes("assets")))) {
      expect(link).toMatch(/^\//);
      expect((await get(link)).status, link).toBe(200);
    }
  },
);

test("the contents lead to a page for each operation and event", async () => {
  const description = openApiDocument(operations, "https://muster.test") as {
    paths: Record<string, Record<string, { operationId: string; tags: string[]; summary: string }>>;
    webhooks: object;
  };
  const html = await pageText("/docs");
  const calls = Object.values(description.paths).flatMap((methods) => Object.values(methods));
  for (const { operationId, tags } of calls) {
    expect(html).toContain(`href="/docs/${operationId}"`);
    expect(html).toContain(`href="#${tags[0]}"`);
    expect(html).toContain(`id="${tags[0]}"`);
  }
  for (const name of Object.keys(description.webhooks)) expect(html).toContain(`href="/docs/events/${name}"`);
  for (const { operationId, summary } of calls) {
    const page = await pageText(`/docs/${operationId}`);
    expect(page.includes(`<h1>${summary}</h1>`), operationId).toBe(true);
  }
  expect((await get("/docs/noSuchCall")).status).toBe(404);
  expect((await get("/docs/constructor")).status).toBe(404);
  expect((await get("/docs/events/constructor")).status).toBe(404);
});

test("a search finds operations and events by their words, best first", async () => {
  const found = async (words: string) => {
    const html = await pageText(`/docs?q=${encodeURIComponent(words)}`);
    return [...html.matchAll(/<li><a href="\/docs\/([^"]+)"/g)].map(([, name]) => name);
  };
  expect((await found("create issue"))[0]).toBe("createIssue");
  expect(await found("ISSUE.created")).toContain("events/issue.created");
  expect(await found("rotate secret")).toContain("rotateWebhookSecret");
  expect((await found("move issue")).indexOf("transitionIssue")).toBeLessThan(3);
  expect(await found("move issue")).not.toContain(undefined);
  expect(await found("transitoin")).toContain("transitionIssue");
  expect(await found("xyzzy")).toEqual([]);
  expect(await (await get(`/docs?q=${encodeURIComponent('<b>&"')}`)).text()).not.toContain("<b>&");
});

test("the page of an operation has its fields, replies, and snippets that can be pasted", async () => {
  const html = await pageText("/docs/createIssue");
  expect(html).toContain("POST /v1/workspaces/{slug}/projects/{key}/issues");
  expect(html).toMatch(
    /<code>title<\/code> <span class="quiet">string, at most 255 characters<\/span> <span class="badge">required/,
  );
  expect(html).toContain("<summary>HTTP 201</summary>");
  const snippets = [...html.matchAll(/aria-label="(Shell|TypeScript|Python)"><code>([^<]*)/g)];
  const [shell, typescript, python] = snippets.map(([, , code]) => code);
  expect(shell).toBe(`curl -X POST 'https://muster.test/v1/workspaces/acme/projects/WEB/issues' \\
  -H "Authorization: Bearer $MUSTER_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(createIssue.example)}'`);
  expect(typescript).toContain('await muster.issues.create("WEB", {');
  expect(python).toContain(`requests.post(
    "https://muster.test/v1/workspaces/acme/projects/WEB/issues",`);
});

test("the shell snippet of a write makes it", async () => {
  const { owner, project, workspace } = await world();
  const shell = /aria-label="Shell"><code>([^<]*)/.exec(await pageText("/docs/createIssue"))?.[1];
  const here = shell!
    .replace("https://muster.test", (await app()).baseUrl)
    .replace("/acme/", `/${workspace.slug}/`)
    .replace("/WEB/", `/${project.key}/`);
  const { stdout } = await promisify(execFile)("sh", ["-c", here], {
    env: { PATH: process.env.PATH, MUSTER_KEY: owner.key as string },
  });
  expect(JSON.parse(stdout).data).toMatchObject({ title: (createIssue.example as { title: string }).title });
});

test("only files of the reference are served", async () => {
  expect((await get("/docs/assets/icon.svg")).headers.get("content-type")).toContain("image/svg+xml");
  for (const path of [
    "/docs/assets/package.json",
    "/docs/assets/..%2findex.ts",
    "/docs/%2e%2e/decisions.md",
    "/decisions.md",
  ]) {
    expect((await get(path)).status, path).toBe(404);
  }
  // The repository has the guides in docs, and its texts link to them there.
  const guide = await get("/docs/webhooks.md");
  expect(guide.headers.get("content-type")).toContain("text/markdown");
});

test("guides have the address of this service, and no part for developers", async () => {
  const docs = await pageText("/docs");
  const guide = await pageText("/llms.txt");
  for (const name of [...Object.keys(GUIDES), "changelog"]) {
    const text = await pageText(`/${name}.md`);
    expect(text, name).not.toMatch(/localhost:3000|npm run pin|For developers|docs\/[\w-]+\.(md|json)/);
    expect(docs).toContain(`href="/${name}.md"`);
    expect(guide).toContain(`/${name}.md)`);
  }
  expect(await pageText("/tools.md")).toContain("https://muster.test/api/mcp/v1");
  expect(await pageText("/other-names.md")).toContain("| `description` | `description_md` |");
  expect((await get("/problems/other_name")).url).toContain("/other-names.md");
  expect(await pageText("/oauth.md")).toBe(await pageText("/auth.md"));
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
