import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { openS3Files } from "../../src/adapters/files-s3.ts";

test("slow relayed uploads do not delay other calls", async () => {
  const uploads = 60;
  const begun = Promise.withResolvers<void>();
  let count = 0;
  const store = createServer((request, response) => {
    if (request.method !== "PUT") return response.setHeader("content-length", 4).end();
    request.resume();
    if (++count === uploads) begun.resolve();
  }).listen(0, "127.0.0.1");
  await once(store, "listening");
  const files = openS3Files({
    bucket: "b",
    region: "us-east-1",
    endpoint: `http://127.0.0.1:${(store.address() as AddressInfo).port}`,
    pathStyle: true,
    credentials: { accessKeyId: "id", secretAccessKey: "secret" },
    timeoutMs: 2_000,
  });
  const sending = Array.from({ length: uploads }, (_, n) => {
    const bytes = new PassThrough();
    bytes.write("ab");
    bytes.write("c");
    const stored = files.put({ key: `uploads/${n}`, mime: "text/plain", byteSize: 4 }, bytes);
    return { bytes, ended: stored.catch((error: Error) => error.name) };
  });
  onTestFinished(async () => {
    for (const { bytes } of sending) bytes.destroy();
    await Promise.all(sending.map(({ ended }) => ended));
    files.close();
    store.close();
    store.closeAllConnections();
  });
  await begun.promise;
  expect(await files.stat("files/0")).toMatchObject({ byteSize: 4 });
});
