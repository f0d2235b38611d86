import { connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, inject, test } from "vitest";
import { openRedis } from "../../src/adapters/redis.ts";
import { freePort } from "../../src/dev/ports.ts";
import { throttled } from "../../src/workers/throttle.ts";

test("an outage of Redis and its end are logged once each", async () => {
  const lines: string[] = [];
  const say = (_: object, sentence: string) => void lines.push(sentence);
  const port = await freePort();
  const real = new URL(inject("stack").redisUrl);
  const url = new URL(real);
  url.port = String(port);
  const redis = openRedis({ url: url.href, noVerify: false }, { debug: say, info: say, warn: say, error: say });
  await sleep(1_200);
  expect(lines).toEqual(["Redis is away"]);

  const between = createServer((client) => {
    const server = connect(Number(real.port), real.hostname);
    client.on("error", () => {}).pipe(server);
    server.on("error", () => {}).pipe(client);
  }).listen(port, "127.0.0.1");
  await expect.poll(() => lines, { timeout: 5_000 }).toEqual(["Redis is away", "Redis is back"]);
  redis.disconnect();
  between.close();
});

test("a repeated message is logged at most every ten seconds", () => {
  const said: string[] = [];
  const say = throttled((text: string) => said.push(text));
  for (let n = 0; n < 100; n++) say(`${n}`);
  expect(said).toEqual(["0"]);
});
