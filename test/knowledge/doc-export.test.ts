import { request } from "undici";
import { describe, expect, test } from "vitest";
import type { Client } from "../support/client.ts";
import { copiedFrom } from "../support/pdf.ts";
import { world } from "../support/world.ts";

const TEXT = "# Plan\n\n- [x] Tag the commit\n- See #WEB-1\n\n<script>alert(1)</script>\n\nنص عربي 中文 😀\n";

const written = async (owner: Client, body: object = {}): Promise<string> =>
  (await owner.post("W/docs", { title: "Plan", body_md: TEXT, ...body }).expect(201)).data.id;

const asFile = async (owner: Client, path: string, accept: string) => {
  const headers = { authorization: `Bearer ${owner.key}`, accept };
  const { statusCode, headers: got, body } = await request(owner.url(path), { headers });
  return { status: statusCode, headers: got, bytes: Buffer.from(await body.arrayBuffer()) };
};

describe("the JSON form", () => {
  test("contains the Markdown as it is stored, by default", async () => {
    const { owner } = await world();
    const id = await written(owner);
    const { data } = await owner.get(`W/docs/${id}/export`).expect(200);
    expect(data).toEqual({
      format: "md",
      content: TEXT,
      encoding: "utf8",
      content_type: "text/markdown; charset=utf-8",
      filename: "Plan.md",
    });
    expect((await owner.get(`W/docs/${id}/export?format=md`).expect(200)).data).toEqual(data);
  });

  test("contains HTML as text", async () => {
    const { owner, workspace } = await world();
    const id = await written(owner);
    const { data, headers } = await owner.get(`W/docs/${id}/export?format=html`).expect(200);
    expect(data).toMatchObject({
      format: "html",
      encoding: "utf8",
      content_type: "text/html; charset=utf-8",
      filename: "Plan.html",
    });
    expect(data.content).toMatch(/^<!doctype html>/);
    expect(data.content).toContain(`href="https://muster.test/w/${workspace.slug}/p/web/WEB-1"`);
    expect(data.content).toContain("&lt;script&gt;");
    expect(headers.get("content-type")).toContain("application/json");
  });

  test("contains a PDF in base64", async () => {
    const { owner } = await world();
    const id = await written(owner);
    const { data } = await owner.get(`W/docs/${id}/export?format=pdf`).expect(200);
    expect(data).toMatchObject({
      format: "pdf",
      encoding: "base64",
      content_type: "application/pdf",
      filename: "Plan.pdf",
    });
    const text = await copiedFrom(Buffer.from(data.content, "base64"));
    for (const part of ["Plan", "☑ Tag the commit", "<script>alert(1)</script>", "نص عربي", "中文", "😀"]) {
      expect(text).toContain(part);
    }
  });

  test("of a PDF warns of characters that no font has", async () => {
    const { owner } = await world();
    const id = await written(owner, { title: "ᏣᎳᎩ", body_md: "ไทย 中文 𝄞" });
    const warning = { code: "characters_without_font", characters: ["Ꮳ", "Ꮃ", "Ꭹ", "𝄞"], scripts: ["Cherokee"] };
    const { body } = await owner.get(`W/docs/${id}/export?format=pdf`).expect(200);
    expect(body.warnings).toEqual([
      { ...warning, message: expect.stringContaining("boxes for Cherokee and 𝄞 (U+1D11E)") },
    ]);
    const { headers } = await asFile(owner, `W/docs/${id}/export`, "application/pdf");
    expect(JSON.parse(String(headers["x-warnings"]))).toEqual(body.warnings);
    for (const format of ["md", "html"]) {
      expect((await owner.get(`W/docs/${id}/export?format=${format}`).expect(200)).body.warnings).toBeUndefined();
    }
    const covered = await written(owner, { body_md: "ไทย 中文 हिन्दी 😀" });
    expect((await owner.get(`W/docs/${covered}/export?format=pdf`).expect(200)).body.warnings).toBeUndefined();
  });

  test("has an ETag, takes `fields`, and reports unknown parameters", async () => {
    const { owner } = await world();
    const id = await written(owner);
    for (const format of ["md", "html", "pdf"]) {
      const path = `W/docs/${id}/export?format=${format}`;
      const etag = (await owner.get(path).expect(200)).headers.get("etag")!;
      await owner.get(path, { headers: { "if-none-match": etag } }).expect(304);
      const { data } = await owner.get(`${path}&fields=format,filename`).expect(200);
      expect(data).toEqual({ format, filename: `Plan.${format}` });
    }
    for (const query of ["format=docx", "format=md,html", "format=PDF%00", "formats=md"]) {
      await owner.get(`W/docs/${id}/export?${query}`).expect(400);
    }
  });

  test("of a doc without Markdown is empty", async () => {
    const { owner } = await world();
    const id = await written(owner, { body_md: undefined, body_json: { any: "thing" } });
    expect((await owner.get(`W/docs/${id}/export`).expect(200)).data.content).toBe("");
    expect((await owner.get(`W/docs/${id}/export?format=html`).expect(200)).data.content).toContain("Plan</h1>");
    await owner.get(`W/docs/${id}/export?format=pdf`).expect(200);
  });
});

describe("a caller whose Accept names a type", () => {
  test("gets the plain file in that format", async () => {
    const { owner } = await world();
    const path = `W/docs/${await written(owner)}/export`;
    const markdown = await asFile(owner, path, "text/markdown");
    expect(markdown).toMatchObject({
      status: 200,
      headers: {
        "content-type": "text/markdown; charset=utf-8",
        "content-disposition": 'attachment; filename="Plan.md"',
        "content-security-policy": "default-src 'none'; sandbox",
        "x-content-type-options": "nosniff",
      },
    });
    expect(markdown.bytes.toString()).toBe(TEXT);
    const html = await asFile(owner, path, "text/html,application/xhtml+xml,*/*;q=0.8");
    expect(html.headers["content-disposition"]).toBe('attachment; filename="Plan.html"');
    expect(html.bytes.toString()).toBe((await owner.get(`${path}?format=html`).expect(200)).data.content);
    const pdf = await asFile(owner, path, "application/pdf");
    expect(pdf.headers).toMatchObject({ "content-type": "application/pdf" });
    expect(pdf.bytes.toString("base64")).toBe((await owner.get(`${path}?format=pdf`).expect(200)).data.content);
  });

  test("gets the format that the query names, and JSON if that is preferred", async () => {
    const { owner } = await world();
    const path = `W/docs/${await written(owner)}/export`;
    const type = async (accept: string, query = "") =>
      (await asFile(owner, path + query, accept)).headers["content-type"];
    expect(await type("text/html, */*", "?format=pdf")).toBe("application/pdf");
    expect(await type("Text/HTML;q=0.5, application/pdf;q=0.4")).toBe("text/html; charset=utf-8");
    expect(await type("text/html;q=0, text/markdown;q=0.1")).toBe("text/markdown; charset=utf-8");
    for (const accept of [
      "*/*",
      "text/*",
      "application/json",
      "application/json, text/html;q=0.9",
      "text/html;q=0",
      "",
    ]) {
      expect(await type(accept), accept).toContain("application/json");
    }
    expect(await type("text/html;q=0.5, application/json")).toContain("application/json");
    expect(await type(`${"a/b,".repeat(20_000)}text/html`.slice(-3_000))).toContain("application/json");
  });

  test("gets an error as JSON all the same", async () => {
    const { owner } = await world();
    const { status, headers } = await asFile(
      owner,
      "W/docs/0198c2a4-3f40-7c24-9b14-5f1d2b6c7a14/export",
      "application/pdf",
    );
    expect(status).toBe(404);
    expect(headers["content-type"]).toContain("json");
  });
});

test("the file is named after the title, without anything that a file system forbids", async () => {
  const { owner } = await world();
  for (const [title, filename] of [
    ["../../etc/passwd", "-..-etc-passwd.md"],
    ['a"b\\c:d*e?f<g>h|i', "a-b-c-d-e-f-g-h-i.md"],
    ["...", "document.md"],
    ["計画 Ø", "計画 Ø.md"],
    ["😀".repeat(100), `${"😀".repeat(60)}.md`],
  ] as const) {
    const path = `W/docs/${await written(owner, { title })}/export`;
    expect((await owner.get(path).expect(200)).data.filename).toBe(filename);
    const { headers } = await asFile(owner, path, "text/markdown");
    expect(headers["content-disposition"]).toMatch(/^attachment; filename="[\x20-\x7e]+"/);
    const [, encoded] = /filename\*=UTF-8''(.*)$/.exec(String(headers["content-disposition"])) ?? [];
    if (encoded) expect(decodeURIComponent(encoded)).toBe(filename);
  }
});

test("whoever cannot read a doc cannot export it", async () => {
  const here = await world();
  const { owner } = here;
  const author = await here.as({ role: "member" });
  const mine = await written(author, { visibility: "private" });
  const ofWorkspace = await written(owner);
  const hidden = await here.hidden();
  const inHidden = await written(owner, { project: hidden.project.key });
  const limited = await here.keyFor(owner, { projectIds: [here.project.id] });
  const guest = await here.as({ role: "guest" });
  const unscoped = await here.keyFor(owner, { scopes: ["issues:read"] });
  const { owner: stranger } = await here.other();
  for (const format of ["md", "html", "pdf"]) {
    const path = (id: string) => `W/docs/${id}/export?format=${format}`;
    await author.get(path(mine)).expect(200);
    await owner.get(path(mine)).expect(404, "not_found");
    await author.get(path(inHidden)).expect(404, "not_found");
    await limited.get(path(inHidden)).expect(404, "not_found");
    await guest.get(path(ofWorkspace)).expect(404, "not_found");
    await unscoped.get(path(ofWorkspace)).expect(403, "insufficient_scope");
    await stranger.get(path(ofWorkspace)).expect(404, "not_found");
    await here.nobody.get(path(ofWorkspace)).expect(401);
  }
});

test("comments are left out, and an archived doc can be exported", async () => {
  const { owner } = await world();
  const id = await written(owner);
  await owner.post(`W/docs/${id}/comments`, { body_md: "A remark" }).expect(201);
  await owner.delete(`W/docs/${id}`).expect(200);
  const { data } = await owner.get(`W/docs/${id}/export?format=html`).expect(200);
  expect(data.content).not.toContain("remark");
});

test("rendering costs rate limit units by the size of the doc", async () => {
  const here = await world();
  const id = await written(here.owner, { body_md: "words ".repeat(30_000) });
  const key = await here.keyFor(here.owner, { rateLimit: 30 });
  const remaining = async (format: string) =>
    Number((await key.get(`W/docs/${id}/export?format=${format}`).expect(200)).headers.get("x-ratelimit-remaining"));
  expect(await remaining("md")).toBe(29);
  expect(await remaining("html")).toBe(29 - 1 - 6);
  expect(await remaining("pdf")).toBe(22 - 1 - 15);
  await key.get(`W/docs/${id}/export?format=pdf`).expect(429, "rate_limited");
  expect(await remaining("md")).toBe(5);
});
