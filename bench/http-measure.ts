import { cpuOf, untilIdle } from "./cpu.ts";
import { type Call, type Program, requestOf } from "./http-calls.ts";
import { load, median, type Result } from "./load.ts";
import type { Counter, Ran } from "./statements.sql.ts";
import type { Trips } from "./trips.ts";

/** Requests a second, bytes, computing time by process, and statements of a program's calls. */

export const CONNECTIONS = 16;
const COUNTED = 320;

/** Microseconds of computing time a call. */
export type Cpu = { process: number; worker: number; postgres: number; redis: number };
export type Measured = Result & { cpu: Cpu };

export type Beside = { servers: { postgres: number; redis: number }; worker: number | undefined };

/** A program that is measured, with one of the calls. */
export type Entry = { label: string; program: Program; projects?: string[] };

export async function measure(call: Call, entry: Entry, key: string, ms: number, beside: Beside): Promise<Measured> {
  const { program, projects } = entry;
  const { postgres, redis } = beside.servers;
  const worker = program.kind === "muster" ? beside.worker : undefined;
  const now = () => [program.pid, worker, postgres, redis].map((pid) => (pid === undefined ? 0 : cpuOf(pid)));
  const before = now();
  const result = await load(requestOf(call, program, key, projects), { connections: CONNECTIONS, ms });
  // What the worker still has to do belongs to these calls, and must not disturb the next ones.
  if (worker !== undefined) await untilIdle(worker);
  const after = now();
  const [own, workers, pg, memory] = after.map((seconds, n) => ((seconds - before[n]!) * 1e6) / result.calls);
  return { ...result, cpu: { process: own!, worker: workers!, postgres: pg!, redis: memory! } };
}

export type Counted = Trips & { statements: number; ms: number; ran: Ran[] };

/** Round trips of a call, and its statements by their number and running time. */
export async function count(
  call: Call,
  { program, projects }: Entry,
  key: string,
  counter: Counter,
  worker: number | undefined,
): Promise<Counted> {
  const { port, proxy } = program.counted!;
  const calls = () =>
    load(requestOf(call, { ...program, port }, key, projects), {
      connections: CONNECTIONS,
      ms: 20_000,
      calls: COUNTED,
    });
  // The first calls of a process prepare statements and fill caches.
  await calls();
  const ran = await counter.during(async () => {
    proxy.take();
    await calls();
    if (worker !== undefined) await untilIdle(worker);
  });
  const { trips, sent, received } = proxy.take();
  const each = ran.map((one) => ({ ...one, calls: one.calls / COUNTED, ms: one.ms / COUNTED }));
  const sum = (field: "calls" | "ms") => each.reduce((total, one) => total + one[field], 0);
  return {
    trips: trips / COUNTED,
    sent: sent / COUNTED,
    received: received / COUNTED,
    statements: sum("calls"),
    ms: sum("ms"),
    ran: each,
  };
}

export const cpuSum = ({ process, worker, postgres, redis }: Cpu): number => process + worker + postgres + redis;

/** Median of the ratios of the rounds. */
export const ratioOf = <R>(results: R[], others: R[], of: (result: R) => number): number =>
  median(results.map((result, round) => of(result) / of(others[round]!)));
