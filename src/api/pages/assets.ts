import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import type Router from "@koa/router";
import { served } from "./served.ts";

/** The style sheet, the symbols and the scripts of pages. */

/** Later parts may refine earlier ones. The first also styles pages outside of workspaces. */
const STYLES = ["base", "app", "pieces", "board", "project", "issue", "operate", "home", "knowledge", "chart"];

const require = createRequire(import.meta.url);

const FILES: Record<string, { type: string; parts: readonly string[] }> = {
  "pages.css": { type: "text/css; charset=utf-8", parts: STYLES.map((name) => `css/${name}.css`) },
  "live.js": {
    type: "text/javascript; charset=utf-8",
    parts: [require.resolve("idiomorph/dist/idiomorph.min.js"), "live.js", "typing.js"],
  },
  "drag.js": { type: "text/javascript; charset=utf-8", parts: ["drag.js"] },
  "icons.svg": { type: "image/svg+xml", parts: ["icons.svg"] },
};

export function assets(router: Router): void {
  for (const [name, { type, parts }] of Object.entries(FILES)) {
    const make = async () => Buffer.concat((await Promise.all(parts.map(read))).flatMap((part) => [part, LINE_BREAK]));
    router.get(`/assets/${name}`, served({ type, maxAge: 300, make }));
  }
}

/** A last line may be a comment. */
const LINE_BREAK = Buffer.from("\n");
const FOLDER = fileURLToPath(new URL("./assets", import.meta.url));

const read = (name: string): Promise<Buffer> => readFile(isAbsolute(name) ? name : join(FOLDER, name));
