import type { TestProject } from "vitest/node";
import { readConfig } from "../../src/config.ts";
import { migrate } from "../../src/migrate.ts";
import { installBrowser } from "./browser-path.ts";
import { compileSources } from "./compiled.ts";
import { adminQuery, databaseAt } from "./databases.ts";
import { startStack } from "./stack.ts";

export const TEMPLATE = "muster_template";

/** Once for all files: Postgres, Redis and a migrated database, of which every file gets a copy. */
export default async function setup(project: TestProject) {
  installBrowser();
  const [stack] = await Promise.all([startStack(), compileSources()]);
  await adminQuery(stack.databaseUrl, `drop database if exists ${TEMPLATE} with (force)`);
  await adminQuery(stack.databaseUrl, `create database ${TEMPLATE}`);
  await migrate(
    readConfig({ NODE_ENV: "test", LOG_LEVEL: "silent", DATABASE_URL: databaseAt(stack.databaseUrl, TEMPLATE) }),
  );
  project.provide("stack", { databaseUrl: stack.databaseUrl, redisUrl: stack.redisUrl });
  return () => stack.stop();
}

declare module "vitest" {
  interface ProvidedContext {
    stack: { databaseUrl: string; redisUrl: string };
  }
}
