import { mkdtemp, open, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import type { Context } from "koa";
import { koaBody } from "koa-body";
import { refuse } from "../../domain/kernel/errors.ts";
import { hangUp } from "./hang-up.ts";
import { reserveBody } from "./memory.ts";
import { MULTIPART } from "./part-headers.ts";

/**
 * Forms with files. Uploaded files are written to a temporary folder as they arrive. The folder is deleted when the
 * call ends.
 */

export type TempFile = {
  fileName: string;
  mime: string;
  /** The full size. At most `maxBytes` of them were stored. */
  byteSize: number;
  sha256: string;
  path: string;
};

export type Multipart = { fields: Record<string, string | string[]>; files: Map<string, TempFile> };

export type MultipartLimits = {
  /** Names of the file fields, one file each. Other files are dropped. */
  names: readonly string[];
  /** Bytes of one file that are stored. The rest is counted and discarded, so that the other fields still arrive. */
  maxBytes: number;
  /** Maximum bytes of all text fields together. */
  maxTextBytes: number;
};

/** Files above the limit are read to their end, up to this multiple of the limit for all together. */
const MAX_TOTAL = 4;
/** Maximum number of values: somewhat more than the boxes of the largest form. */
const MAX_FIELDS = 12_000;
const next = async () => {};

/** Reads a form with files and runs `work` while the files exist. @throws Refusal body_too_large, invalid_json */
export async function withMultipart<T>(
  ctx: Context,
  { names, maxBytes, maxTextBytes }: MultipartLimits,
  work: (form: Multipart) => Promise<T>,
): Promise<T> {
  const total = maxBytes * MAX_TOTAL;
  const folder = await mkdtemp(join(tmpdir(), PREFIX));
  const paths = new Map<object, string>();
  const kept: Writable[] = [];
  let pieces: Readable | undefined;
  // Each stored file is open from its first byte until its last byte is written.
  const wanted = new Set(names);
  const parse = koaBody({
    json: false,
    urlencoded: false,
    text: false,
    multipart: true,
    formidable: {
      enabledPlugins: MULTIPART,
      allowEmptyFiles: true,
      minFileSize: 0,
      maxFileSize: total,
      maxTotalFileSize: total,
      maxFields: MAX_FIELDS,
      maxFieldsSize: maxTextBytes,
      hashAlgorithm: "sha256",
      filter: ({ name, mimetype }) => !mimetype || wanted.delete(name ?? ""),
      fileWriteStreamHandler: (sent) => {
        const path = join(folder, String(paths.size));
        paths.set(sent as unknown as object, path);
        const file = cutAt(path, maxBytes);
        kept.push(file);
        return file;
      },
    },
    onError: (error) => {
      if ((error as { httpCode?: number }).httpCode === 413) tooLarge(total);
      unreadable();
    },
  });
  try {
    if (Number(ctx.get("content-length")) > total + maxTextBytes) tooLarge(total);
    if (ctx.req.destroyed) unreadable();
    reserveBody(ctx, maxTextBytes);
    pieces = inPieces(ctx.req);
    await parse(Object.create(ctx, { req: { value: pieces } }), next);
    return await work({ fields: (ctx.request.body ?? {}) as Multipart["fields"], files: filesOf(ctx, paths) });
  } catch (error) {
    pieces?.destroy();
    hangUp(ctx);
    throw error;
  } finally {
    for (const file of kept) file.destroy();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Bytes that are parsed at once. The worst case takes 15 ms. */
const PIECE = 16 * 1024;

/**
 * Splits the body into pieces, each in its own turn of the event loop. Node reads 64 KiB at once, and the parser
 * needs 50 ms if they are full of partial boundaries or headers.
 */
function inPieces(request: Context["req"]): Readable & Pick<Context["req"], "headers"> {
  let left: Buffer = Buffer.alloc(0);
  let isOver = false;
  const give = () => {
    const piece = left.subarray(0, PIECE);
    left = left.subarray(PIECE);
    pieces.push(piece);
  };
  const take = (chunk: Buffer) => {
    request.pause();
    left = chunk;
    give();
  };
  // This may run before all pieces are delivered, because a request that is paused at its last bytes ends anyway.
  const end = () => {
    isOver = true;
    if (left.length === 0) pieces.push(null);
  };
  const cut = (error: Error) => pieces.destroy(error);
  const pieces = new Readable({
    highWaterMark: 1,
    read() {
      if (left.length > 0) setImmediate(give);
      else if (isOver) pieces.push(null);
      else request.resume();
    },
    destroy(error, done) {
      request.off("data", take).off("end", end).off("error", cut);
      done(error);
    },
  });
  request.on("data", take).on("end", end).on("error", cut);
  return Object.assign(pieces, { headers: request.headers });
}

const PREFIX = "muster-form-";
const LEFT_AFTER_MS = 86_400_000;

/** Removes the files of killed processes. Files of running processes are younger. */
export async function removeLeftovers(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(PREFIX));
  for (const folder of names.map((name) => join(tmpdir(), name))) {
    const made = await stat(folder).catch(() => null);
    if (made && Date.now() - made.mtimeMs > LEFT_AFTER_MS) await rm(folder, { recursive: true, force: true });
  }
}

function filesOf(ctx: Context, paths: Map<object, string>): Map<string, TempFile> {
  const files = new Map<string, TempFile>();
  for (const [name, sent] of Object.entries(ctx.request.files ?? {})) {
    const file = [sent].flat()[0];
    const path = file && paths.get(file);
    // An empty file field arrives as a file without a name.
    if (!file || !path || (!file.originalFilename && file.size === 0)) continue;
    const { originalFilename, mimetype, size: byteSize, hash } = file;
    files.set(name, { fileName: originalFilename ?? "", mime: mimetype ?? "", byteSize, sha256: String(hash), path });
  }
  return files;
}

/** A stream that writes the first `max` bytes to a file and discards the rest. */
function cutAt(path: string, maxBytes: number): Writable {
  let file: Awaited<ReturnType<typeof open>>;
  let room = maxBytes;
  return new Writable({
    construct(done) {
      open(path, "wx").then((opened) => {
        file = opened;
        done();
      }, done);
    },
    write(chunk: Buffer, _, done) {
      const kept = chunk.subarray(0, room);
      room -= kept.length;
      file.appendFile(kept).then(() => done(), done);
    },
    destroy(error, done) {
      if (!file) return done(error);
      file.close().then(
        () => done(error),
        () => done(error),
      );
    },
  });
}

const unreadable = () => refuse("invalid_json", { message: "The form could not be read." });

const tooLarge = (bytes: number) =>
  refuse("body_too_large", { message: `The form may have at most ${bytes} bytes.`, max_bytes: bytes });
