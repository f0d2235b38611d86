import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A proxy in front of Postgres that counts round trips, and the bytes of both directions. */

export type Trips = { trips: number; sent: number; received: number };

export type CountingProxy = {
  /** The database's address through the proxy. */
  url: string;
  /** What was counted since the last call. */
  take(): Trips;
  close(): void;
};

export async function startCountingProxy(url: string): Promise<CountingProxy> {
  const { hostname: host, port } = new URL(url);
  const sockets = new Set<Socket>();
  let counted: Trips = { trips: 0, sent: 0, received: 0 };
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ host, port: Number(port), noDelay: true });
    // A trip begins when the client sends something after the server did.
    let answered = true;
    client.on("data", (chunk) => {
      if (answered) counted.trips++;
      answered = false;
      counted.sent += chunk.length;
      upstream.write(chunk);
    });
    upstream.on("data", (chunk) => {
      answered = true;
      counted.received += chunk.length;
      client.write(chunk);
    });
    for (const [one, other] of [[client, upstream] as const, [upstream, client] as const]) {
      sockets.add(one);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const through = new URL(url);
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: through.toString(),
    take() {
      const taken = counted;
      counted = { trips: 0, sent: 0, received: 0 };
      return taken;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
