import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { readConfig } from "../../src/config.ts";
import { variables } from "../../src/variables/index.ts";

/** compose.yaml passes on every setting, and says what containers need. */

type Service = {
  image?: string;
  env_file?: { path: string; required: boolean }[];
  environment?: Record<string, unknown>;
  profiles?: string[];
  entrypoint?: string[];
  command?: string[];
  ports?: string[];
};
const text = readFileSync(new URL("../../compose.yaml", import.meta.url), "utf8");
const { services } = parse(text, { merge: true }) as { services: Record<string, Service> };
const ours = Object.entries(services).filter(([, { image }]) => image === "muster");

/** Settings that compose.yaml decides itself, because they are about the containers. */
const ITS_OWN = [
  "NODE_ENV",
  "HOST",
  "PORT",
  "DATABASE_URL",
  "DATABASE_PASSWORD",
  "DATABASE_SSL_NO_VERIFY",
  "REDIS_URL",
  "REDIS_TLS_NO_VERIFY",
  "FILES_FOLDER",
];
/** Settings that may also come from the shell in which Compose runs. They are interpolated, which reads .env, too. */
const ALSO_FROM_THE_SHELL = ["SMTP_URL"];

test("every setting of .env reaches web, worker, migrations and command line", () => {
  expect(ours.map(([name]) => name).sort()).toEqual(["cli", "release", "web", "worker"]);
  for (const [name, { env_file, environment }] of ours) {
    expect(env_file, name).toEqual([{ path: ".env", required: false }]);
    const own = [...ITS_OWN, ...ALSO_FROM_THE_SHELL, ...(name === "worker" ? ["WORKER_PORT"] : [])];
    // What is named here wins over .env: anything else named here would not be passed on.
    expect(Object.keys(environment ?? {}), name).toEqual(own);
    for (const one of own) expect(Object.keys(variables)).toContain(one);
  }
});

test("production without an address or a key is not given one", () => {
  expect(text).not.toMatch(/^ *(BASE_URL|SECRET_KEY):/m);
});

test("a password of Postgres may have any character", () => {
  const passwords = [services.postgres?.environment?.POSTGRES_PASSWORD, services.web?.environment?.DATABASE_PASSWORD];
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how Compose writes it.
  expect(passwords).toEqual(["${POSTGRES_PASSWORD:-muster}", "${POSTGRES_PASSWORD:-muster}"]);
  expect(text).not.toMatch(/:\/\/[^\s/]*:\$/);
});

test("the command line and the mailbox run only when asked for, and no port is open to other machines", () => {
  expect(services.cli).toMatchObject({ profiles: ["cli"], entrypoint: ["node", "src/cli/main.ts"] });
  expect(services.mailbox).toMatchObject({ profiles: ["mailbox"] });
  for (const { ports = [] } of Object.values(services))
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
});

test("the mailbox that docs/operations.md names in the shell reaches the processes", () => {
  const operations = readFileSync(new URL("../../docs/operations.md", import.meta.url), "utf8");
  const given = [...operations.matchAll(/^((?:[A-Z_]+=\S+ )+)docker compose /gm)].flatMap(([, before = ""]) =>
    before.trim().split(" "),
  );
  expect(given).toEqual([expect.stringMatching(/^SMTP_URL=smtp:\/\/mailbox:/)]);
  for (const [name = ""] of given.map((one) => one.split("=")))
    for (const [service, { environment }] of ours) expect(environment?.[name], service).toBe(`\${${name}:-}`);
  // An empty setting is none.
  expect(readConfig({ NODE_ENV: "test", SMTP_URL: "" }).SMTP_URL).toBeUndefined();
});
