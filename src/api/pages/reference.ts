import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type Router from "@koa/router";
import { CATALOG_LINKS } from "../discovery/api-catalog.ts";
import { CHANGELOG_PATH } from "../engine/deprecation.ts";
import { writtenDescription } from "../openapi/written.ts";
import { served } from "./served.ts";

const OWN = fileURLToPath(new URL("assets", import.meta.url));
const DOCS = fileURLToPath(new URL("../../../docs", import.meta.url));
const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));

/** The page's assets. All are local, so that it works without internet access. */
const ASSETS: Record<string, { folder: string; type: string }> = {
  "icon.svg": { folder: OWN, type: "image/svg+xml" },
  "reference.css": { folder: OWN, type: "text/css" },
  "reference.js": { folder: OWN, type: "text/javascript" },
  "swagger-ui.css": { folder: SWAGGER_UI, type: "text/css" },
  "swagger-ui-bundle.js": { folder: SWAGGER_UI, type: "text/javascript" },
};

const MARKDOWN = "text/markdown; charset=utf-8";

/** Pages for developers, served as they are. The image has no other file of the folder. */
const PAGES: Record<string, { file: string; type: string }> = {
  [CHANGELOG_PATH]: { file: "api-changelog.md", type: MARKDOWN },
  "/webhooks.md": { file: "webhooks.md", type: MARKDOWN },
  // The page of webhooks links to it.
  "/webhook-vector.json": { file: "webhook-vector.json", type: "application/json" },
};

const SECURITY = {
  "Content-Security-Policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "Referrer-Policy": "no-referrer",
};

/** The API description for programs (OpenAPI) and for people (the reference page). */
export function referencePages(router: Router, baseUrl: string): void {
  router.get(
    "/api/v1/openapi.json",
    served({
      type: "application/json",
      maxAge: 300,
      make: async () => Buffer.from(await writtenDescription(baseUrl)),
    }),
  );
  for (const [path, { file, type }] of Object.entries(PAGES)) {
    router.get(path, served({ type, maxAge: 300, make: () => readFile(join(DOCS, file)) }));
  }
  router.get(
    ["/docs", "/api/v1/reference"],
    served({
      type: "text/html; charset=utf-8",
      maxAge: 300,
      headers: { ...SECURITY, Link: CATALOG_LINKS },
      make: () => readFile(join(OWN, "reference.html")),
    }),
  );
  for (const [name, { folder, type }] of Object.entries(ASSETS)) {
    const make = () => readFile(join(folder, name));
    router.get(`/docs/assets/${name}`, served({ type, maxAge: 3600, make }));
  }
}
