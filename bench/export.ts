import { readdirSync, readFileSync } from "node:fs";
import { openDocumentRenderer } from "../src/adapters/document-renderer.ts";
import type { Log } from "../src/domain/kernel/ports/ports.ts";
import { HARD } from "../test/support/hard-documents.ts";
import { medianMs } from "./load.ts";

/**
 * Rendering the most difficult documents of 524,288 characters: median time as HTML and as PDF, the size of the PDF, and
 * the peak memory of the renderer's process (Linux only). One word is the reference: what a process costs by itself.
 */

const GOAL_MS = 2_000;

export async function run(): Promise<void> {
  console.log("export               html ms   pdf ms   pdf kB   MB at most");
  for (const [what, markdown] of Object.entries({ "(one word)": "word", ...HARD })) {
    // A process of its own for each document, because memory is counted from its start.
    const renderer = openDocumentRenderer({ processes: 1, timeoutMs: 60_000, memoryMb: 768 }, silent);
    const render = (format: "html" | "pdf") => renderer.render({ ...DOCUMENT, format, markdown }, "bench");
    const html = await medianMs(() => render("html"));
    const pdf = await medianMs(() => render("pdf"));
    const { length } = await render("pdf");
    const cells = [html, pdf, length / 1024, peakMb()].map(Math.round);
    const missed = Math.max(html, pdf) > GOAL_MS ? `   slower than ${GOAL_MS} ms` : "";
    const [first, second, third, fourth] = cells.map(String);
    console.log(
      `${what.padEnd(18)} ${first!.padStart(9)} ${second!.padStart(8)} ${third!.padStart(8)} ${fourth!.padStart(12)}${missed}`,
    );
    renderer.close();
  }
}

const DOCUMENT = {
  as: "file" as const,
  title: "Bench",
  language: null,
  changedAt: "2026-01-01T00:00:00.000Z",
  workspaceUrl: "https://muster.example/w/bench",
};

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** The most memory that a renderer's process of ours has used; NaN where there is no /proc. */
function peakMb(): number {
  for (const pid of readable("/proc").filter((name) => /^[0-9]+$/.test(name))) {
    const status = text(`/proc/${pid}/status`);
    if (!status.includes(`PPid:\t${process.pid}\n`) || !text(`/proc/${pid}/cmdline`).includes("rendering/child"))
      continue;
    return Number(/VmHWM:\s*([0-9]+)/.exec(status)?.[1]) / 1024;
  }
  return Number.NaN;
}

const readable = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

const text = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
};
