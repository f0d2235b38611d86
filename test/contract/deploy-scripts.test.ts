import { spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { afterEach, beforeEach, expect, test } from "vitest";

/** The scripts of examples/deploy, with their folders below a temporary one. */

const read = (name: string) => readFileSync(new URL(`../../examples/deploy/${name}`, import.meta.url), "utf8");
const SCRIPT = read("backup.sh");
let root = "";

beforeEach(() => {
  root = mkdtempSync(`${tmpdir()}/muster-backup-`);
  for (const folder of ["bin", "etc/muster", "var/lib/muster/files"])
    mkdirSync(`${root}/${folder}`, { recursive: true });
  writeFileSync(`${root}/var/lib/muster/files/one`, "a file");
});
afterEach(() => rmSync(root, { recursive: true }));

/** `runuser` stands for the account of Postgres: it prints what it should run. */
function backUp(address: string, runuser = 'echo "$@"') {
  writeFileSync(`${root}/etc/muster/muster.env`, `BASE_URL=https://muster.example.com\nDATABASE_URL=${address}\n`);
  program("runuser", runuser);
  const { status, stderr } = spawnSync("sh", ["-s"], {
    input: SCRIPT.replaceAll(/\/(?=(etc|var\/lib|var\/backups)\/muster)/g, `${root}/`),
    encoding: "utf8",
    env: { PATH: `${root}/bin:${process.env.PATH}` },
  });
  return { status, stderr, folders: readdirSync(`${root}/var/backups/muster`) };
}

test.each([
  ["postgres://muster@127.0.0.1:5432/muster", "muster"],
  ["postgres://muster@127.0.0.1:5432/muster_restored", "muster_restored"],
  ['"postgres://muster@127.0.0.1/other?sslmode=verify-full&sslrootcert=/etc/ca.pem"', "other"],
])("a backup has the database of %s and the files", (address, database) => {
  const { status, stderr, folders } = backUp(address);
  expect({ status, stderr, folders }).toEqual({ status: 0, stderr: "", folders: [expect.stringMatching(/^\d{14}$/)] });
  const folder = `${root}/var/backups/muster/${folders[0]}`;
  expect(readFileSync(`${folder}/muster.dump`, "utf8")).toBe(`-u postgres -- pg_dump --format=custom ${database}\n`);
  expect(spawnSync("tar", ["-tf", `${folder}/files.tar`], { encoding: "utf8" }).stdout).toContain("files/one");
});

test("a backup that fails does not look like one", () => {
  const { status, folders } = backUp("postgres://muster@127.0.0.1:5432/muster", "echo half; exit 1");
  expect({ status, folders }).toEqual({ status: 1, folders: [expect.stringMatching(/^\d{14}\.unfinished$/)] });
  expect(backUp("postgres://muster@127.0.0.1:5432").status).not.toBe(0);
});

/** Upgrades with programs that do nothing, and with a `systemctl` of its own. */
function upgrade(systemctl: string) {
  mkdirSync(`${root}/opt/muster/releases`, { recursive: true });
  for (const name of ["git", "npm", "tar", "curl", "sleep"]) program(name, "");
  program("systemctl", systemctl);
  const { status, stderr } = spawnSync("sh", ["-s", "v1.2.3"], {
    input: read("upgrade.sh").replaceAll("/opt/muster", `${root}/opt/muster`).replace("%Y%m%d%H%M%S", "%Y%m%d%H%M%S%N"),
    encoding: "utf8",
    env: { PATH: `${root}/bin:${process.env.PATH}` },
  });
  return { status, stderr };
}

function program(name: string, does: string) {
  writeFileSync(`${root}/bin/${name}`, `#!/bin/sh\n${does}\n`);
  chmodSync(`${root}/bin/${name}`, 0o755);
}

test("an upgrade whose migrations fail leaves the previous version in place", () => {
  expect(upgrade("")).toEqual({ status: 0, stderr: "" });
  const first = readlinkSync(`${root}/opt/muster/current`);
  const failed = upgrade('[ "$2" != muster-migrate ]');
  expect(failed).toEqual({ status: 1, stderr: "The migrations failed. See: journalctl -u muster-migrate\n" });
  expect(readlinkSync(`${root}/opt/muster/current`)).toBe(first);
  expect(upgrade("")).toEqual({ status: 0, stderr: "" });
  expect(readlinkSync(`${root}/opt/muster/current`)).not.toBe(first);
});
