import { execFile } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DESCRIPTION, pinPath } from "../contract/pins.ts";
import { inheritedEnv } from "../support/compiled.ts";
import { world } from "../support/world.ts";

/**
 * Clients as three generators make them from the API description, without options and without changes. Each program in
 * `programs/` compiles against one of them and calls a real server.
 */

const run = promisify(execFile);
const modules = join(import.meta.dirname, "../../node_modules");
const folder = mkdtempSync(join(tmpdir(), "muster-clients-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const node = (script: string, ...args: string[]) =>
  run(process.execPath, [join(modules, script), ...args], { cwd: folder, maxBuffer: 1e7 }).catch(
    (error: { stdout: string; stderr: string }) => {
      throw new Error(`${script} failed:\n${error.stdout.slice(0, 5_000)}${error.stderr.slice(0, 5_000)}`);
    },
  );

const PROGRAMS = ["openapi-fetch", "hey-api", "orval"];

beforeAll(async () => {
  symlinkSync(modules, join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  const compilerOptions = {
    ...{ strict: true, noUncheckedIndexedAccess: true, skipLibCheck: true },
    ...{ target: "esnext", module: "nodenext", lib: ["esnext", "dom"], types: ["node"], outDir: "built" },
  };
  const files = PROGRAMS.map((program) => `${program}.ts`);
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  for (const file of files) copyFileSync(join(import.meta.dirname, "programs", file), join(folder, file));
  const document = pinPath(DESCRIPTION);
  await Promise.all([
    node("openapi-typescript/bin/cli.js", document, "--output", "openapi-typescript/types.ts"),
    node("@hey-api/openapi-ts/bin/run.js", "--input", document, "--output", "hey-api", "--no-log-file"),
    node("orval/dist/bin/orval.mjs", "--input", document, "--output", "orval/client.ts", "--client", "fetch"),
  ]);
  await node("@typescript/native/bin/tsc", "--project", ".");
}, 120_000);

test.each(PROGRAMS)("a client for %s creates, pages, and reads problems without a cast", async (program) => {
  const { app, owner, workspace } = await world();
  const env = { ...inheritedEnv(), BASE_URL: app.baseUrl, KEY: owner.key!, WORKSPACE: workspace.slug };
  const { stdout } = await run(process.execPath, [join(folder, "built", `${program}.js`)], { env });
  expect(JSON.parse(stdout)).toEqual({
    issue: { issueKey: "GEN-1", labels: 0, due_at: null },
    bulk: { status: 207, rows: ["Second", "validation", "Third"] },
    titles: ["First", "Second", "Third"],
    conflict: { status: 409, code: expect.any(String), version: expect.any(Number) },
    invalid: { coarse: "validation", fields: ["/title"] },
  });
});
