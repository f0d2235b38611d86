import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { inheritedEnv } from "../support/compiled.ts";

const SECRET_KEY = Buffer.alloc(32, 1).toString("base64");
const BASE_URL = "https://muster.example";

test.each([
  ["DATABASE_POOL", "0"],
  ["DATABASE_URL", "localhost:5432/muster"],
  ["DATABASE_URL", "mysql://localhost/muster"],
  ["DATABASE_URL", "postgres://muster:p#ss@[/muster"],
  ["REDIS_URL", "localhost"],
  ["REDIS_URL", "http://localhost:6379"],
  ["BASE_URL", "muster.example"],
  ["BASE_URL", "ftp://muster.example"],
  ["BASE_URL", "https://muster.example/muster"],
  ["BASE_URL", "https://user:password@muster.example"],
  ["BASE_URL", "https://muster.example?a=b"],
  ["STRIPE_API_BASE", "nowhere"],
  ["PLAN_CAPS", "{"],
  ["PLAN_CAPS", "[]"],
  ["PLAN_CAPS", '{"fre":{"projects":10}}'],
  ["PLAN_CAPS", '{"free":{"project":10}}'],
  ["PLAN_CAPS", '{"free":{"projects":-1}}'],
  ["PLAN_CAPS", '{"free":{"projects":"10"}}'],
  ["SECRET_KEY", "short"],
  ["SECRET_KEYS_RETIRED", `${SECRET_KEY},short`],
  ["S3_ENDPOINT", "nowhere"],
  ["S3_ACCESS_KEY_ID", "alone"],
  ["RECEIPT_KEY", "short"],
  ["RECEIPT_KEYS_RETIRED", "public:short"],
  ["DRAIN_SECONDS", "22.5"],
])("%s=%s is refused by name", (name, value) => {
  const read = () => readConfig({ BASE_URL, SECRET_KEY, [name]: value });
  expect(read).toThrow(new RegExp(`^The environment is not valid\\. ${name}[.:][^\\n]+$`));
});

test("valid values are accepted", () => {
  const config = readConfig({
    BASE_URL,
    SECRET_KEY,
    DATABASE_URL: "postgresql:///muster?host=/var/run/postgresql",
    REDIS_URL: "rediss://:secret@redis.example:6380/2",
    PLAN_CAPS: '{"free":{"projects":10,"guests":null}}',
    SECRET_KEYS_RETIRED: SECRET_KEY,
    RECEIPT_KEYS_RETIRED: `${SECRET_KEY},public:${SECRET_KEY}`,
  });
  expect(config.PLAN_CAPS).toEqual({ free: { projects: 10, guests: null } });
  expect(config.DATABASE_POOL).toBe(10);
});

test.each([
  ["web", { BASE_URL }, /^The environment is not valid\. SECRET_KEY: required in production.*\n$/],
  ["worker", { BASE_URL, SECRET_KEY, WORKER_QUEUES: "mail" }, /WORKER_QUEUES: there is no queue mail\n$/],
  [
    "migrate",
    { BASE_URL, SECRET_KEY, DATABASE_URL: "postgres://127.0.0.1:1/x" },
    /^DATABASE_URL: Postgres does not answer.*\n$/,
  ],
])("%s prints in one line why it does not start", (name, env, says) => {
  const program = join(import.meta.dirname, `../../src/${name}.ts`);
  const { status, stderr } = spawnSync(process.execPath, [program], {
    env: { ...inheritedEnv(), ...env },
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(says) });
});
