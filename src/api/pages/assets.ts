import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type Router from "@koa/router";
import { served } from "./served.ts";

/** The style sheet, the symbols and the scripts of pages. */

/** Later parts may refine earlier ones. The first also styles pages outside of workspaces. */
const STYLES = ["base", "app", "pieces", "board", "project", "issue"];

const FILES: Record<string, { type: string; parts: readonly string[] }> = {
  "pages.css": { type: "text/css; charset=utf-8", parts: STYLES.map((name) => `css/${name}.css`) },
  "icons.svg": { type: "image/svg+xml", parts: ["icons.svg"] },
};

export function assets(router: Router): void {
  for (const [name, { type, parts }] of Object.entries(FILES)) {
    const make = async () => Buffer.concat(await Promise.all(parts.map(read)));
    router.get(`/assets/${name}`, served({ type, maxAge: 300, make }));
  }
}

const read = (name: string): Promise<Buffer> => readFile(fileURLToPath(new URL(`./assets/${name}`, import.meta.url)));
