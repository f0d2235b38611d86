import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import S3rver from "@20minutes/s3rver";

const BUCKET = "muster";

/**
 * An S3-compatible server on loopback, which may be unavailable or slow, or refuse to delete a file. It checks
 * signatures, including the signed size, type and checksum header of an upload. It checks neither the checksum
 * against the bytes nor bucket policies, so here all unsigned requests are rejected.
 */
export async function startS3() {
  const directory = mkdtempSync(join(tmpdir(), "muster-s3-"));
  const s3 = new S3rver({ silent: true, directory, vhostBuckets: false, configureBuckets: [{ name: BUCKET }] });
  await s3.configureBuckets();
  const answer = s3.callback();
  let mood: "well" | "away" | { slowMs: number } | { locked: string } = "well";

  // One at a time: deleting the last object of a folder would also delete one that is being stored in it.
  let turn = Promise.resolve();

  const server = createServer(async (request, response) => {
    if (mood === "away") return request.socket.destroy();
    if (typeof mood === "object" && "slowMs" in mood) await sleep(mood.slowMs);
    if (
      typeof mood === "object" &&
      "locked" in mood &&
      request.method === "DELETE" &&
      request.url?.includes(mood.locked)
    )
      return response.writeHead(403).end();
    if (!isSigned(request)) return response.writeHead(403).end();
    turn = turn.then(async () => {
      // The client may have disconnected while its request waited. A closed response emits `close` only once.
      if (response.closed) return;
      answer(request, response);
      await once(response, "close");
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;

  return {
    variables: {
      S3_BUCKET: BUCKET,
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_PATH_STYLE: "true",
      // The server's own error.
      S3_ACCESS_KEY_ID: "S3RVER",
      S3_SECRET_ACCESS_KEY: "S3RVER",
      S3_TIMEOUT_MS: "700",
    },
    be(next: typeof mood) {
      mood = next;
    },
    stop() {
      server.close();
      server.closeAllConnections();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

const isSigned = ({ url = "", headers }: IncomingMessage) =>
  headers.authorization !== undefined || url.includes("X-Amz-Signature=");
