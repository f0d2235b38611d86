import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Middleware } from "koa";

/**
 * Documents that do not change while the process runs. They are created, hashed and compressed once, on first use.
 */

export type Document = {
  /** Media type. */
  type: string;
  /** How long caches may use it without revalidation, in seconds. */
  maxAge: number;
  headers?: Record<string, string>;
  make: () => Promise<Buffer>;
};

type Made = { plain: Buffer; gzipped: Buffer; etag: string };

export function served({ type, maxAge, headers = {}, make }: Document): Middleware {
  let made: Promise<Made> | undefined;
  return async (ctx) => {
    made ??= prepare(make).catch((error) => {
      // The next request tries again.
      made = undefined;
      throw error;
    });
    const { plain, gzipped, etag } = await made;
    ctx.set({ ...headers, ETag: etag, "Cache-Control": `public, max-age=${maxAge}` });
    ctx.vary("Accept-Encoding");
    ctx.status = 200;
    ctx.type = type;
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    const compress = ctx.acceptsEncodings("gzip", "identity") === "gzip";
    if (compress) ctx.set("Content-Encoding", "gzip");
    ctx.body = compress ? gzipped : plain;
  };
}

async function prepare(make: () => Promise<Buffer>): Promise<Made> {
  const plain = await make();
  const hash = createHash("sha256").update(plain).digest("base64url");
  // Weak, because both encodings have the same tag.
  return { plain, gzipped: await promisify(gzip)(plain), etag: `W/"${hash}"` };
}
