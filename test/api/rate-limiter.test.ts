import { Redis } from "ioredis";
import { expect, inject, test } from "vitest";
import { openRateLimiter } from "../../src/adapters/rate-limiter.ts";

const silent = { debug() {}, info() {}, warn() {}, error() {} };

test.each([1, 7, 39, 600, 1_000])("four processes together never exceed a limit of %i", async (limit) => {
  const { redisUrl } = inject("stack");
  const prefix = `limit-${limit}-${Date.now()}`;
  const connections = Array.from({ length: 4 }, () => new Redis(redisUrl));
  const limiters = connections.map((redis) => openRateLimiter(redis, prefix, silent));
  let allowed = 0;
  for (let round = 0; round < limit; round++) {
    const answers = await Promise.all(limiters.map((limiter) => limiter.take("key", 1, limit)));
    allowed += answers.filter((answer) => answer?.allowed).length;
  }
  expect(allowed).toBeLessThanOrEqual(limit);
  // What a process leased and did not spend is the others' loss, of at most one lease each.
  expect(allowed).toBeGreaterThanOrEqual(limit - 3 * Math.max(0, Math.floor(limit / 20) - 1));
  for (const redis of connections) redis.disconnect();
});

test("a call that costs more than is left takes nothing", async () => {
  const redis = new Redis(inject("stack").redisUrl);
  const limiter = openRateLimiter(redis, `cost-${Date.now()}`, silent);
  expect(await limiter.take("key", 3, 4)).toMatchObject({ allowed: true, remaining: 1 });
  expect(await limiter.take("key", 3, 4)).toMatchObject({ allowed: false });
  expect(await limiter.take("key", 1, 4)).toMatchObject({ allowed: true, remaining: 0 });
  redis.disconnect();
});
