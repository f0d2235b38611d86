import { expect, test } from "vitest";
import { localPorts } from "../../src/domain/kernel/ports/local-ports.ts";
import type { Ports } from "../../src/domain/kernel/ports/ports.ts";

/** Only what is looked at here. */
const ports = {
  publish: () => {},
  sealer: { seal: (text: string) => `sealed ${text}`, open: (text: string) => text },
  rateLimiter: { take: async () => null, giveBack: () => {} },
  sendOutbound: async () => ({}),
  files: { signDownload: async () => "https://files.test/one", stat: async () => null },
} as unknown as Ports;

test("a transaction cannot use ports that wait for anything but Postgres", async () => {
  const local = localPorts(ports);
  const refused = /waits for nothing but Postgres/;
  expect(() => local.rateLimiter.take("key", 1, 10)).toThrow(refused);
  expect(() => local.files.stat("key")).toThrow(refused);
  expect(() => local.sendOutbound({} as never)).toThrow(refused);
  expect(() => local.publish("channel")).toThrow(refused);
  expect(() => local.cards.charge({} as never)).toThrow(refused);
  expect(() => local.mailer.send({} as never)).toThrow(refused);

  expect(local.sealer.seal("it")).toBe("sealed it");
  expect(await local.files.signDownload({ key: "one", fileName: "one", mime: "text/plain" }, 60)).toMatch(/^https:/);
  expect(localPorts(ports)).toBe(local);
});
