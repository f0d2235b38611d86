import { type Counted, type Cpu, cpuSum, type Entry, type Measured, ratioOf } from "./http-measure.ts";
import { median } from "./load.ts";

/** How the compared programs are printed. */

export type Line = { entry: Entry; results: Measured[]; counted: Counted };

const WIDTHS = [12, 6, 7, 7, 8, 7, 9, 6, 7, 6, 11, 7, 7, 8, 7];
const HEADS = [
  "",
  "rps",
  "p50 ms",
  "p99 ms",
  "process",
  "worker",
  "postgres",
  "redis",
  "all us",
  "trips",
  "statements",
  "ran ms",
  "to pg",
  "from pg",
  "bytes",
];

const row = (cells: (string | number)[]) =>
  cells.map((cell, n) => (n === 0 ? `  ${cell}`.padEnd(WIDTHS[0]!) : String(cell).padStart(WIDTHS[n]!))).join(" ");

/** Prints the ratios of the first program to the others, and a row for each. */
export function printLines(name: string, lines: Line[], goal: number | undefined): void {
  const [ours, ...floors] = lines;
  const ratios = floors.map(({ entry, results }, n) => {
    const rps = ratioOf(ours!.results, results, (one) => one.rps);
    const cpu = ratioOf(results, ours!.results, (one) => cpuSum(one.cpu));
    const perByte = ratioOf(ours!.results, results, (one) => one.rps * one.bytes);
    const missed = n === 0 && goal !== undefined ? ` (goal ${goal}${rps < goal ? ", MISSED" : ""})` : "";
    if (missed.includes("MISSED")) process.exitCode = 1;
    return `${rps.toFixed(2)} of ${entry.label}${missed}, ${perByte.toFixed(2)} per byte, ${cpu.toFixed(2)} by CPU`;
  });
  console.log(`\n${name}: ${ratios.join("; ")}`);
  console.log(row(HEADS));
  for (const { entry, results, counted } of lines) {
    const mid = (of: (one: Measured) => number) => median(results.map(of));
    const cpu = (part: keyof Cpu) => mid((one) => one.cpu[part]).toFixed(0);
    console.log(
      row([
        entry.label,
        mid((one) => one.rps).toFixed(0),
        mid((one) => one.p50).toFixed(2),
        mid((one) => one.p99).toFixed(1),
        cpu("process"),
        cpu("worker"),
        cpu("postgres"),
        cpu("redis"),
        mid((one) => cpuSum(one.cpu)).toFixed(0),
        counted.trips.toFixed(2),
        counted.statements.toFixed(2),
        counted.ms.toFixed(2),
        counted.sent.toFixed(0),
        counted.received.toFixed(0),
        mid((one) => one.bytes).toFixed(0),
      ]),
    );
  }
}

const SHOWN = 12;

/** The statements of a program, those that run longest first. */
export function printStatements({ entry, counted }: Line): void {
  console.log(`  statements of ${entry.label}: number a call, running time a call`);
  for (const { text, calls, ms } of counted.ran.slice(0, SHOWN)) {
    const short = text.replace(/\s+/g, " ").trim().slice(0, 90);
    console.log(`    ${calls.toFixed(2).padStart(6)} ${ms.toFixed(3).padStart(8)} ms  ${short}`);
  }
}
