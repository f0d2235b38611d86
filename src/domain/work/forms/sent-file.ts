import type { Readable } from "node:stream";
import { newId } from "../../kernel/ids.ts";

/** A file that was uploaded through a form's page. */
export class SentFile {
  readonly id = newId();
  readonly fileName: string;
  readonly mime: string;
  readonly byteSize: number;
  readonly sha256: string;
  /** Maximum size in bytes. The rest of a larger file was discarded. */
  readonly maxBytes: number;
  readonly open: () => Promise<Readable>;

  constructor(file: Pick<SentFile, "fileName" | "mime" | "byteSize" | "sha256" | "maxBytes" | "open">) {
    this.fileName = nameOf(file.fileName);
    this.mime = MEDIA_TYPE.test(file.mime) ? file.mime.toLowerCase() : "application/octet-stream";
    this.byteSize = file.byteSize;
    this.sha256 = file.sha256;
    this.maxBytes = file.maxBytes;
    this.open = file.open;
  }
}

const MEDIA_TYPE = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/;
const MAX_CHARACTERS = 255;

/**
 * Returns the file's name without folders, which some browsers send, and without characters that would hide a part of
 * it.
 */
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
