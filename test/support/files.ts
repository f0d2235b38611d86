import { createHash } from "node:crypto";
import { app } from "./app.ts";
import { type Client, Exchange, replyOf } from "./client.ts";

export const sha256 = (bytes: Buffer | string): string => createHash("sha256").update(bytes).digest("hex");

/** URLs contain the service's public address. Replaces it with that of this file's web process. */
export async function reachable(address: string): Promise<string> {
  const { baseUrl, config } = await app();
  return address.replace(config.BASE_URL, baseUrl);
}

type File = { file_name: string; mime: string; byte_size: number; checksum_sha256?: string; comment_id?: string };

export const fileOf = (bytes: Buffer, more: Partial<File> = {}): File => ({
  file_name: "notes.txt",
  mime: "text/plain",
  byte_size: bytes.length,
  ...more,
});

export const announce = (client: Client, issueKey: string, file: object): Exchange =>
  client.post(`P/issues/${issueKey}/attachments`, file);

export const commit = (client: Client, issueKey: string, storage_key: string, file: object): Exchange =>
  client.post(`P/issues/${issueKey}/attachments/commit`, { storage_key, ...file });

/** PUTs bytes to an upload's URL with its headers. */
export const put = (address: string, headers: Record<string, string>, bytes: Buffer): Exchange =>
  new Exchange(
    reachable(address)
      .then((url) => fetch(url, { method: "PUT", headers, body: new Uint8Array(bytes) }))
      .then(replyOf),
  );

/** Announces, uploads and commits a file. Returns the attachment. */
export async function attach(client: Client, issueKey: string, bytes: Buffer, more: Partial<File> = {}) {
  const file = fileOf(bytes, more);
  const { data: upload } = await announce(client, issueKey, file).expect(201);
  await put(upload.url, upload.headers, bytes).expect(200);
  return (await commit(client, issueKey, upload.storage_key, file).expect(201)).data;
}
