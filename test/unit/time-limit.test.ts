import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { limitBody, limitReading, limitSilence } from "../../src/api/http/time-limit.ts";

/** Sends raw bytes to a server, and answers all that came back until the connection ended. */
async function talk(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  ...parts: (string | number)[]
): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  onTestFinished(() => {
    socket.destroy();
    server.close();
    server.closeAllConnections();
  });
  let heard = "";
  socket.on("data", (bytes) => (heard += bytes)).on("error", () => {});
  const ended = once(socket, "close");
  for (const part of parts) {
    if (typeof part === "number") await sleep(part);
    else if (!socket.destroyed) socket.write(part);
  }
  await ended;
  return heard;
}

const PUT = "PUT /files/token HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 4\r\n\r\n";
const status = (heard: string) => heard.match(/HTTP\/1\.1 \d+/g);

test("a body that takes too long returns 408", async () => {
  const heard = await talk((request, response) => limitBody(request, response, 100), PUT, "12");
  expect(status(heard)).toEqual(["HTTP/1.1 408"]);
});

test("a body that continues after its reply is cut off, without a second reply", async () => {
  const heard = await talk(
    (request, response) => {
      limitBody(request, response, 200);
      response.write("no");
    },
    PUT,
    "12",
  );
  expect(status(heard)).toEqual(["HTTP/1.1 200"]);
});

test("a file may take longer than a body, but not pause for too long", async () => {
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    limitBody(request, response, 100);
    limitSilence(request, response, 300);
    request.resume().on("end", () => response.end());
  };
  expect(status(await talk(answer, PUT, "1", 150, "2", 150, "3", 150, "4"))).toEqual(["HTTP/1.1 200"]);
  expect(status(await talk(answer, PUT, "1", 150, "2"))).toEqual(["HTTP/1.1 408"]);
});

test("a slow store is not the sender's silence: neither while it reads nor before it answers", async () => {
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    limitSilence(request, response, 100);
    request.pause();
    setTimeout(() => request.resume(), 350);
    request.on("end", () => setTimeout(() => response.end(), 400));
  };
  expect(status(await talk(answer, PUT, "12", 200, "34"))).toEqual(["HTTP/1.1 200"]);
});

test("a reply that nobody reads is ended", async () => {
  const server = createServer((_, response) => {
    limitReading(response, 200);
    response.write(Buffer.alloc(64 * 1024 ** 2));
    response.once("close", () => server.emit("given up"));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1", () => {
    socket.pause();
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  });
  onTestFinished(() => {
    socket.destroy();
    server.close();
  });
  await once(server, "given up");
});
