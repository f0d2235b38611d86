import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { whenNpmEnds } from "../../src/dev/parent.ts";

/** `npm test`: runs vitest with the Node that runs this file, so that an older Node of the machine is not used. */

if (Number.parseInt(process.versions.node, 10) < 24) {
  console.error(`The tests need Node 24; ${process.execPath} is ${process.version}. Start them with: npm test`);
  process.exit(1);
}

const vitest = dirname(createRequire(import.meta.url).resolve("vitest/package.json"));
const child = spawn(process.execPath, [join(vitest, "vitest.mjs"), "run", ...process.argv.slice(2)], {
  stdio: "inherit",
});

// A terminal sends Ctrl-C to both; vitest stops its servers and ends, and this process ends with it.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => child.kill("SIGTERM"));
whenNpmEnds(() => child.kill("SIGTERM"));
child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
