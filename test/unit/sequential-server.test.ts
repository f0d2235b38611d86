import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { SequentialServer } from "../../src/adapters/sequential-server.ts";

/** Requests that a client sends on one connection without waiting for the replies. */

type Exchange = { request: IncomingMessage; answer: ServerResponse };

const server = new SequentialServer();
const received: Exchange[] = [];
server.on("request", (request, answer) => received.push({ request, answer }));
await once(server.listen(0, "127.0.0.1"), "listening");
const { port } = server.address() as AddressInfo;
const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  received.length = 0;
});

const requests = (count: number) =>
  Array.from({ length: count }, (_, n) => `GET /${n} HTTP/1.1\r\nHost: here\r\n\r\n`).join("");

async function send(text: string) {
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  sockets.push(socket);
  let reply = "";
  socket.on("data", (data) => {
    reply += data;
  });
  socket.write(text);
  await expect.poll(() => received.length).toBeGreaterThan(0);
  // Enough time for the others, if they were not waiting.
  await sleep(50);
  return { socket, reply: () => reply };
}

const answerLast = () => received.at(-1)!.answer.end(`reply to ${received.at(-1)!.request.url};`);

test("are handled one after another, in their order", async () => {
  const { reply } = await send(requests(20));
  for (let n = 1; n <= 20; n++) {
    await expect.poll(() => received.length, { interval: 5 }).toBe(n);
    answerLast();
  }
  await expect.poll(reply).toMatch(/reply to \/19;/);
  expect([...reply().matchAll(/reply to \/(\d+);/g)].map(([, n]) => Number(n))).toEqual([...Array(20).keys()]);
});

test("may have bodies, and may come after the connection was idle", async () => {
  const post = (text: string) =>
    `POST /${text} HTTP/1.1\r\nHost: here\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
  const { socket, reply } = await send(post("one") + post("two"));
  for (const [n, text] of ["one", "two", "three"].entries()) {
    if (text === "three") socket.write(post(text));
    await expect.poll(() => received.length, { interval: 5 }).toBe(n + 1);
    let body = "";
    for await (const chunk of received[n]!.request) body += chunk;
    expect(body).toBe(text);
    answerLast();
    await expect.poll(reply, { interval: 5 }).toMatch(`reply to /${text};`);
  }
});

test("close their connection if there are too many", async () => {
  const { socket } = await send(requests(1_000));
  await expect.poll(() => socket.closed).toBe(true);
  expect(received).toHaveLength(1);
});

test("close their connection if their heads are too large together", async () => {
  const large = `GET / HTTP/1.1\r\nHost: here\r\nX-Large: ${"x".repeat(12_000)}\r\n\r\n`;
  const honest = await send(large.repeat(5));
  expect(honest.socket.closed).toBe(false);
  const { socket } = await send(large.repeat(10));
  await expect.poll(() => socket.closed).toBe(true);
  expect(received).toHaveLength(2);
});

test("are not handled after their client has left", async () => {
  const { socket } = await send(requests(20));
  socket.destroy();
  await once(received[0]!.answer, "close");
  await sleep(50);
  expect(received).toHaveLength(1);
});

test("are not handled after a reply that closes the connection", async () => {
  const { socket, reply } = await send(requests(20));
  received[0]!.answer.shouldKeepAlive = false;
  answerLast();
  await expect.poll(() => socket.closed).toBe(true);
  expect(reply()).toMatch(/reply to \/0;/);
  expect(received).toHaveLength(1);
});
