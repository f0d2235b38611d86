import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { variables } from "../../src/variables/index.ts";

/** Commands in the documents can be pasted, and they name what exists. */

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFileSync(`${ROOT}${path}`, "utf8");
const DOCUMENTS = globSync(["*.md", "docs/*.md", "clients/*/README.md"], { cwd: ROOT });

const blocksOf = (document: string): string[] =>
  [...read(document).matchAll(/^( *)```sh\n(.*?)^ *```$/gms)].map(([, indent = "", text = ""]) =>
    text.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
  );

test.each(DOCUMENTS)("the shell blocks of %s can be pasted", (document) => {
  for (const block of blocksOf(document)) {
    // An interactive zsh does not know comments: it would run them, or say that it found no match.
    expect(block).not.toMatch(/^\s*#|\s# /m);
    // It would wait for every job of the terminal, such as the receiver of an earlier block, which never ends.
    expect(block).not.toMatch(/\bwait *$/m);
    expect(spawnSync("bash", ["-n"], { input: block, encoding: "utf8" }).stderr, block).toBe("");
  }
});

test("there are shell blocks to check", () => {
  expect(DOCUMENTS.flatMap(blocksOf).length).toBeGreaterThan(50);
});

test("docs/operations.md names settings and files that exist", () => {
  const operations = read("docs/operations.md");
  const [table = ""] = operations.split("## Essential settings")[1]?.split("\n## ") ?? [];
  const named = table
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .flatMap((line) => [...(line.split("|")[1] ?? "").matchAll(/`(\w+)`/g)].map(([, name]) => name ?? ""));
  expect(named.length).toBeGreaterThan(15);
  const required = ["BASE_URL", "SECRET_KEY", "DATABASE_URL", "REDIS_URL", "SMTP_URL", "OPERATOR_PASSWORD"];
  expect(named).toEqual(expect.arrayContaining(required));
  const settings = Object.keys(variables);
  for (const name of named) expect(settings).toContain(name);
  const set = [...blocksOf("docs/operations.md").join("\n"), ""]
    .join("")
    .matchAll(/(?:^|\s)([A-Z][A-Z0-9]+_[A-Z0-9_]+)=/gm);
  for (const [, name = ""] of set) expect([...settings, "POSTGRES_PASSWORD"]).toContain(name);

  const files = [...operations.matchAll(/examples\/deploy\/([\w.@*-]+)/g)].map(([, file = ""]) => file);
  for (const file of files) expect(globSync(`examples/deploy/${file}`, { cwd: ROOT }), file).not.toEqual([]);
});

test("the units of examples/deploy run the commands of the Procfile, with settings that exist", () => {
  const procfile = read("Procfile");
  const node = "/opt/muster/current/node_modules/.bin/node";
  for (const [unit, process] of [
    ["muster-migrate", "release"],
    ["muster-web@", "web"],
    ["muster-worker", "worker"],
  ]) {
    const [, command] = new RegExp(`^${process}: node (.*)$`, "m").exec(procfile) ?? [];
    expect(read(`examples/deploy/${unit}.service`)).toContain(`\nExecStart=${node} ${command}\n`);
  }
  const names = [...read("examples/deploy/muster.env").matchAll(/^(\w+)=/gm)].map(([, name = ""]) => name);
  for (const name of names) expect(Object.keys(variables)).toContain(name);
  // A unit gets SIGKILL later than a process stops by itself.
  const { STOP_SECONDS } = { STOP_SECONDS: variables.STOP_SECONDS.parse(undefined) };
  for (const unit of ["muster-web@", "muster-worker"]) {
    const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(read(`examples/deploy/${unit}.service`)) ?? [];
    expect(Number(seconds)).toBeGreaterThan(STOP_SECONDS);
  }
});
