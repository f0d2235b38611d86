import { mkdtemp, open, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import type { Context } from "koa";
import { koaBody } from "koa-body";
import { refuse } from "../../domain/kernel/errors.ts";
import { hangUp } from "../pages/files.ts";
import { keepBody } from "./memory.ts";
import { MULTIPART } from "./part-headers.ts";

/** Forms with files. What comes is written to a folder of its own as it comes, and is gone when the call is over. */

export type TempFile = {
  fileName: string;
  mime: string;
  /** Of all that came, of which at most `most` were kept. */
  byteSize: number;
  sha256: string;
  path: string;
};

export type Multipart = { fields: Record<string, string | string[]>; files: Map<string, TempFile> };

export type MultipartLimits = {
  /** Names of the fields that may be files, one each; others are dropped. */
  names: readonly string[];
  /** Bytes of one file that are kept. The rest is counted and thrown away, so that the other fields still arrive. */
  most: number;
  /** Bytes of all fields that are no files. */
  mostText: number;
};

/** Larger files than are kept are read to their ends up to this, as all of them together. */
const MOST_TOTAL = 4;
/** A value each: some more than the boxes that the largest form has. */
const MOST_FIELDS = 12_000;
const next = async () => {};

/**
 * Reads such a form, and does the work with it while its files are there.
 * @throws Refusal body_too_large, invalid_json
 */
export async function withMultipart<T>(
  ctx: Context,
  { names, most, mostText }: MultipartLimits,
  work: (form: Multipart) => Promise<T>,
): Promise<T> {
  const total = most * MOST_TOTAL;
  leftovers ??= removeLeftovers();
  await leftovers;
  const folder = await mkdtemp(join(tmpdir(), PREFIX));
  const paths = new Map<object, string>();
  const kept: Writable[] = [];
  let pieces: Readable | undefined;
  // Each one that is kept is an open file from its first byte until its last is written.
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
      maxFields: MOST_FIELDS,
      maxFieldsSize: mostText,
      hashAlgorithm: "sha256",
      filter: ({ name, mimetype }) => !mimetype || wanted.delete(name ?? ""),
      fileWriteStreamHandler: (sent) => {
        const path = join(folder, String(paths.size));
        paths.set(sent as unknown as object, path);
        const file = cutAt(path, most);
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
    if (Number(ctx.get("content-length")) > total + mostText) tooLarge(total);
    if (ctx.req.destroyed) unreadable();
    keepBody(ctx, mostText);
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

/** Bytes that are parsed at once: the worst take 15 ms. */
const PIECE = 16 * 1024;

/**
 * The body of a request in pieces, each in its own turn of the event loop. Node reads 64 KiB at once, and the parser needs
 * 50 ms for so many half boundaries or headers.
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
  // May come before all pieces are given, since a request that is paused at its last bytes ends nevertheless.
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
let leftovers: Promise<void> | undefined;

/** What processes left behind that were killed, once a process; those of others that run here are younger. */
async function removeLeftovers(): Promise<void> {
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
    // A field in which nothing was chosen comes as a file without a name.
    if (!file || !path || (!file.originalFilename && file.size === 0)) continue;
    const { originalFilename, mimetype, size: byteSize, hash } = file;
    files.set(name, { fileName: originalFilename ?? "", mime: mimetype ?? "", byteSize, sha256: String(hash), path });
  }
  return files;
}

/** Writes to a file as much as it may hold, and takes the rest without keeping it. */
function cutAt(path: string, most: number): Writable {
  let file: Awaited<ReturnType<typeof open>>;
  let room = most;
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
  refuse("body_too_large", { message: `All that is sent may have at most ${bytes} bytes.`, max_bytes: bytes });
