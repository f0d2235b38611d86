import { createServer } from "node:net";

/** A free port of 127.0.0.1: `wanted` if it is free, otherwise one that the system picks. */
export async function freePort(wanted = 0): Promise<number> {
  return (await listenOnce(wanted, "127.0.0.1")) ?? (await listenOnce(0, "127.0.0.1")) ?? 0;
}

/** Whether `port` is free, on `host` and on all addresses of "localhost". */
export async function isFree(port: number, host: string): Promise<boolean> {
  for (const address of new Set([host, "127.0.0.1", "::1"])) {
    if ((await listenOnce(port, address)) === undefined) return false;
  }
  return true;
}

/** Listens and closes again. Undefined if the port is in use. A machine without such an address counts as free. */
function listenOnce(port: number, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") resolve(undefined);
      else if (error.code === "EADDRNOTAVAIL" || error.code === "EAFNOSUPPORT") resolve(port);
      else reject(error);
    });
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : port));
    });
  });
}
