import { chosen } from "./chosen.ts";
import { openConnection } from "./connection.ts";
import { STORES, startKeptStack } from "./kept-stack.ts";
import { median } from "./load.ts";
import { type Case, casesOf, type Request } from "./scale-cases.ts";
import { openStore, type Store } from "./scale-stores.ts";

/**
 * What calls cost as a project grows: a thousand, a hundred thousand and a million issues with comments, history and
 * events. One call at a time; the stores take turns. `BENCH_SIZES` and `BENCH_CASES` choose fewer.
 */

const SIZES = (process.env.BENCH_SIZES ?? "1000,100000,1000000").split(",").map(Number);
const WARM_UP = 6;
/** Longest time for a case, unless it had fewer rounds than these. */
const PATIENCE_MS = 15_000;
const FEWEST = 4;
/** No median grows by more than this factor. */
const MAX_GROWTH = 2;

type Connected = Store & { port: number; send: (request: Request) => Promise<number>; cases: Case[] };

export async function run(): Promise<void> {
  const stack = await startKeptStack({ shared_buffers: "1GB", max_wal_size: "8GB" });
  const stores: Store[] = [];
  try {
    for (const size of SIZES) stores.push(await openStore(stack, size));
    const connected = await Promise.all(stores.map(connect));
    console.log(`scale: stores in ${STORES}; medians in ms, and the growth from the first to the last size`);
    console.log(`${"".padEnd(46)}${SIZES.map((size) => String(size).padStart(10)).join("")}    growth`);
    const missed: string[] = [];
    const names = new Set(chosen("BENCH_CASES", connected[0]!.cases, ({ name }) => name).map(({ name }) => name));
    for (const [at, { name }] of connected[0]!.cases.entries()) {
      if (!names.has(name)) continue;
      const medians = await measure(connected, at);
      const growth = medians.at(-1)! / medians[0]!;
      const over = medians.some(
        (ms, n) => ms > (connected[n]!.cases[at]!.limits[SIZES[n]!] ?? Number.POSITIVE_INFINITY),
      );
      const note = [growth > MAX_GROWTH ? "grows" : "", over ? "slow" : ""].filter(Boolean).join(", ");
      if (note) missed.push(`${name} (${note})`);
      const cells = medians.map((ms) => ms.toFixed(2).padStart(10)).join("");
      console.log(`${name.padEnd(46)}${cells}${growth.toFixed(2).padStart(10)}  ${note}`);
    }
    if (missed.length > 0) process.exitCode = 1;
    console.log(missed.length === 0 ? "All goals are met." : `Goals missed by ${missed.length}: ${missed.join("; ")}.`);
  } finally {
    for (const { bench } of stores) await bench.stop();
    await stack.stop();
  }
}

async function connect(store: Store): Promise<Connected> {
  const { port } = await store.bench.start("src/web.ts");
  const connection = await openConnection("127.0.0.1", port);
  const reply = async ({ method = "GET", path, body, key = store.bench.key }: Request) => {
    const text = body === undefined ? "" : JSON.stringify(body);
    const length = text ? `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n` : "";
    const head = `${method} /v1/workspaces/bench${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\n`;
    const answer = await connection.send(`${head}${length}\r\n${text}`);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.body().slice(0, 300)}`);
    return answer;
  };
  const send = async (request: Request) => {
    const started = performance.now();
    await reply(request);
    return performance.now() - started;
  };
  const read = async (path: string) => JSON.parse((await reply({ path })).body());
  return { ...store, port, send, cases: await casesOf(store, read) };
}

/** The medians of a case, store by store. Slow cases get fewer rounds. */
async function measure(stores: Connected[], at: number): Promise<number[]> {
  const times: number[][] = stores.map(() => []);
  const { times: wanted } = stores[0]!.cases[at]!;
  const end = performance.now() + PATIENCE_MS;
  for (let turn = 0; turn < wanted + WARM_UP; turn++) {
    for (const [n, { send, cases }] of stores.entries()) {
      const ms = await send(cases[at]!.request(turn));
      if (turn >= WARM_UP) times[n]!.push(ms);
    }
    if (performance.now() > end && turn >= WARM_UP + FEWEST) break;
  }
  return times.map(median);
}
