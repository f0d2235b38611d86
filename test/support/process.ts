import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../../src/config.ts";
import { freePort } from "../../src/dev/ports.ts";
import { inheritedEnv } from "./compiled.ts";

/** A separate web or worker process, which a test can kill. */
export type Process = {
  url: string;
  child: ChildProcess;
  /** What it has logged. */
  output(): string;
  /** With SIGKILL. */
  kill(): Promise<void>;
};

/** Starts src/web.ts or src/worker.ts on a test's database and Redis keys; it is ready when this resolves. */
export async function startProcess(
  name: "web" | "worker",
  config: Config,
  more: Record<string, string> = {},
): Promise<Process> {
  const port = more.PORT ?? (await freePort());
  const child = spawn(process.execPath, [join(import.meta.dirname, `../../src/${name}.ts`)], {
    env: {
      ...inheritedEnv(),
      NODE_ENV: "test",
      LOG_LEVEL: "error",
      HOST: "127.0.0.1",
      PORT: String(port),
      WORKER_PORT: String(port),
      BASE_URL: config.BASE_URL,
      DATABASE_URL: config.DATABASE_URL,
      REDIS_URL: config.REDIS_URL,
      REDIS_PREFIX: config.REDIS_PREFIX,
      WEBHOOK_ALLOW_LOOPBACK: "true",
      SWEEP_SECONDS: String(config.SWEEP_SECONDS),
      DRAIN_SECONDS: String(config.DRAIN_SECONDS),
      STOP_SECONDS: String(config.STOP_SECONDS),
      ...(config.SMTP_URL ? { SMTP_URL: config.SMTP_URL } : {}),
      STRIPE_SECRET_KEY: config.STRIPE_SECRET_KEY,
      STRIPE_API_BASE: config.STRIPE_API_BASE,
      STRIPE_WEBHOOK_SECRET: config.STRIPE_WEBHOOK_SECRET,
      STRIPE_TIMEOUT_MS: String(config.STRIPE_TIMEOUT_MS),
      PAYMENT_SETTLE_SECONDS: String(config.PAYMENT_SETTLE_SECONDS),
      PAYMENT_ABANDON_SECONDS: String(config.PAYMENT_ABANDON_SECONDS),
      RECEIPT_KEY: config.RECEIPT_KEY,
      ...more,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  const running = {
    url: `http://127.0.0.1:${port}`,
    child,
    output: () => output,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
  await ready(running, name === "web" ? "/readyz" : "/healthz");
  return running;
}

/** Starting takes longer on a busy machine. */
const READY_WITHIN_MS = 60_000;

async function ready({ url, child, output }: Process, path: string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (Date.now() < deadline && child.exitCode === null) {
    const answered = await fetch(url + path).then(
      ({ ok }) => ok,
      () => false,
    );
    if (answered) return;
    await sleep(25);
  }
  child.kill("SIGKILL");
  throw new Error(`The process did not get ready. ${output()}`);
}
