import type { Warning } from "../../domain/kernel/context.ts";
import { contentDisposition } from "../../domain/kernel/files/content-disposition.ts";
import type { LongReply } from "./call.ts";
import { etagOf } from "./etag.ts";
import { joinInParts } from "./parts.ts";

type Pieces = Iterable<string | Uint8Array> | AsyncIterable<string>;

/**
 * A file that a handler returns instead of an object, inside an Export. Parts that are read one after the other are sent
 * as the client takes them, so the file may have any length.
 */
export class Download {
  readonly type: string;
  readonly fileName: string;
  readonly parts: Pieces;

  constructor(type: string, fileName: string, parts: Pieces) {
    this.type = type;
    this.fileName = fileName;
    this.parts = parts;
  }
}

/** The reply that sends a file. Warnings go into a header because the file has no envelope. */
export const fileOf = async (
  { type, fileName, parts }: Download,
  warnings: readonly Warning[],
  schedule: Schedule,
): Promise<LongReply> => ({
  status: 200,
  headers: {
    "Content-Type": type,
    "Content-Disposition": contentDisposition(fileName),
    // A file must not run scripts on this site, however a browser opens it.
    "Content-Security-Policy": "default-src 'none'; sandbox",
    ...(warnings.length > 0 ? { "X-Warnings": asAscii(JSON.stringify(warnings)) } : {}),
  },
  body: Symbol.asyncIterator in parts ? await scheduled(parts, schedule) : await joinInParts(parts),
});

/** JSON whose characters a header may have. */
const asAscii = (json: string): string =>
  json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Runs the reads of one part, in turn with other calls. */
type Schedule = <T>(read: () => Promise<T>) => Promise<T>;

/** The first part is read at once, so that an error becomes a reply. */
async function scheduled(parts: AsyncIterable<string>, schedule: Schedule): Promise<AsyncIterable<string>> {
  const iterator = parts[Symbol.asyncIterator]();
  const first = await iterator.next();
  return (async function* () {
    try {
      for (let part = first; !part.done; part = await schedule(() => iterator.next())) yield part.value;
    } finally {
      await iterator.return?.();
    }
  })();
}

/** An image that a handler returns instead of an object. Browsers show it in place. */
export class Picture {
  readonly type: string;
  readonly bytes: Buffer;

  constructor(type: string, bytes: Buffer) {
    this.type = type;
    this.bytes = bytes;
  }
}

/** The reply that shows an image. It has a tag of its own, because it is another representation than the object's JSON. */
export const pictureReply = ({ type, bytes }: Picture): LongReply => ({
  status: 200,
  headers: {
    "Content-Type": type,
    // Opened as a page, an SVG could load and run things. It needs nothing but its own style.
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    ETag: etagOf({}, bytes),
  },
  body: bytes,
});
