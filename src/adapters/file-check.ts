import { createHash } from "node:crypto";
import { finished, type Readable, Transform } from "node:stream";
import { type FileToStore, WrongBytes } from "../domain/kernel/ports/ports.ts";

/**
 * Passes on the bytes while they match the announced size. The stream fails with WrongBytes if they do not match. The
 * last chunk is held back until the check is complete, because a store that has received all bytes would keep them.
 * The source stays open: it may be a request that still needs a reply.
 */
export function checked({ byteSize, sha256 }: FileToStore, source: Readable): Readable {
  const hash = sha256 ? createHash("sha256") : null;
  let size = 0;
  let last: Buffer | undefined;
  const bytes = new Transform({
    transform(chunk: Buffer, _, next) {
      size += chunk.length;
      if (size > byteSize) return next(new WrongBytes("size"));
      hash?.update(chunk);
      const previous = last;
      last = chunk;
      next(null, previous);
    },
    flush(done) {
      if (size !== byteSize) return done(new WrongBytes("size"));
      if (hash && hash.digest("hex") !== sha256) return done(new WrongBytes("checksum"));
      done(null, last);
    },
  });
  // Also if the source has already ended: its sender may have disconnected while the permission was checked.
  finished(source, { writable: false }, (error) => error && bytes.destroy(new WrongBytes("size")));
  bytes.once("close", () => source.unpipe(bytes));
  return source.pipe(bytes);
}
