import { createHash } from "node:crypto";
import { Transform } from "node:stream";
import { type FileToStore, WrongBytes } from "../domain/ports.ts";

/**
 * Lets bytes through for as long as they may be the announced ones; the stream breaks with WrongBytes when they are not.
 * The last ones wait until all are known: a store that has got them all would keep them.
 */
export function checked({ byteSize, sha256 }: FileToStore): Transform {
  const hash = sha256 ? createHash("sha256") : null;
  let size = 0;
  let last: Buffer | undefined;
  return new Transform({
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
}
