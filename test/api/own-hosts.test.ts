import { mkdtempSync, rmSync } from "node:fs";
import { request as send } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startStripeEmulator } from "../../src/dev/stripe-emulator/start.ts";
import { startWeb } from "../../src/start-web.ts";
import { type RunningWorker, startWorker } from "../../src/start-worker.ts";
import { app, configure } from "../support/app.ts";

/**
 * DNS rebinding: a page of another site points its own name at our address. The Host header still has that name, so
 * pages with secrets answer only under our own names.
 */

const folder = mkdtempSync(join(tmpdir(), "muster-hosts-"));
configure({ MAILBOX_FOLDER: folder, BASE_URL: "https://muster.test:8443" });

let worker: RunningWorker;
let urls: { web: string; worker: string };
beforeAll(async () => {
  const { config, baseUrl } = await app();
  worker = await startWorker({ ...config, WORKER_PORT: 0 });
  urls = { web: baseUrl, worker: `http://127.0.0.1:${worker.port}` };
});
afterAll(async () => {
  await worker.stop();
  rmSync(folder, { recursive: true, force: true });
});

type Reply = { status: number; text: string };

/** A request as a browser sends it that took `host` for the address's name. */
function get(url: string, host: string, headers: Record<string, string> = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = send(url, { headers: { ...headers, host } }, async (response) => {
      let text = "";
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode!, text });
    });
    sent.on("error", reject).end();
  });
}

const operator = { authorization: `Basic ${Buffer.from("operator:operator-password").toString("base64")}` };
const secret = (): [string, string][] => [
  ["mailbox", `${urls.web}/dev/mailbox`],
  ["one mail", `${urls.web}/dev/mailbox/0199c0de00007000800000000000000a`],
  ["queue console", `${urls.web}/admin/queues`],
  ["the console's data", `${urls.web}/admin/queues/api/queues`],
  ["metrics of web", `${urls.web}/metrics`],
  ["metrics of a worker", `${urls.worker}/metrics`],
];

describe("pages with secrets", () => {
  test.each([
    "evil.test",
    "evil.test:3000",
    "muster.test.evil.test",
    "evil.muster.test",
    "localhost.evil.test",
    "127.0.0.1.evil.test",
    "evil.test@localhost",
    "localhost/@evil.test",
    "192.168.1.5:3000",
    "xn--mster-kva.test",
    "a".repeat(301),
  ])("reject requests for the host %s", async (host) => {
    for (const [name, url] of secret()) {
      const { status, text } = await get(url, host, { ...operator, "x-forwarded-host": "muster.test" });
      expect(status, name).toBe(421);
      expect(text).not.toContain("muster_");
      if (url.startsWith(urls.web)) expect(text).toContain("https://muster.test:8443");
    }
  });

  test.each([
    "muster.test",
    "MUSTER.test:8443",
    "muster.test:3001",
    "localhost",
    "localhost:3000",
    "127.0.0.1:1",
    "[::1]:3000",
  ])("accept requests for our own host %s", async (host) => {
    for (const [name, url] of secret()) {
      const { status } = await get(url, host, operator);
      expect(status, name).toBe(name === "one mail" ? 404 : 200);
    }
    // And ask for the password as ever.
    expect((await get(`${urls.web}/metrics`, host)).status).toBe(401);
  });
});

test("health and all public pages answer under any name", async () => {
  for (const path of ["/healthz", "/readyz", "/docs", "/sign-in", "/api/v1/openapi.json"]) {
    expect([200, 503]).toContain((await get(urls.web + path, "10.0.0.7:5000")).status);
  }
  expect((await get(`${urls.worker}/healthz`, "worker:3001")).status).toBe(200);
});

test("an operator may allow further names, for pages with a password only", async () => {
  const { config } = await app();
  for (const [hosts, allowed, other] of [
    [["worker", "metrics.internal"], "worker:3001", "evil.test"],
    [["*"], "10.0.0.7:3001", null],
  ] as const) {
    const own = { ...config, OPERATOR_HOSTS: [...hosts] };
    const web = await startWeb(own);
    const url = `http://127.0.0.1:${web.port}`;
    expect((await get(`${url}/metrics`, allowed, operator)).status).toBe(200);
    expect((await get(`${url}/dev/mailbox`, allowed)).status).toBe(421);
    if (other) expect((await get(`${url}/metrics`, other, operator)).status).toBe(421);
    await web.stop();
  }
});

test("the Stripe emulator answers only under names of this machine", async () => {
  const emulator = await startStripeEmulator();
  expect((await get(`${emulator.url}/_control/requests`, "evil.test")).status).toBe(421);
  expect((await get(`${emulator.url}/v1/payment_intents`, `evil.test:${emulator.port}`)).status).toBe(421);
  expect((await get(`${emulator.url}/_control/requests`, `localhost:${emulator.port}`)).status).toBe(200);
  await emulator.stop();
});
