import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { freePort } from "../../src/dev/ports.ts";
import { inheritedEnv } from "../support/compiled.ts";

/** `npm run dev` as a whole: what it opens to the network. */

const folder = mkdtempSync(join(tmpdir(), "muster-dev-"));
const running: ChildProcess[] = [];
afterAll(async () => {
  for (const child of running) {
    if (child.exitCode === null) {
      child.kill("SIGTERM");
      await once(child, "exit");
    }
  }
  rmSync(folder, { recursive: true, force: true });
});

async function startDev(more: Record<string, string> = {}): Promise<number> {
  const port = await freePort();
  const child = spawn(process.execPath, [join(import.meta.dirname, "../../src/dev/main.ts")], {
    env: {
      ...inheritedEnv(),
      HOME: process.env.HOME,
      DATA_DIR: folder,
      PORT: String(port),
      WORKER_PORT: "0",
      ...more,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  running.push(child);
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  await expect
    .poll(() => (child.exitCode === null ? output : `It ended. ${output}`), { timeout: 100_000, interval: 100 })
    .toMatch(/Muster is ready/);
  return child.pid!;
}

/** Addresses, in hex, of the TCP sockets on which processes listen. */
function listening(pids: readonly number[]): string[] {
  const inodes = new Set(
    pids.flatMap((pid) =>
      readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
        try {
          return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
        } catch {
          return [];
        }
      }),
    ),
  );
  return ["tcp", "tcp6"].flatMap((table) =>
    readFileSync(`/proc/net/${table}`, "utf8")
      .split("\n")
      .map((line) => line.trim().split(/\s+/))
      .filter((columns) => columns[3] === "0A" && inodes.has(columns[9]!))
      .map((columns) => columns[1]!.split(":")[0]!),
  );
}

const LOOPBACK = ["0100007F", "00000000000000000000000001000000"];

test.runIf(process.platform === "linux")(
  "every port that it opens is for this machine alone (read from /proc, so on Linux only)",
  { timeout: 120_000 },
  async () => {
    const dev = await startDev();
    const { pids } = JSON.parse(readFileSync(join(folder, "dev.json"), "utf8"));
    const addresses = listening([dev, pids.web, pids.worker, pids.postgres, pids.redis]);
    // Postgres, Redis, mail, cards, web and the worker's health.
    expect(addresses.length).toBeGreaterThanOrEqual(6);
    expect(addresses.filter((address) => !LOOPBACK.includes(address))).toEqual([]);
  },
);
