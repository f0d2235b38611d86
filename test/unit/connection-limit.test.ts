import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { limitConnections } from "../../src/adapters/connection-limit.ts";

/** If there are too many connections, the one that has waited longest for a request is closed. */

const MOST = 10;

const server = createServer();
limitConnections(server, MOST);
const answers: ServerResponse[] = [];
server.on("request", (_, answer) => answers.push(answer));
await once(server.listen(0, "127.0.0.1"), "listening");
const { port } = server.address() as AddressInfo;
const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

async function open(text: string): Promise<Socket> {
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  sockets.push(socket);
  const accepted = once(server, "connection");
  socket.resume().write(text);
  await accepted;
  return socket;
}

test("the oldest connections with incomplete heads are closed for new ones", async () => {
  const asking = await open("GET / HTTP/1.1\r\nHost: here\r\n\r\n");
  await expect.poll(() => answers.length).toBe(1);
  for (let n = 0; n < MOST + 4; n++) await open("GET / HTTP/1.1\r\nX-Half: ");
  await expect.poll(() => sockets.filter(({ closed }) => closed).length).toBe(4);
  expect(sockets.slice(1, 5).every(({ closed }) => closed)).toBe(true);
  expect(asking.closed).toBe(false);
  answers[0]!.end("here");
  const [reply] = await once(asking, "data");
  expect(String(reply)).toMatch(/^HTTP\/1.1 200/);
});

test("new connections are accepted while many others have a request in progress, such as streams", async () => {
  const before = answers.length;
  for (let n = 1; n <= MOST + 2; n++) {
    await open("GET / HTTP/1.1\r\nHost: here\r\n\r\n");
    await expect.poll(() => answers.length, { interval: 5 }).toBe(before + n);
  }
  for (let n = 0; n < 3; n++) await open("GET / HTTP/1.1\r\nX-Half: ");
  const last = await open("GET / HTTP/1.1\r\nHost: here\r\n\r\n");
  await expect.poll(() => answers.length, { interval: 5 }).toBe(before + MOST + 3);
  expect(last.closed).toBe(false);
  expect(sockets.every(({ closed }) => !closed)).toBe(true);
});
