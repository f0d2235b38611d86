import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { refuseOld } from "../../src/migrate.ts";

/** What an operator sees who starts a process with settings that would harm an installation. */

const KEY = Buffer.alloc(32, 1).toString("base64");

/** Runs a process to its end, with stores that do not exist: it may not get as far as asking for them. */
function run(file: "web" | "worker" | "migrate", env: Record<string, string>) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, `../../src/${file}.ts`)], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: "postgres://127.0.0.1:1/muster",
      REDIS_URL: "redis://127.0.0.1:1",
      ...env,
    },
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

test.each(["web", "worker", "migrate"] as const)("%s refuses to start in production without its settings", (file) => {
  expect(run(file, { SECRET_KEY: KEY })).toEqual({
    status: 1,
    stdout: "",
    stderr:
      "The environment is not valid. BASE_URL: required in production; set the address that people open, e.g. https://muster.example.com\n",
  });
  // An empty value, as compose.yaml passes it on, counts as not set.
  expect(run(file, { BASE_URL: "https://muster.example", SECRET_KEY: "" })).toEqual({
    status: 1,
    stdout: "",
    stderr:
      "The environment is not valid. SECRET_KEY: required in production; make one with: openssl rand -base64 32\n",
  });
});

test("the migrations refuse a Postgres that is too old, before they change it", () => {
  expect(() => refuseOld("17.6 (Debian 17.6-0+deb13u1)")).toThrow(
    "DATABASE_URL: Muster needs Postgres 18 or newer, and this is 17.6 (Debian 17.6-0+deb13u1)",
  );
  expect(() => refuseOld("18.0")).not.toThrow();
  expect(() => refuseOld("19beta1")).not.toThrow();
});
