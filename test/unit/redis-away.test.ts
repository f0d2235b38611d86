import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { openRedis } from "../../src/adapters/redis.ts";
import { isUnavailable } from "../../src/resources.ts";
import { app } from "../support/app.ts";

/** Each way in which a command of Redis ends without a reply counts as an outage, not as a bug. */

const silent = { debug() {}, info() {}, warn() {}, error() {} } as never;

test.each(["a server that is silent", "a server that hangs up", "no server", "a client that is closed"])(
  "%s is an outage",
  async (what) => {
    const server = createServer((socket) => {
      if (what === "a server that hangs up") socket.on("data", () => socket.destroy());
      else socket.resume();
      socket.on("error", () => {});
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    if (what === "no server") server.close();
    const redis = openRedis({ url: `redis://127.0.0.1:${port}`, noVerify: false }, silent);
    try {
      if (what === "a client that is closed") redis.disconnect();
      else if (what !== "no server") await once(redis, "connect");
      const error = await redis.get("key").then(
        () => expect.fail("there was a reply"),
        (reason: Error) => reason,
      );
      expect(isUnavailable(error), `${error.name}: ${error.message}`).toBe(true);
    } finally {
      redis.disconnect();
      server.close();
    }
  },
);

test("a command that Redis does not understand is a bug", async () => {
  const { config } = await app();
  const redis = openRedis({ url: config.REDIS_URL, noVerify: false }, silent);
  await once(redis, "ready");
  const error = await redis.call("NOSUCHCOMMAND").catch((reason: Error) => reason);
  expect(isUnavailable(error)).toBe(false);
  redis.disconnect();
});
