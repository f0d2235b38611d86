import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { expect, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { warningsOf } from "../../src/start-warnings.ts";
import { variables } from "../../src/variables/index.ts";
import { settlePayments } from "../../src/workers/tenancy/settle-payments.ts";

type Line = { meaning: string; value: string };

test(".env.example has the names, meanings and defaults of src/variables", () => {
  const example = readExample();
  expect([...example.keys()]).toEqual(Object.keys(variables));
  for (const [name, schema] of Object.entries(variables)) {
    const { meaning, value } = example.get(name) as Line;
    expect(meaning, name).toBe(schema.description);
    // An empty value means: not set.
    expect(schema.parse(value === "" ? undefined : value), name).toEqual(schema.parse(undefined));
  }
});

test("each variable is in one file", async () => {
  const folder = fileURLToPath(new URL("../../src/variables", import.meta.url));
  const files = readdirSync(folder).filter((file) => file !== "index.ts" && file !== "types.ts");
  const groups: Record<string, object>[] = await Promise.all(files.map((file) => import(`${folder}/${file}`)));
  const names = groups.flatMap((group) =>
    Object.entries(group).flatMap(([name, value]) => (name.endsWith("Variables") ? Object.keys(value) : [])),
  );
  expect(names.sort()).toEqual(Object.keys(variables).sort());
});

test.each<[string, RegExp, Record<string, string>]>([
  ["gives up charges under way", /PAYMENT_ABANDON_SECONDS: must be at least/, { PAYMENT_ABANDON_SECONDS: "24.9" }],
  ["charges without a receipt key", /RECEIPT_KEY: required/, { RECEIPT_KEY: "" }],
  ["charges for the test's seller", /STRIPE_NETWORK_ID: required/, { STRIPE_NETWORK_ID: "" }],
  ["charges and does not know its address", /BASE_URL: required/, { BASE_URL: "" }],
  ["charges and receives no notices", /STRIPE_WEBHOOK_SECRET: required/, { STRIPE_WEBHOOK_SECRET: "" }],
])("an installation that %s does not start", (_, problem, changes) => {
  const key = Buffer.alloc(32, 1).toString("base64");
  const paying = {
    STRIPE_SECRET_KEY: "sk_live_1",
    STRIPE_WEBHOOK_SECRET: "whsec_1",
    STRIPE_NETWORK_ID: "profile_1",
    BASE_URL: "https://muster.example",
    RECEIPT_KEY: key,
  };
  const env = { NODE_ENV: "production", SECRET_KEY: key, ...paying };
  expect(readConfig({ ...env, PAYMENT_ABANDON_SECONDS: "25" }).PAYMENT_SETTLE_SECONDS).toBe(5);
  expect(() => readConfig({ ...env, ...changes })).toThrow(problem);
});

test.each<[string, RegExp, Record<string, string>]>([
  ["has no address", /^The environment is not valid\. BASE_URL: required in production; set [^\n]+$/, { BASE_URL: "" }],
  [
    "has no key",
    /^The environment is not valid\. SECRET_KEY: required[^\n]+openssl rand -base64 32$/,
    { SECRET_KEY: "" },
  ],
  [
    "has the key of development",
    /SECRET_KEY: this is the public key/,
    { SECRET_KEY: readConfig({ NODE_ENV: "test" }).SECRET_KEY },
  ],
  ["has a password that can be guessed", /OPERATOR_PASSWORD: at least 12/, { OPERATOR_PASSWORD: "operator" }],
])("an installation that %s does not start in production, and says what to set", (_, problem, changes) => {
  const env = { BASE_URL: "https://muster.example", SECRET_KEY: Buffer.alloc(32, 1).toString("base64") };
  expect(readConfig(env)).toMatchObject({ NODE_ENV: "production", BASE_URL: "https://muster.example" });
  expect(() => readConfig({ ...env, ...changes })).toThrow(problem);
  expect(() => readConfig({ ...env, ...changes, NODE_ENV: "development" })).not.toThrow();
});

test("an address without TLS is a warning, except on the machine itself", () => {
  const at = (BASE_URL: string, NODE_ENV = "production") =>
    warningsOf(readConfig({ NODE_ENV, BASE_URL, SECRET_KEY: Buffer.alloc(32, 1).toString("base64") })).join("\n");
  expect(at("http://muster.example")).toContain("keys and sessions travel unencrypted");
  for (const quiet of [at("https://muster.example"), at("http://localhost:3000"), at("http://a.test", "development")]) {
    expect(quiet).not.toContain("unencrypted");
    expect(quiet).toContain("SMTP_URL is not set");
  }
});

test.each(["pass", "p@ss:w/rd?#[]%20 $&'\"\\é", "%"])("the password %s of Postgres is given as it is", (password) => {
  const { DATABASE_URL } = readConfig({
    NODE_ENV: "test",
    DATABASE_URL: "postgres://muster@postgres:5432/muster?sslmode=require",
    DATABASE_PASSWORD: password,
  });
  const client = new pg.Client({ connectionString: DATABASE_URL });
  expect(client).toMatchObject({ user: "muster", host: "postgres", port: 5432, database: "muster", password });
});

test("a password that the address cannot take is not ignored", () => {
  const env = { NODE_ENV: "test", DATABASE_URL: "postgres:///muster?host=/run", DATABASE_PASSWORD: "secret" };
  expect(() => readConfig(env)).toThrow(/DATABASE_PASSWORD: needs a host/);
});

test("by default the outcome of a charge is known within half a minute, while the processor answers", () => {
  const { PAYMENT_ABANDON_SECONDS, STRIPE_TIMEOUT_MS, PAYMENT_SETTLE_SECONDS, SWEEP_SECONDS } = readConfig({
    NODE_ENV: "test",
  });
  const repeat = settlePayments.repeat!({ sweepSeconds: SWEEP_SECONDS });
  const every = "every" in repeat ? repeat.every / 1000 : Number.POSITIVE_INFINITY;
  expect(PAYMENT_ABANDON_SECONDS + every).toBeLessThan(30);
  expect(PAYMENT_ABANDON_SECONDS).toBeGreaterThanOrEqual(PAYMENT_SETTLE_SECONDS + STRIPE_TIMEOUT_MS / 1000);
});

function readExample(): Map<string, Line> {
  const lines = new Map<string, Line>();
  let comment: string[] = [];
  for (const line of readFileSync(new URL("../../.env.example", import.meta.url), "utf8").split("\n")) {
    const [, name, value] = /^([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? [];
    if (line.startsWith("# ")) comment.push(line.slice(2));
    else if (name !== undefined && value !== undefined) lines.set(name, { meaning: comment.join(" "), value });
    if (!line.startsWith("# ")) comment = [];
  }
  return lines;
}
