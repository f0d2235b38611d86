import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import tls from "node:tls";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type OutboundOptions, openOutbound } from "../../src/adapters/outbound-http.ts";
import { selfSigned } from "../support/certificate.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";

let receiver: Receiver;
const cleanups: (() => unknown)[] = [];

beforeEach(async () => {
  receiver = await startReceiver();
  cleanups.push(receiver.stop);
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function open(options: Partial<OutboundOptions> = {}) {
  const outbound = openOutbound({ allowLoopback: true, ...options });
  cleanups.push(outbound.close);
  return (url: string, { timeout_ms = 3000, body = "{}" } = {}) =>
    outbound.send({ url, headers: { "content-type": "application/json", "webhook-id": "1" }, body, timeout_ms });
}

/** Until a connection that has just answered counts as free. */
const idle = () => sleep(20);

async function listen(server: Server) {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanups.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

describe("answers", () => {
  test("the request arrives as given and the answer comes back", async () => {
    receiver.answers((_request, response) => response.writeHead(201, { "retry-after": "7" }).end("thanks"));
    const outcome = await open({ userAgent: "Test/1" })(`${receiver.url}hook?a=1`, { body: '{"title":"ü"}' });

    expect(outcome).toEqual({
      kind: "answered",
      status: 201,
      latency_ms: expect.any(Number),
      retry_after_seconds: 7,
      body: "thanks",
    });
    expect(receiver.requests).toMatchObject([
      {
        method: "POST",
        path: "/hook?a=1",
        json: { title: "ü" },
        headers: { "user-agent": "Test/1", "webhook-id": "1", "content-type": "application/json" },
      },
    ]);
  });

  test("a redirect is an answer and is not followed", async () => {
    receiver.answers((_request, response) => response.writeHead(307, { location: receiver.url }).end());
    expect(await open()(receiver.url)).toMatchObject({ kind: "answered", status: 307 });
    expect(receiver.requests).toHaveLength(1);
  });

  test("the body is cut at 4 KiB and made fit for storage", async () => {
    const send = open();
    receiver.answers((_request, response) => response.end("a".repeat(4096)));
    expect(await send(receiver.url)).toMatchObject({ body: "a".repeat(4096) });
    receiver.answers((_request, response) => response.end("b".repeat(100_000)));
    expect(await send(receiver.url)).toMatchObject({ body: "b".repeat(4096) });
    receiver.answers((_request, response) => response.end(Buffer.from([0x61, 0, 0xff, 0x62])));
    expect(await send(receiver.url)).toMatchObject({ body: "a\uFFFDb" });
  });

  test("an endless body ends at once, and the connection is closed", async () => {
    const hungUp = Promise.withResolvers<void>();
    receiver.answers((_request, response) => {
      const timer = setInterval(() => response.write("x".repeat(1000)), 1);
      response.on("close", () => {
        clearInterval(timer);
        hungUp.resolve();
      });
    });
    expect(await open()(receiver.url)).toMatchObject({ status: 200, body: "x".repeat(4096) });
    await hungUp.promise;
  });

  test.each([
    ["sent as a trickle", 200, false],
    ["broken off", 200, true],
  ])("a body %s keeps the status and what came", async (_how, status, breakOff) => {
    receiver.answers((_request, response) => {
      response.writeHead(status).write("begun");
      if (breakOff) setTimeout(() => response.destroy(), 50);
    });
    const outcome = await open()(receiver.url, { timeout_ms: 300 });
    expect(outcome).toMatchObject({ kind: "answered", status, body: "begun" });
    expect(outcome.latency_ms).toBeLessThan(1_500);
  });

  test.each([
    ["120", 120],
    ["0", 0],
    [new Date(0).toUTCString(), 0],
    ["Fri, 31 Dec 9999 23:59:59 GMT", 999_999_999],
    ["-5", null],
    ["1.5", null],
    ["soon", null],
    ["9".repeat(30), null],
  ])("Retry-After %j is read as %j", async (header, seconds) => {
    receiver.answers((_request, response) => response.writeHead(503, { "retry-after": header }).end());
    expect(await open()(receiver.url)).toMatchObject({ status: 503, retry_after_seconds: seconds });
  });

  test("Retry-After may be a date", async () => {
    const header = new Date(Date.now() + 60_000).toUTCString();
    receiver.answers((_request, response) => response.writeHead(503, { "retry-after": header }).end());
    const outcome = await open()(receiver.url);
    expect(outcome).toMatchObject({ status: 503, retry_after_seconds: expect.closeTo(60, -1.5) });
  });
});

describe("failures", () => {
  test("silence ends at the time limit, and the connection is closed", async () => {
    const hungUp = Promise.withResolvers<void>();
    receiver.answers((_request, response) => response.on("close", hungUp.resolve));
    const outcome = await open()(receiver.url, { timeout_ms: 150 });
    expect(outcome).toMatchObject({ kind: "unreachable", reason: "timeout", message: "No answer came in time." });
    expect(outcome.latency_ms).toBeGreaterThanOrEqual(140);
    expect(outcome.latency_ms).toBeLessThan(1_500);
    await hungUp.promise;
  });

  test("the time limit holds also while waiting for one of the connections or for DNS", async () => {
    receiver.answers(() => undefined);
    const send = open({ resolve: () => new Promise(() => undefined) });
    const all = [...Array(280).fill(receiver.url), "https://never.example/"].map((url) =>
      // Enough for a busy machine to open that many connections.
      send(url, { timeout_ms: 2_000 }),
    );
    for (const outcome of await Promise.all(all)) {
      expect(outcome).toMatchObject({ reason: "timeout" });
      expect(outcome.latency_ms).toBeLessThan(3_500);
    }
    // All connections were taken, so that the rest had to wait; some got one as the first were given up.
    expect(receiver.requests.length).toBeGreaterThanOrEqual(256);
  });

  test("a name that does not resolve", async () => {
    const resolve = async () => Promise.reject(Object.assign(new Error("no"), { code: "ENOTFOUND" }));
    expect(await open({ resolve })("https://nobody.example/")).toMatchObject({
      reason: "dns",
      message: "The host name could not be resolved (ENOTFOUND).",
    });
    expect(await open({ resolve: async () => [] })("https://nobody.example/")).toMatchObject({ reason: "dns" });
  });

  test("nobody listens", async () => {
    await receiver.stop();
    expect(await open()(receiver.url)).toMatchObject({ reason: "connect", message: /ECONNREFUSED/ });
  });

  test("a fresh connection that is closed without an answer is not tried twice", async () => {
    receiver.answers((request) => request.socket.destroy());
    expect(await open()(receiver.url)).toMatchObject({ reason: "reset" });
    receiver.answers((request) => request.socket.resetAndDestroy());
    expect(await open()(receiver.url)).toMatchObject({ reason: "reset" });
    expect(receiver.requests).toHaveLength(2);
  });

  test.each([
    ["no HTTP", "220 mail.example ESMTP\r\n"],
    ["endless headers", `HTTP/1.1 200 OK\r\nx: ${"a".repeat(20_000)}\r\n\r\n`],
    ["an upgrade", "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"],
  ])("an answer that is %s", async (_what, text) => {
    const port = await listen(createTcpServer((socket) => socket.on("error", () => undefined).end(text)));
    expect(await open()(`http://127.0.0.1:${port}/`)).toMatchObject({ reason: "protocol" });
  });

  test("invalid headers are the caller's error and throw", async () => {
    const outbound = openOutbound({ allowLoopback: true });
    cleanups.push(outbound.close);
    const request = { url: receiver.url, headers: { "x-a": "b\r\nhost: c" }, body: "", timeout_ms: 1000 };
    await expect(outbound.send(request)).rejects.toThrow("invalid x-a header");
  });
});

describe("addresses", () => {
  test.each(["https://10.0.0.1/", "https://169.254.169.254/", "https://[fd00:ec2::254]/", "https://2130706433/"])(
    "%s is refused though no name is looked up",
    async (url) => {
      expect(await open({ allowLoopback: false })(url)).toMatchObject({ reason: "private_address" });
    },
  );

  test("loopback and plain http need their permission", async () => {
    const send = open({ allowLoopback: false });
    expect(await send(receiver.url.replace("http:", "https:"))).toMatchObject({ reason: "private_address" });
    expect(await send(receiver.url)).toMatchObject({ kind: "unreachable", reason: "protocol" });
    expect(receiver.requests).toEqual([]);
  });

  test("a name that first has an allowed and then a private address is refused the second time", async () => {
    const answers = [["127.0.0.1"], ["10.0.0.1"]];
    const send = open({ resolve: async () => answers.shift() ?? [] });
    const url = receiver.url.replace("127.0.0.1", "rebind.example");
    receiver.answers((_request, response) => response.writeHead(204, { connection: "close" }).end());

    expect(await send(url)).toMatchObject({ status: 204 });
    expect(await send(url)).toMatchObject({
      reason: "private_address",
      message: "The host has an address that is not public.",
    });
    expect(receiver.requests).toHaveLength(1);
  });

  test("the name is looked up once for a connection, and the connection goes to the address that was checked", async () => {
    let lookups = 0;
    const resolve = async () => (lookups++ === 0 ? ["127.0.0.1"] : ["10.0.0.1"]);
    const send = open({ resolve });
    const url = receiver.url.replace("127.0.0.1", "pinned.example");
    for (let count = 0; count < 5; count++) {
      expect(await send(url)).toMatchObject({ status: 204 });
      await idle();
    }
    expect(lookups).toBe(1);
  });

  test.each([
    [["127.0.0.1", "10.0.0.1"]],
    [["10.0.0.1", "127.0.0.1"]],
    [["127.0.0.1", "fe80::1"]],
    [["127.0.0.1", "::ffff:192.168.0.1"]],
    [["not an address"]],
  ])("a name with the addresses %j is refused", async (addresses) => {
    const url = receiver.url.replace("127.0.0.1", "mixed.example");
    expect(await open({ resolve: async () => addresses })(url)).toMatchObject({ reason: "private_address" });
    expect(receiver.requests).toEqual([]);
  });

  test("of several allowed addresses one that works is enough", async () => {
    const url = receiver.url.replace("127.0.0.1", "several.example");
    expect(await open({ resolve: async () => ["::1", "127.0.0.1"] })(url)).toMatchObject({ status: 204 });
  });

  test("localhost names are loopback without DNS", async () => {
    expect(await open()(receiver.url.replace("127.0.0.1", "a.localhost"))).toMatchObject({ status: 204 });
  });
});

describe("TLS", () => {
  const { key, cert } = selfSigned("hooks.example");
  const trusted = tls.getCACertificates("default");
  const resolve = async () => ["127.0.0.1"];
  let port: number;

  beforeEach(async () => {
    let requests = 0;
    port = await listen(
      createTlsServer({ key, cert }, (request, response) => {
        // Every second request finds its connection closed.
        if (requests++ === 1) request.socket.destroy();
        else response.end(`${requests}`);
      }),
    );
  });

  test("an unknown authority, a wrong name and plain HTTP are refused", async () => {
    const send = open({ resolve });
    expect(await send(`https://hooks.example:${port}/`)).toMatchObject({
      reason: "tls",
      message: "The TLS handshake failed (DEPTH_ZERO_SELF_SIGNED_CERT).",
    });
    expect(await send(receiver.url.replace("http:", "https:"))).toMatchObject({ reason: "tls" });
    tls.setDefaultCACertificates([...trusted, cert]);
    cleanups.push(() => tls.setDefaultCACertificates(trusted));
    expect(await open({ resolve })(`https://other.example:${port}/`)).toMatchObject({
      reason: "tls",
      message: "The TLS handshake failed (ERR_TLS_CERT_ALTNAME_INVALID).",
    });
  });

  test("a fresh connection that is closed without an answer is not tried twice", async () => {
    tls.setDefaultCACertificates([...trusted, cert]);
    cleanups.push(() => tls.setDefaultCACertificates(trusted));
    let requests = 0;
    const closing = await listen(
      createTlsServer({ key, cert }, (request) => {
        requests++;
        request.socket.destroy();
      }),
    );
    expect(await open({ resolve })(`https://hooks.example:${closing}/`)).toMatchObject({ reason: "reset" });
    expect(requests).toBe(1);
  });

  test("a trusted receiver is reached, also when it closed the connection in between", async () => {
    tls.setDefaultCACertificates([...trusted, cert]);
    cleanups.push(() => tls.setDefaultCACertificates(trusted));
    const send = open({ resolve });
    expect(await send(`https://hooks.example:${port}/`)).toMatchObject({ status: 200, body: "1" });
    await idle();
    expect(await send(`https://hooks.example:${port}/`)).toMatchObject({ status: 200, body: "3" });
  });
});

describe("connections", () => {
  test("are kept for the next message", async () => {
    const ports = new Set<number | undefined>();
    receiver.answers((request, response) => {
      ports.add(request.socket.remotePort);
      response.writeHead(200).end("ok");
    });
    const send = open();
    for (let count = 0; count < 5; count++) {
      await send(receiver.url);
      await idle();
    }
    expect(ports.size).toBe(1);
  });

  test.each(["destroy", "resetAndDestroy"] as const)(
    "a kept one that the receiver closed (%s) costs nothing",
    async (end) => {
      const send = open();
      receiver.answers(204, (request) => request.socket[end](), 204);
      expect(await send(receiver.url)).toMatchObject({ status: 204 });
      await idle();
      expect(await send(receiver.url)).toMatchObject({ status: 204 });
      expect(receiver.requests).toHaveLength(3);
    },
  );

  test("the second try is the last one", async () => {
    const send = open();
    receiver.answers(204, (request) => request.socket.destroy());
    expect(await send(receiver.url)).toMatchObject({ status: 204 });
    await idle();
    expect(await send(receiver.url)).toMatchObject({ reason: "reset" });
    expect(receiver.requests).toHaveLength(3);
  });

  test("thousands of messages at once all arrive, each once", async () => {
    const send = open();
    const bodies = Array.from({ length: 3000 }, (_, number) => JSON.stringify({ number }));
    const outcomes = await Promise.all(bodies.map((body) => send(receiver.url, { body, timeout_ms: 10_000 })));
    expect(outcomes.every((outcome) => outcome.kind === "answered" && outcome.status === 204)).toBe(true);
    const received = await receiver.waitFor(3000);
    expect(new Set(received.map(({ json }) => json.number)).size).toBe(3000);
    expect(received).toHaveLength(3000);
  });

  test("a slow receiver does not delay another one", async () => {
    const send = open();
    receiver.answers(() => undefined);
    const slow = Array.from({ length: 100 }, () => send(receiver.url, { timeout_ms: 500 }));
    const other = await startReceiver();
    cleanups.push(other.stop);
    expect((await send(other.url)).latency_ms).toBeLessThan(400);
    await Promise.all(slow);
  });
});
