import type { Readable } from "node:stream";
import { newId } from "../../kernel/ids.ts";

/** A file as it came; nothing but a page's own upload makes one. */
export class SentFile {
  readonly id = newId();
  readonly fileName: string;
  readonly mime: string;
  readonly byteSize: number;
  readonly sha256: string;
  /** Bytes that it may have at most; of a larger one, the rest was thrown away. */
  readonly most: number;
  readonly open: () => Promise<Readable>;

  constructor(file: Pick<SentFile, "fileName" | "mime" | "byteSize" | "sha256" | "most" | "open">) {
    this.fileName = nameOf(file.fileName);
    this.mime = MEDIA_TYPE.test(file.mime) ? file.mime.toLowerCase() : "application/octet-stream";
    this.byteSize = file.byteSize;
    this.sha256 = file.sha256;
    this.most = file.most;
    this.open = file.open;
  }
}

const MEDIA_TYPE = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/;
const MAX_CHARACTERS = 255;

/** The name alone, without the folders that some browsers send, and without what would hide a part of it. */
function nameOf(text: string): string {
  const name = text
    .replace(/^.*[\\/]/s, "")
    .replace(/[\p{Cc}\p{Cf}]/gu, "")
    .toWellFormed()
    .trim();
  if (name.length <= MAX_CHARACTERS) return name || "file";
  const ending = /\.\w{1,10}$/.exec(name)?.[0] ?? "";
  return name.slice(0, MAX_CHARACTERS - ending.length).replace(/[\ud800-\udbff]$/, "") + ending;
}
