import { type ChildProcess, fork } from "node:child_process";
import { readFile } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import {
  DocumentTooComplex,
  FormatUnavailable,
  RendererBusy,
  type ToRender,
} from "../../domain/kernel/ports/document-renderer.ts";
import type { Log } from "../../domain/kernel/ports/ports.ts";
import type { Rendered } from "./child/main.ts";

/** A process that renders one document at a time. It is started for the first document, and ends after some idle time. */
export type RendererProcess = {
  /** @throws DocumentTooComplex, FormatUnavailable, RendererBusy after `close` */
  render(document: ToRender): Promise<Buffer>;
  close(): void;
};

export type ProcessOptions = { timeoutMs: number; memoryMb: number };

const MAIN = fileURLToPath(new URL("child/main.ts", import.meta.url));
const IDLE_MS = 60_000;
const WATCH_MS = 100;

/** The process may read files and load Typst. It may not write files or start processes, and it gets no secrets. */
const FLAGS = ["--permission", "--allow-fs-read=*", "--allow-addons", "--max-semi-space-size=32"];
/** The rest is for Typst, whose memory is not on V8's heap. */
const HEAP_SHARE = 0.6;

export function openRendererProcess({ timeoutMs, memoryMb }: ProcessOptions, log: Log): RendererProcess {
  let child: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  let closed = false;

  function start(): ChildProcess {
    const started = fork(MAIN, {
      execArgv: [...FLAGS, `--max-old-space-size=${Math.floor(memoryMb * HEAP_SHARE)}`],
      env: {},
      serialization: "advanced",
      // What a library prints when it crashes may contain the document.
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    started.on("error", (error) => log.warn({ err: error }, "a renderer process reports an error"));
    started.once("exit", () => {
      if (child === started) child = undefined;
    });
    // Requests come first.
    if (started.pid) trySetPriority(started.pid);
    return started;
  }

  function end() {
    child?.kill("SIGKILL");
    child = undefined;
  }

  /** Returns null if the process died. */
  async function renderOnce(document: ToRender): Promise<Rendered | null> {
    child ??= start();
    const used = child;
    const { promise, resolve, reject } = Promise.withResolvers<Rendered | null>();
    const refuse = (what: string) => {
      log.warn({ format: document.format }, `rendering a document took too much ${what}`);
      end();
      reject(new DocumentTooComplex());
    };
    const died = () => resolve(null);
    const timer = setTimeout(() => refuse("time"), timeoutMs);
    const watch = setInterval(async () => {
      if ((await memoryOf(used)) > memoryMb && child === used) refuse("memory");
    }, WATCH_MS);
    used.once("message", resolve);
    used.once("exit", died);
    used.send(document, (error) => error && died());
    try {
      const rendered = await promise;
      // Its end may not have been reported yet. The next attempt must start another process.
      if (!rendered && child === used) end();
      return rendered;
    } finally {
      clearTimeout(timer);
      clearInterval(watch);
      used.off("message", resolve);
      used.off("exit", died);
    }
  }

  /** Ends the process if it keeps much memory, which it does not give back, or when it was idle for some time. */
  async function rest(used: ChildProcess) {
    idle = setTimeout(end, IDLE_MS).unref();
    if ((await memoryOf(used)) > memoryMb / 2 && child === used && idle) end();
  }

  return {
    async render(document) {
      clearTimeout(idle);
      idle = undefined;
      // A process may also die by accident. If it dies twice, the document is the reason.
      let rendered: Rendered | null = null;
      for (let attempt = 0; !rendered && !closed && attempt < 2; attempt++) rendered = await renderOnce(document);
      if (closed) throw new RendererBusy();
      if (!rendered) {
        log.error({ format: document.format }, "rendering a document crashed its process twice");
        throw new DocumentTooComplex();
      }
      if (child) await rest(child);
      if (rendered.kind === "unavailable") throw new FormatUnavailable();
      if (rendered.kind === "failed") throw new Error(`Rendering failed: ${rendered.message}`);
      return Buffer.from(rendered.content.buffer, rendered.content.byteOffset, rendered.content.byteLength);
    },
    close() {
      closed = true;
      clearTimeout(idle);
      end();
    },
  };
}

/** Resident memory in MB; 0 where the system does not tell, which is only Linux. */
async function memoryOf({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(RESIDENT.exec(status)?.[1] ?? 0) / 1024;
}

const RESIDENT = /^VmRSS:[ \t]*(\d+) kB$/m;

function trySetPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The process has ended already.
  }
}
