import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Finds or installs the browser for tests. */

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
export const browserPath = () => process.env.CHROMIUM_PATH ?? PLACES.find((path) => existsSync(path));

/** Installs a browser if there is none and it is possible. Called once, before all tests. */
export function installBrowser(): void {
  if (browserPath() || process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  console.log("There is no chromium on this machine: installing it with apt-get, for the tests of pages.");
  const script = fileURLToPath(new URL("./install-chromium.sh", import.meta.url));
  spawnSync("sh", [script], { stdio: ["ignore", "ignore", "inherit"] });
}

/** Why tests in a browser cannot run here, as a suffix of their names; empty if they can. */
export const noBrowser = browserPath() ? "" : " (skipped: no browser; apt-get install chromium, or set CHROMIUM_PATH)";
