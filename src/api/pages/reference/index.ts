import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type Router from "@koa/router";
import type { Context } from "koa";
import { refuse } from "../../../domain/kernel/errors.ts";
import type { Html } from "../../../domain/kernel/html.ts";
import { own } from "../../../domain/kernel/own.ts";
import { CATALOG_LINKS } from "../../discovery/api-catalog.ts";
import { GUIDES } from "../../discovery/guides.ts";
import { CHANGELOG_PATH } from "../../engine/deprecation.ts";
import { writtenDescription } from "../../openapi/written.ts";
import { served } from "../served.ts";
import { layout } from "../site/layout.ts";
import { secure } from "../site/secure.ts";
import { callPage, eventPage } from "./call-page.ts";
import { contentsPage } from "./contents.ts";
import { describedApi } from "./description.ts";

const ASSETS = fileURLToPath(new URL("../assets", import.meta.url));
const DOCS = fileURLToPath(new URL("../../../../docs", import.meta.url));

const MARKDOWN = "text/markdown; charset=utf-8";

/** Files of `docs/` that are served. The image has no others. */
const FILES: Record<string, { file: string; type: string }> = {
  [CHANGELOG_PATH]: { file: "api-changelog.md", type: MARKDOWN },
  // The guide of versions links to it under its own name.
  "/api-changelog.md": { file: "api-changelog.md", type: MARKDOWN },
  ...Object.fromEntries(Object.keys(GUIDES).map((name) => [`/${name}.md`, { file: `${name}.md`, type: MARKDOWN }])),
  // The guide of webhooks links to it.
  "/webhook-vector.json": { file: "webhook-vector.json", type: "application/json" },
};

/** The API description for programs (OpenAPI), the guides, and the reference for people. */
export function referencePages(router: Router, baseUrl: string): void {
  router.get(
    "/api/v1/openapi.json",
    served({ type: "application/json", maxAge: 300, make: async () => Buffer.from(await writtenDescription(baseUrl)) }),
  );
  for (const [path, { file, type }] of Object.entries(FILES)) {
    const make = async () => {
      const text = await readFile(join(DOCS, file), "utf8");
      return Buffer.from(type === MARKDOWN ? forReaders(text, baseUrl) : text);
    };
    router.get(path, served({ type, maxAge: 300, make }));
  }
  const icon = () => readFile(join(ASSETS, "icon.svg"));
  router.get("/docs/assets/icon.svg", served({ type: "image/svg+xml", maxAge: 3600, make: icon }));

  const api = describedApi(baseUrl);
  router.get(["/docs", "/api/v1/reference"], async (ctx) => {
    const asked = String([ctx.query.q].flat()[0] ?? "")
      .trim()
      .slice(0, 200);
    ctx.set("Link", CATALOG_LINKS);
    show(ctx, asked ? `“${asked}” in the API reference` : "API reference", contentsPage(await api(), asked));
  });
  router.get("/docs/events/:name", async (ctx) => {
    const event = own((await api()).webhooks, ctx.params.name ?? "");
    if (!event) refuse("not_found", { message: "There is no such event. /docs lists all events." });
    show(ctx, event.post.summary, eventPage(await api(), ctx.params.name!));
  });
  router.get("/docs/:operation", async (ctx) => {
    // The repository has the guides in the folder docs.
    if (own(FILES, `/${ctx.params.operation}`)) return ctx.redirect(`/${ctx.params.operation}`);
    const call = (await api()).calls.get(ctx.params.operation ?? "");
    if (!call) refuse("not_found", { message: "There is no such operation. /docs lists all operations." });
    show(ctx, call.summary, callPage(await api(), call));
  });
}

/** The address of the service in the examples of the guides. */
const EXAMPLE_ADDRESS = "http://localhost:3000";
const DEVELOPERS_PART = "\n## For developers\n";

/** A guide with the address of this service, and without its part for developers, which comes last. */
const forReaders = (guide: string, baseUrl: string): string =>
  guide.split(DEVELOPERS_PART, 1)[0]!.replaceAll(EXAMPLE_ADDRESS, () => baseUrl);

function show(ctx: Context, title: string, body: Html): void {
  secure(ctx);
  ctx.set("Cache-Control", "public, max-age=300");
  ctx.type = "text/html; charset=utf-8";
  ctx.body = layout({ title, visitor: null, path: ctx.path, wide: true, body });
}
