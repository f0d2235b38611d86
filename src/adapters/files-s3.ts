import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { S3Client } from "@aws-sdk/client-s3";
import { contentDisposition } from "../domain/kernel/files/content-disposition.ts";
import { type ObjectStore, StoreAway, WrongBytes } from "../domain/kernel/ports/ports.ts";
import { checked } from "./file-check.ts";

export type S3Options = {
  bucket: string;
  region: string;
  /** Undefined: Amazon's. */
  endpoint: string | undefined;
  /** The bucket is in the path instead of the host name. */
  pathStyle: boolean;
  /** Undefined: the default credential chain of the AWS SDK. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
  timeoutMs: number;
};

/** Copying gigabytes within the store takes long. A multiple of the time limit. */
const COPY_PATIENCE = 12;
const REMOVED_AT_ONCE = 16;
/** Relayed uploads may be slow, and commits must not wait for them. */
const CONNECTIONS = 1_000;

/** A bucket of an S3-compatible store. Uses only features that all of these stores have. */
export function openS3Files(options: S3Options): ObjectStore & { close(): void } {
  const { bucket: Bucket, timeoutMs } = options;
  let opened: ReturnType<typeof load> | undefined;
  // The library is large, so it is loaded only if a bucket is configured.
  const s3 = () => {
    opened ??= load(options).catch((error) => {
      // The next call tries again.
      opened = undefined;
      throw error;
    });
    return opened;
  };
  /** Signing sends no request to the store, but credentials may have to be fetched. */
  const signing = <T>(work: (loaded: Awaited<ReturnType<typeof load>>) => Promise<T>): Promise<T> =>
    s3()
      .then(work)
      .catch((error: unknown) => {
        throw new StoreAway(`there are no credentials for the object store (${nameOf(error)})`, { cause: error });
      });
  /** Sends one request to the store, with a time limit. */
  const asking = async <T>(
    ask: (loaded: Awaited<ReturnType<typeof load>>, abortSignal: AbortSignal) => Promise<T>,
    patience = 1,
  ): Promise<T | null> => {
    const ended = new AbortController();
    const late = sleep(timeoutMs * patience, undefined, { signal: ended.signal, ref: false }).then(
      () => ended.abort(),
      () => {},
    );
    try {
      return await ask(await s3(), ended.signal);
    } catch (error) {
      if (error instanceof WrongBytes) throw error;
      if (isAbsent(error)) return null;
      throw new StoreAway(`the object store did not do what it was asked (${nameOf(error)})`, { cause: error });
    } finally {
      ended.abort();
      await late;
    }
  };

  return {
    signUpload: ({ key, mime, byteSize, sha256 }, expiresIn) =>
      signing(async ({ client, sdk, presign }) => {
        const ChecksumSHA256 = sha256 ? Buffer.from(sha256, "hex").toString("base64") : undefined;
        const file = { Key: key, ContentType: mime, ContentLength: byteSize, ChecksumSHA256 };
        // Size and type are signed, and the checksum stays a header, so that the store rejects anything else.
        const url = await presign(client, new sdk.PutObjectCommand({ Bucket, ...file }), {
          expiresIn,
          signableHeaders: new Set(["host", "content-type", "content-length", "x-amz-checksum-sha256"]),
          unhoistableHeaders: new Set(["x-amz-checksum-sha256"]),
        });
        return {
          url,
          headers: { "Content-Type": mime, ...(ChecksumSHA256 ? { "x-amz-checksum-sha256": ChecksumSHA256 } : {}) },
        };
      }),

    signDownload: ({ key, fileName, mime }, expiresIn) =>
      signing(async ({ presigner, base }) => {
        const query = {
          "response-content-disposition": contentDisposition(fileName),
          "response-content-type": mime,
          "x-id": "GetObject",
        };
        const request = { ...base, method: "GET", path: `${base.path}${key}`, query, headers: {} };
        return addressOf(await presigner.presign(request, { expiresIn }));
      }),

    stat: (Key) =>
      asking(async ({ client, sdk }, abortSignal) => {
        const found = await client.send(new sdk.HeadObjectCommand({ Bucket, Key, ChecksumMode: "ENABLED" }), {
          abortSignal,
        });
        return {
          byteSize: found.ContentLength ?? 0,
          mime: found.ContentType ?? null,
          sha256: found.ChecksumSHA256 ? Buffer.from(found.ChecksumSHA256, "base64").toString("hex") : null,
        };
      }),

    async open(Key, range) {
      const Range = range && `bytes=${range.start}-${range.end}`;
      // The signal would also abort the body, so only the wait for the headers is limited.
      const found = await asking(({ client, sdk }) => client.send(new sdk.GetObjectCommand({ Bucket, Key, Range })));
      return (found?.Body as Readable | undefined) ?? null;
    },

    async put(file, bytes) {
      const { key: Key, mime: ContentType, byteSize: ContentLength } = file;
      const { client, sdk } = await signing(async (loaded) => loaded);
      const Body = checked(file, bytes);
      const failed = Promise.withResolvers<never>();
      const given = new AbortController();
      Body.once("error", failed.reject);
      const command = new sdk.PutObjectCommand({ Bucket, Key, ContentType, ContentLength, Body });
      const sending = client.send(command, { abortSignal: given.signal });
      try {
        await Promise.race([sending, failed.promise]);
      } catch (error) {
        given.abort();
        sending.catch(() => {});
        if (error instanceof WrongBytes || Body.errored instanceof WrongBytes) throw Body.errored ?? error;
        throw new StoreAway(`the object store did not take a file (${nameOf(error)})`, { cause: error });
      } finally {
        Body.destroy();
      }
    },

    async copy(from, to) {
      const copied = await asking(
        async ({ client, sdk }, abortSignal) =>
          client.send(new sdk.CopyObjectCommand({ Bucket, Key: to, CopySource: `${Bucket}/${from}` }), { abortSignal }),
        COPY_PATIENCE,
      );
      return copied !== null;
    },

    // One by one: bulk deletion needs checksums on which stores do not agree.
    async remove(keys) {
      const left = [...keys];
      const refused: string[] = [];
      const removing = Array.from({ length: REMOVED_AT_ONCE }, async () => {
        for (let Key = left.pop(); Key !== undefined; Key = left.pop()) {
          const command = { Bucket, Key };
          await asking(({ client, sdk }, abortSignal) =>
            client.send(new sdk.DeleteObjectCommand(command), { abortSignal }),
          ).catch((error) => {
            refused.push(command.Key);
            // If the store rejects all of them, the configuration is wrong, not one of the files.
            if (!isRefused(error.cause) || refused.length === keys.length) throw error;
          });
        }
      });
      await Promise.all(removing);
      return refused;
    },

    // The store itself removes unfinished uploads.
    tidy: async () => {},

    close: () => void opened?.then(({ client }) => client.destroy()),
  };
}

async function load({ bucket, region, endpoint, pathStyle, credentials, timeoutMs }: S3Options) {
  const [sdk, { getSignedUrl: presign, S3RequestPresigner }] = await Promise.all([
    import("@aws-sdk/client-s3"),
    import("@aws-sdk/s3-request-presigner"),
  ]);
  const client: S3Client = new sdk.S3Client({
    region,
    forcePathStyle: pathStyle,
    ...(endpoint ? { endpoint } : {}),
    ...(credentials ? { credentials } : {}),
    maxAttempts: 2,
    // Optional checksums are unknown to some stores, and would be signed into the address of an upload.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    // Errors are logged once, where they are answered.
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    requestHandler: {
      connectionTimeout: Math.min(3_000, timeoutMs),
      socketTimeout: 30_000,
      httpAgent: { maxSockets: CONNECTIONS },
      httpsAgent: { maxSockets: CONNECTIONS },
    },
  });
  // The base address of objects is computed once: a list signs a hundred addresses, and the client's own method takes
  // seven times as long.
  const any = new URL(await presign(client, new sdk.GetObjectCommand({ Bucket: bucket, Key: "k" })));
  const { protocol, hostname } = any;
  const port = any.port ? { port: Number(any.port) } : {};
  const base = { protocol, hostname, ...port, path: any.pathname.slice(0, -1) };
  return { client, sdk, presign, presigner: new S3RequestPresigner({ ...client.config }), base };
}

type Signed = { protocol: string; hostname: string; port?: number; path: string; query?: Record<string, unknown> };

function addressOf({ protocol, hostname, port, path, query = {} }: Signed): string {
  // Encoded as in the signature.
  const encoded = (text: string) =>
    encodeURIComponent(text).replaceAll(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
  const pairs = Object.entries(query).map(([name, value]) => `${encoded(name)}=${encoded(String(value))}`);
  return `${protocol}//${hostname}${port ? `:${port}` : ""}${path}?${pairs.join("&")}`;
}

const nameOf = (error: unknown): string => (error as Error).name;

const statusOf = (error: unknown) => (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;

const isAbsent = (error: unknown): boolean =>
  ["NotFound", "NoSuchKey"].includes(nameOf(error)) && statusOf(error) === 404;

const isRefused = (error: unknown): boolean => [403, 409].includes(statusOf(error) ?? 0);
