import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { vi } from "vitest";
import { inheritedEnv } from "./compiled.ts";

export type ExampleAgent = {
  child: ChildProcess;
  /** What it prints, once it has printed it. */
  says(text: RegExp): Promise<string>;
  kill(): Promise<unknown>;
};

/** The example agent as a process. `file`: what it remembers. */
export function startExampleAgent(url: string, file: string): ExampleAgent {
  const child = spawn(process.execPath, [join(import.meta.dirname, "../../examples/agent/agent.ts")], {
    env: { ...inheritedEnv(), MUSTER_URL: url, AGENT_FILE: file },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  };
  return { child, kill, says: (text) => vi.waitUntil(() => text.exec(output)?.[0], { timeout: 30_000 }) };
}
