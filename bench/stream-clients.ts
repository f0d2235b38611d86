import { connect, type Socket } from "node:net";

/**
 * Clients of event streams, in a process of their own. It takes messages from its parent: `open` opens streams, `count`
 * answers how many events have come since the last one, `close` closes all.
 */

export type ClientOrder =
  | { kind: "open"; port: number; streams: StreamToOpen[] }
  | { kind: "count" }
  | { kind: "close" };
/** `cookie`: of a page's stream, which has no key. */
export type StreamToOpen = { path: string; key?: string; cookie?: string };
export type ClientReport = { events: number; open: number };

/** Connections that are being opened at a time. */
const AT_ONCE = 50;
/** Streams of pages tell only that something changed. */
const EVENTS = ["id: ", "event: changed"].map((text) => ({
  later: Buffer.from(`\n${text}`),
  first: Buffer.from(text),
}));
const CLOSED = Buffer.from("event: stream.clos");

const sockets = new Set<Socket>();
let events = 0;

process.on("message", async (order: ClientOrder) => {
  if (order.kind === "open") await openAll(order.port, order.streams);
  if (order.kind === "close") for (const socket of sockets) socket.destroy();
  process.send!({ events, open: sockets.size } satisfies ClientReport);
  events = 0;
});
process.on("disconnect", () => process.exit());

async function openAll(port: number, streams: StreamToOpen[]): Promise<void> {
  const left = [...streams];
  const one = async () => {
    for (let next = left.pop(); next; next = left.pop()) await open(port, next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

/** Opens a stream and waits until it is ready. */
function open(port: number, { path, key, cookie }: StreamToOpen): Promise<void> {
  return new Promise((ready, failed) => {
    let isReady = false;
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${cookie ? `Cookie: ${cookie}` : `Authorization: Bearer ${key}`}\r\n\r\n`,
      );
    });
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", (error) => failed(new Error(`A stream broke: ${error.message}`)));
    socket.on("data", (chunk) => {
      if (isReady) {
        events += countIn(chunk);
        // The server would keep the connection for a next request.
        if (chunk.includes(CLOSED)) socket.destroy();
        return;
      }
      const text = chunk.toString("latin1");
      if (/^HTTP\/1\.1 [45]/.test(text)) failed(new Error(text.slice(0, 1_000)));
      if (!text.includes("stream.ready")) return;
      isReady = true;
      ready();
    });
  });
}

/** Each chunk of the reply begins with its length in a line of its own, so an event begins after a line break. */
function countIn(chunk: Buffer): number {
  let count = 0;
  for (const { later, first } of EVENTS) {
    if (chunk.subarray(0, first.length).equals(first)) count++;
    for (let at = chunk.indexOf(later); at !== -1; at = chunk.indexOf(later, at + later.length)) count++;
  }
  return count;
}
