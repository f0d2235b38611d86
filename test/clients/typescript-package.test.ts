import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { noBrowser } from "../support/browser-path.ts";
import { profile } from "../support/chromium.ts";
import { world } from "../support/world.ts";

/** The package as others install it: plain modules and their types, without TypeScript and without Muster's source. */

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, "../..");
const PACKAGE = join(ROOT, "clients/typescript");

const project = mkdtempSync(join(tmpdir(), "muster-package-"));
const installed = join(project, "node_modules/@muster/client");
beforeAll(async () => {
  mkdirSync(installed, { recursive: true });
  await run("npm", ["run", "build", "--", "--outDir", join(installed, "dist")], { cwd: PACKAGE });
  cpSync(join(PACKAGE, "package.json"), join(installed, "package.json"));
  writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module" }));
}, 120_000);
afterAll(() => rmSync(project, { recursive: true, force: true }));

const PROGRAM = `
  const muster = new Muster({ url, key });
  const created = await muster.issues.create("WEB", { title: "Hello" });
  const titles = [];
  for await (const issue of muster.issues.list("WEB")) titles.push(issue.title);
  const problem = await muster.issues.get("WEB", "WEB-99").catch((error) => error);
  return JSON.stringify([created.key, titles, problem instanceof MusterProblem, problem.code]);
`;
const RESULT = JSON.stringify(["WEB-1", ["Hello"], true, "not_found"]);

test("needs nothing but the platform", () => {
  const files = readdirSync(join(PACKAGE, "src"), { recursive: true, encoding: "utf8" });
  const sources = files.filter((file) => file.endsWith(".ts"));
  expect(sources.length).toBeGreaterThan(15);
  for (const file of sources) {
    const imports = [...readFileSync(join(PACKAGE, "src", file), "utf8").matchAll(/\bfrom "([^"]+)"/g)];
    for (const [, from] of imports) expect(from, file).toMatch(/^\.\.?\/[\w/-]+\.ts$/);
  }
  const { dependencies, main, exports } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
  expect({ dependencies, main }).toEqual({});
  for (const path of Object.values(exports["."] as Record<string, string>)) {
    expect(readFileSync(join(installed, path), "utf8")).not.toBe("");
  }
});

test("runs in plain Node", async () => {
  const here = await world();
  const [url, key] = [here.app.baseUrl, here.owner.key];
  writeFileSync(
    join(project, "program.js"),
    `import { Muster, MusterProblem } from "@muster/client";
     const [url, key] = process.argv.slice(2);
     console.log(await (async () => {${PROGRAM}})());`,
  );
  const { stdout } = await run(process.execPath, [join(project, "program.js"), url, key!]);
  expect(stdout.trim()).toBe(RESULT);
});

/** Returns what the compiler finds in programs that use the package. */
async function compile(...programs: string[]): Promise<string> {
  const files = programs.map((source, number) => {
    writeFileSync(join(project, `program${number}.ts`), `${source}\nexport {};\n`);
    return `program${number}.ts`;
  });
  const options = "--strict --exactOptionalPropertyTypes --noEmit --target es2022 --module nodenext".split(" ");
  const platform = ["--lib", "es2022,dom,dom.iterable", "--types", ""];
  const compiled = run(join(ROOT, "node_modules/.bin/tsc"), [...options, ...platform, ...files], { cwd: project });
  return compiled.then(
    () => "",
    ({ stdout }: { stdout: string }) => stdout,
  );
}

test("has types that a strict program compiles with, and that find its mistakes", { timeout: 120_000 }, async () => {
  const program = `import { type Issue, Muster, MusterProblem, verifyWebhook } from "@muster/client";
    const muster = new Muster({ url: "https://muster.example", key: "wk_" });
    const issue: Issue = await muster.issues.create("WEB", { title: "One", priority: "high" });
    const rows = await muster.issues.bulkCreate("WEB", { items: [{ title: "One" }] });
    const results: string[] = rows.map((row) => (row.ok ? row.data.key : row.error.code));
    const next: string | null = (await muster.issues.list("WEB", { status: "todo" })).nextCursor;
    for await (const event of muster.agentEvents.listen()) {
      if (event.type === "agent_session.input") console.log(event.data.body_md, event.context.session_id);
      if (event.type === "agent.wake") console.log(event.data?.key);
    }
    const told = await verifyWebhook("", new Headers(), ["whsec_"]);
    if (told.type === "comment.created") console.log(told.data.body_md);
    const isLate = (error: unknown) => error instanceof MusterProblem && error.code === "restore_window_over";
    console.log(issue, results, next, isLate);
  `;
  expect(await compile(program)).toBe("");
  const wrong = [
    'muster.issues.create("WEB", { titel: "One" });',
    "issue.nmae;",
    'muster.issues.list("WEB", { state: "todo" });',
  ];
  const found = await compile(...wrong.map((line) => `${program}\n${line}`));
  for (const word of ["titel", "nmae", "state"]) expect(found).toContain(`'${word}'`);
});

test("its README's programs compile", { timeout: 60_000 }, async () => {
  const readme = readFileSync(join(PACKAGE, "README.md"), "utf8");
  const programs = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, program]) => program!);
  expect(programs.length).toBeGreaterThan(5);
  const around = (program: string) => `import type { Issue } from "@muster/client";
    ${program.includes("import { Muster }") || program.includes("new Muster(") ? "" : "declare const muster: Muster;"}
    ${program.includes("import { Muster }") ? "" : 'import { Muster } from "@muster/client";'}
    declare const url: string, key: string, stored: string, body: string, request: Request;
    declare const process: { env: Record<string, string | undefined> };
    declare function store(id: string): void;
    declare function work(issue: Issue): Promise<void>;
    declare function newToken(...about: unknown[]): Promise<string>;
    ${program}`;
  expect(await compile(...programs.map(around))).toBe("");
});

test.skipIf(noBrowser)(`runs in a browser, from another origin${noBrowser}`, { timeout: 60_000 }, async () => {
  const here = await world();
  const { url, stop } = await serve(join(installed, "dist"));
  onTestFinished(stop);
  const page = await (await profile({ script: true })).newPage();
  await page.goto(url);
  const program = `import("${url}/index.js").then(async ({ Muster, MusterProblem }) => {
    const [url, key] = ${JSON.stringify([here.app.baseUrl, here.owner.key])};
    ${PROGRAM}
  })`;
  expect(await page.evaluate(program)).toBe(RESULT);
});

/** A folder over HTTP. */
async function serve(folder: string) {
  const server = createServer(({ url = "" }, reply) => {
    if (url === "/")
      return void reply.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>x</title>");
    const found = readdirSync(folder, { recursive: true, encoding: "utf8" }).includes(url.slice(1));
    if (!found) return void reply.writeHead(404).end();
    reply.writeHead(200, { "content-type": "text/javascript" }).end(readFileSync(join(folder, url)));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}
