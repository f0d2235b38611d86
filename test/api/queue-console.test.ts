import { expect, test } from "vitest";
import { startWorker } from "../../src/start-worker.ts";
import { deliverWebhook } from "../../src/workers/delivery/deliver-webhook.ts";
import { app, configure } from "../support/app.ts";

configure({ TRUSTED_PROXIES: "1", BAD_CREDENTIALS_PER_MINUTE: "12" });

type Shown = { queues: { name: string; counts: Record<string, number>; jobs: object[] }[] };

const basic = (password: string) => ({
  authorization: `Basic ${Buffer.from(`operator:${password}`).toString("base64")}`,
});

test("only the operator can open the queue console", async () => {
  const { baseUrl, config } = await app();
  const at = (path: string, init: RequestInit = {}) => fetch(`${baseUrl}/admin/queues${path}`, init);
  const operator = basic(config.OPERATOR_PASSWORD ?? "");

  for (const path of ["", "/", "/api/queues", "/static/js/none.js"]) {
    expect((await at(path)).status).toBe(401);
    expect((await at(path, { headers: basic("guess") })).status).toBe(401);
  }
  expect((await at("")).headers.get("www-authenticate")).toMatch(/^Basic /);

  const page = await at("", { headers: operator });
  expect(page.status).toBe(200);
  expect(page.headers.get("cache-control")).toBe("no-store");
  const html = await page.text();
  expect(html).toContain("Muster queues");
  // It works without a network, and whatever slipped into it could load nothing.
  expect(html).not.toMatch(/(src|href)="(https?:)?\/\//);
  expect(page.headers.get("content-security-policy")).toContain("default-src 'self'");
  const script = /src="(static\/js\/main[^"]*)"/.exec(html)?.[1];
  expect((await at(`/${script}`, { headers: operator })).status).toBe(200);
  for (const path of ["/static/js/none.js", "/none", "/api/none"]) {
    expect((await at(path, { headers: operator })).status).toBe(404);
  }
  expect((await fetch(`${baseUrl}/admin/queuesque`, { headers: operator })).status).toBe(404);
});

test("guesses of the password are limited per address, without effect on other addresses", async () => {
  const { baseUrl, config } = await app();
  const from = (address: string, password: string, path = "/admin/queues") =>
    fetch(baseUrl + path, { headers: { ...basic(password), "x-forwarded-for": address } });
  for (let guess = 0; guess < 12; guess++) {
    expect((await from("203.0.113.1", `guess ${guess}`)).status).toBe(401);
  }
  const refused = await from("203.0.113.1", "one more");
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  // Not even the right one tells that it is right.
  expect((await from("203.0.113.1", config.OPERATOR_PASSWORD ?? "")).status).toBe(429);
  expect((await from("203.0.113.1", "and another", "/metrics")).status).toBe(429);

  for (let visit = 0; visit < 20; visit++) {
    expect((await from("203.0.113.2", config.OPERATOR_PASSWORD ?? "", "/metrics")).status).toBe(200);
  }
});

test("the queue console shows queues and works on them, from its own pages only", async () => {
  const { baseUrl, config } = await app();
  const worker = await startWorker({ ...config, LOG_LEVEL: "silent" });
  const queue = worker.producer.open(deliverWebhook);
  await queue.add(deliverWebhook.name, { nonsense: true }, { jobId: "broken" });
  await expect.poll(() => queue.getFailedCount()).toBe(1);
  await worker.stop();

  const headers = basic(config.OPERATOR_PASSWORD ?? "");
  const api = `${baseUrl}/admin/queues/api/queues`;
  const shown = (await (
    await fetch(`${api}?activeQueue=deliver-webhook&status=failed&page=1`, { headers })
  ).json()) as Shown;
  const failed = shown.queues.find(({ name }) => name === deliverWebhook.name);
  expect(failed?.counts.failed).toBe(1);
  expect(failed?.jobs[0]).toMatchObject({ id: "broken", failedReason: "the payload is not valid" });

  const remove = (more: Record<string, string>) =>
    fetch(`${api}/deliver-webhook/broken/clean`, { method: "PUT", headers: { ...headers, ...more } });
  expect((await remove({ "sec-fetch-site": "cross-site" })).status).toBe(403);
  expect((await remove({ origin: "https://evil.example" })).status).toBe(403);
  expect((await remove({ "sec-fetch-site": "same-origin" })).status).toBeLessThan(300);
  const after = (await (await fetch(api, { headers })).json()) as Shown;
  expect(after.queues.find(({ name }) => name === deliverWebhook.name)?.counts.failed).toBe(0);
});
