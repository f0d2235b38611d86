import { once } from "node:events";
import { type AddressInfo, createServer, connect as dial, type Socket } from "node:net";

/**
 * A fault of a connection, after its server has sent `after` bytes:
 * - `end`: the client gets a FIN, and may continue sending;
 * - `destroy`: both directions are closed;
 * - `reset`: the client gets an RST;
 * - `delay`: further data of the server is held back for `ms`, then passed on in one piece;
 * - `join`: it is held back until the server has sent nothing for `ms`, then passed on in one piece with the server's
 *   closing message and a FIN.
 */
export type Fault = { after: number; kind: FaultKind; ms: number };
export type FaultKind = (typeof FAULT_KINDS)[number];
export const FAULT_KINDS = ["end", "destroy", "reset", "delay", "join"] as const;

/** A server's message when it ends a connection, and whether it may be sent now: only between two messages. */
export type Farewell = { bytes: Buffer; openTracker: () => (chunk: Buffer) => boolean };

const NO_FAREWELL: Farewell = { bytes: Buffer.alloc(0), openTracker: () => () => true };

export type CuttingProxy = Awaited<ReturnType<typeof startCuttingProxy>>;

/** A proxy in front of Postgres or Redis that cuts, joins and delays what the server sends. */
export async function startCuttingProxy(url: string, farewell = NO_FAREWELL) {
  const target = new URL(url);
  const host = target.hostname;
  const port = Number(target.port);
  let planned: Fault[] = [];
  let taken = 0;
  let opened = 0;
  const bytes: number[] = [];
  const sockets = new Set<Socket>();
  const relays = new Set<ReturnType<typeof relayOf>>();

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const number = opened++;
    bytes[number] = 0;
    const upstream = dial({ host, port, allowHalfOpen: true, noDelay: true });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.once("close", () => sockets.delete(socket));
    }
    client.on("data", (chunk) => upstream.write(chunk));
    client.once("end", () => upstream.end());
    client.once("close", () => upstream.destroy());
    const next = () => planned.shift();
    const relay = relayOf(client, next, farewell, () => taken++);
    relays.add(relay);
    client.once("close", () => relays.delete(relay));
    upstream.on("data", (chunk) => {
      bytes[number]! += chunk.length;
      relay.pass(chunk);
    });
    upstream.once("end", relay.end);
    upstream.once("close", relay.end);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const proxied = new URL(url);
  proxied.hostname = "127.0.0.1";
  proxied.port = String((server.address() as AddressInfo).port);

  return {
    url: proxied.toString(),
    /**
     * Replaces the planned faults: one for each open connection, and then one for each that is
     * opened. A connection whose fault was a delay takes another one.
     */
    plan(faults: readonly Fault[]) {
      planned = [...faults];
      for (const relay of relays) relay.replan();
    },
    /** Stops all traffic on the open connections without closing them. They take no more faults. */
    freeze() {
      for (const socket of sockets) socket.pause();
      relays.clear();
    },
    /** Faults that no connection has had yet. */
    left: () => planned.length,
    /** Faults that happened. */
    taken: () => taken,
    /** Bytes that the server sent, by connection in the order of their opening. */
    bytes: (): readonly number[] => bytes,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** Passes on what the server sends on one connection until its fault happens. */
function relayOf(client: Socket, next: () => Fault | undefined, farewell: Farewell, happened: () => void) {
  const isBetweenMessages = farewell.openTracker();
  let fault: Fault | undefined;
  let left = Number.POSITIVE_INFINITY;
  let held: Buffer[] | null = null;
  let timer: NodeJS.Timeout | undefined;
  let whole = true;

  replan();
  return {
    replan,
    pass(chunk: Buffer) {
      whole = isBetweenMessages(chunk);
      if (held) return hold(chunk);
      if (client.destroyed || client.writableEnded) return;
      if (chunk.length < left) {
        left -= chunk.length;
        client.write(chunk);
        return;
      }
      if (left > 0) client.write(chunk.subarray(0, left));
      const rest = chunk.subarray(left);
      happen();
      if (held) hold(rest);
    },
    end() {
      if (held) letGo();
      if (!client.destroyed) client.end();
    },
  };

  function replan() {
    if (held) return;
    fault = next();
    left = fault?.after ?? Number.POSITIVE_INFINITY;
    if (left === 0) happen();
  }

  function happen() {
    happened();
    if (fault!.kind === "end") client.end();
    else if (fault!.kind === "destroy") client.destroy();
    else if (fault!.kind === "reset") client.resetAndDestroy();
    else held = [];
  }

  function hold(chunk: Buffer) {
    held!.push(chunk);
    if (fault!.kind === "join") clearTimeout(timer);
    else if (timer) return;
    // More of a message that has begun arrives.
    if (whole || fault!.kind === "delay") timer = setTimeout(letGo, fault!.ms);
  }

  function letGo() {
    clearTimeout(timer);
    if (!held || client.destroyed) return;
    const all = Buffer.concat(fault!.kind === "join" ? [...held, farewell.bytes] : held);
    held = null;
    if (fault!.kind === "join") return client.end(all);
    client.write(all);
    timer = undefined;
    replan();
  }
}

/** FATAL 57P01, as Postgres ends a connection when it shuts down. */
export const POSTGRES_FAREWELL: Farewell = {
  bytes: errorResponse("FATAL", "57P01", "terminating connection due to administrator command"),
  openTracker: openMessageTracker,
};

function errorResponse(severity: string, code: string, message: string): Buffer {
  const fields = Buffer.from(`S${severity}\0V${severity}\0C${code}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write("E");
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

/** A message of Postgres has one byte for its type, four for its length including themselves, and the content. */
function openMessageTracker() {
  let pending = Buffer.alloc(0);
  return (chunk: Buffer): boolean => {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= 5 && pending.length > pending.readInt32BE(1)) {
      pending = pending.subarray(1 + pending.readInt32BE(1));
    }
    return pending.length === 0;
  };
}
