import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { FileToStore } from "../ports/ports.ts";

/**
 * Signed URLs under which the web process itself receives and serves files: those of the embedded store, and the relay
 * for any other store. A URL contains everything that it allows, so it needs no database row and no API key.
 */
export interface SignedAddresses {
  upload(file: FileToStore, until: Date): string;
  download(file: FileToDownload, until: Date): string;
  /** Returns what a URL allows; null if its signature is not valid, `over` if it has expired. */
  readUpload(token: string, now: Date): FileToStore | "over" | null;
  readDownload(token: string, now: Date): FileToDownload | "over" | null;
}

export type FileToDownload = { key: string; fileName: string; mime: string };

const Upload = z.tuple([z.literal("put"), z.number(), z.string(), z.string(), z.number(), z.string().nullable()]);
const Download = z.tuple([z.literal("get"), z.number(), z.string(), z.string(), z.string()]);

/** @param keys newest first; signatures of the older ones are still accepted */
export function openSignedAddresses(baseUrl: string, keys: readonly string[]): SignedAddresses {
  const secrets = keys.map((key) => createHmac("sha256", key).update("files").digest());
  const sign = (secret: Buffer, content: string) => createHmac("sha256", secret).update(content).digest("base64url");
  const seconds = (date: Date) => Math.floor(date.getTime() / 1000);

  const address = (content: z.infer<typeof Upload> | z.infer<typeof Download>): string => {
    const text = Buffer.from(JSON.stringify(content)).toString("base64url");
    return `${baseUrl}/files/${text}.${sign(secrets[0]!, text)}`;
  };

  const read = <T extends [string, number, ...unknown[]]>(
    schema: z.ZodType<T>,
    token: string,
    now: Date,
  ): T | "over" | null => {
    const [text = "", signature = ""] = token.split(".", 2);
    const given = Buffer.from(signature);
    const isOurs = secrets.some((secret) => {
      const expected = Buffer.from(sign(secret, text));
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
    if (!isOurs) return null;
    const content = schema.safeParse(JSON.parse(Buffer.from(text, "base64url").toString()));
    if (!content.success) return null;
    return content.data[1] < seconds(now) ? "over" : content.data;
  };

  return {
    upload: ({ key, mime, byteSize, sha256 }, until) =>
      address(["put", seconds(until), key, mime, byteSize, sha256 ?? null]),
    download: ({ key, fileName, mime }, until) => address(["get", seconds(until), key, fileName, mime]),
    readUpload(token, now) {
      const content = read(Upload, token, now);
      if (content === null || content === "over") return content;
      const [, , key, mime, byteSize, sha256] = content;
      return { key, mime, byteSize, sha256 };
    },
    readDownload(token, now) {
      const content = read(Download, token, now);
      if (content === null || content === "over") return content;
      const [, , key, fileName, mime] = content;
      return { key, fileName, mime };
    },
  };
}
