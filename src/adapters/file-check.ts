import { createHash } from "node:crypto";
import { finished, type Readable, Transform } from "node:stream";
import { type FileToStore, WrongBytes } from "../domain/kernel/ports/ports.ts";

/**
 * The bytes, for as long as they may be the announced ones; the stream breaks with WrongBytes when they are not. The last
 * ones wait until all are known: a store that has got them all would keep them. Their source stays open, for it may be a
 * request that is still to be answered.
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
  // Also of a source that is gone by now, for its sender may have left while we asked whether it may send.
  finished(source, { writable: false }, (error) => error && bytes.destroy(new WrongBytes("size")));
  bytes.once("close", () => source.unpipe(bytes));
  return source.pipe(bytes);
}
