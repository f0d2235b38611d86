import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { type Config, readConfig } from "../../src/config.ts";
import type { Resources } from "../../src/resources.ts";
import { startWeb } from "../../src/start-web.ts";
import { adminQuery, databaseAt } from "./databases.ts";
import { TEMPLATE } from "./global.ts";

export type App = { baseUrl: string; config: Config; resources: Resources };

let starting: Promise<App & { stop(): Promise<void> }> | undefined;
let variables: Record<string, string> = {};

/** Sets environment variables for this file's processes. Call it before the first `world()`. */
export function configure(more: Record<string, string>): void {
  if (starting) throw new Error("configure() comes before the first world().");
  variables = { ...variables, ...more };
}

/** This file's web process, with its own database and Redis keys. Started by the first test that needs it. */
export function app(): Promise<App> {
  starting ??= start();
  return starting;
}

/** Stops this file's web process, drops its database and forgets what the file configured. */
export async function stopApp(): Promise<void> {
  const stopping = starting;
  starting = undefined;
  variables = {};
  await (await stopping)?.stop();
}

async function start() {
  const stack = inject("stack");
  const name = `test_${randomBytes(6).toString("hex")}`;
  // Copying files takes half as long as the default strategy.
  await adminQuery(stack.databaseUrl, `create database ${name} template ${TEMPLATE} strategy file_copy`);
  const filesFolder = mkdtempSync(join(tmpdir(), "muster-files-"));
  const config = readConfig({
    NODE_ENV: "test",
    LOG_LEVEL: "error",
    HOST: "127.0.0.1",
    PORT: "0",
    BASE_URL: "https://muster.test",
    DATABASE_URL: databaseAt(stack.databaseUrl, name),
    REDIS_URL: stack.redisUrl,
    REDIS_PREFIX: name,
    OPERATOR_PASSWORD: "operator-password",
    WEBHOOK_ALLOW_LOOPBACK: "true",
    SWEEP_SECONDS: "1",
    DRAIN_SECONDS: "0",
    STOP_SECONDS: "10",
    SIGN_INS_PER_MINUTE: "10000",
    ANONYMOUS_READS_PER_MINUTE: "10000",
    PUBLIC_FORMS_PER_MINUTE: "10000",
    // Nothing listens there; tests that pay start a processor of their own.
    STRIPE_SECRET_KEY: "sk_test_muster",
    STRIPE_WEBHOOK_SECRET: "whsec_test",
    STRIPE_API_BASE: "http://127.0.0.1:9",
    FILES_FOLDER: filesFolder,
    ...variables,
  });
  const web = await startWeb(config);
  return {
    baseUrl: `http://127.0.0.1:${web.port}`,
    config,
    resources: web.resources,
    async stop() {
      await web.stop();
      rmSync(filesFolder, { recursive: true, force: true });
      await adminQuery(stack.databaseUrl, `drop database if exists ${name} with (force)`);
    },
  };
}
