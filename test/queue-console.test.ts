import { expect, test } from "vitest";
import { matchWebhooks } from "../src/queues/index.ts";
import { startWorker } from "../src/worker.ts";
import { app } from "./support/app.ts";

type Shown = { queues: { name: string; counts: Record<string, number>; jobs: object[] }[] };

const basic = (password: string) => ({
  authorization: `Basic ${Buffer.from(`operator:${password}`).toString("base64")}`,
});

test("the queue console is the operator's alone", async () => {
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
  expect(await page.text()).toContain("Muster queues");
  expect((await fetch(`${baseUrl}/admin/queuesque`, { headers: operator })).status).toBe(404);
});

test("the queue console shows queues and works on them, from its own pages only", async () => {
  const { baseUrl, config } = await app();
  const worker = await startWorker({ ...config, LOG_LEVEL: "silent" });
  const queue = worker.producer.open(matchWebhooks);
  await queue.add(matchWebhooks.name, { nonsense: true }, { jobId: "broken" });
  await expect.poll(() => queue.getFailedCount()).toBe(1);
  await worker.stop();

  const headers = basic(config.OPERATOR_PASSWORD ?? "");
  const api = `${baseUrl}/admin/queues/api/queues`;
  const shown = (await (
    await fetch(`${api}?activeQueue=match-webhooks&status=failed&page=1`, { headers })
  ).json()) as Shown;
  const failed = shown.queues.find(({ name }) => name === matchWebhooks.name);
  expect(failed?.counts.failed).toBe(1);
  expect(failed?.jobs[0]).toMatchObject({ id: "broken", failedReason: "the payload is not valid" });

  const remove = (more: Record<string, string>) =>
    fetch(`${api}/match-webhooks/broken/clean`, { method: "PUT", headers: { ...headers, ...more } });
  expect((await remove({ "sec-fetch-site": "cross-site" })).status).toBe(403);
  expect((await remove({ origin: "https://evil.example" })).status).toBe(403);
  expect((await remove({ "sec-fetch-site": "same-origin" })).status).toBeLessThan(300);
  const after = (await (await fetch(api, { headers })).json()) as Shown;
  expect(after.queues.find(({ name }) => name === matchWebhooks.name)?.counts.failed).toBe(0);
});
