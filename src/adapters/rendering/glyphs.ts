import { open } from "node:fs/promises";
import { fontFiles } from "./child/fonts.ts";

/** Tells which characters the fonts of PDFs have. Only the tables of the fonts that say so are read, 0.4 MB of 84. */

/** Returns up to `MAX_FOUND` characters of a text that no font can draw, each once. */
export type FindUndrawn = (text: string) => string[];

/** Enough to name them. A text may consist of a hundred thousand different ones. */
const MAX_FOUND = 100;

/** Characters that show nothing, so that no font needs them. */
const INVISIBLE = /[\s\p{Cc}\p{Default_Ignorable_Code_Point}]/u;

/** Reads the fonts. */
export async function openGlyphs(): Promise<FindUndrawn> {
  const drawn = new Uint8Array(0x110000);
  // Italic and bold files have the same characters, and a table at a time does not block other calls.
  for (const file of fontFiles()) if (file.endsWith("_400Regular.ttf")) addCharacters(await readCmap(file), drawn);
  const isDrawn = (character: string) => drawn[character.codePointAt(0)!] === 1;
  return (text) => {
    const seen = new Set<number>();
    const found: string[] = [];
    for (let at = 0; at < text.length && found.length < MAX_FOUND; at++) {
      const code = text.codePointAt(at)!;
      if (code > 0xffff) at++;
      if (drawn[code] === 1 || seen.has(code)) continue;
      seen.add(code);
      const character = String.fromCodePoint(code);
      // A letter with an accent may be drawn from both.
      if (!INVISIBLE.test(character) && ![...character.normalize("NFD")].every(isDrawn)) found.push(character);
    }
    return found;
  };
}

/** Returns the table that assigns glyphs to characters (OpenType specification, "cmap"). */
async function readCmap(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const read = async (position: number, length: number) =>
      (await file.read(Buffer.alloc(length), 0, length, position)).buffer;
    const tables = (await read(4, 2)).readUInt16BE(0);
    const directory = await read(12, tables * 16);
    const entry = directory.indexOf("cmap", 0, "latin1");
    return await read(directory.readUInt32BE(entry + 8), directory.readUInt32BE(entry + 12));
  } finally {
    await file.close();
  }
}

/** Marks the characters of a table of format 12, which has all of them, or else of format 4. */
function addCharacters(cmap: Buffer, drawn: Uint8Array): void {
  const starts = Array.from({ length: cmap.readUInt16BE(2) }, (_, at) => cmap.readUInt32BE(4 + at * 8 + 4));
  const ofFormat = (format: number) => starts.find((start) => cmap.readUInt16BE(start) === format);
  const start = ofFormat(12);
  if (start === undefined) addSegments(cmap.subarray(ofFormat(4)), drawn);
  else {
    for (let group = 0; group < cmap.readUInt32BE(start + 12); group++) {
      const [first, last] = [0, 4].map((offset) => cmap.readUInt32BE(start + 16 + group * 12 + offset));
      drawn.fill(1, first, last! + 1);
    }
  }
}

/** Marks the characters of a table of format 4: the columns end, start, delta and offset of each segment. */
function addSegments(table: Buffer, drawn: Uint8Array): void {
  const column = table.readUInt16BE(6);
  for (let at = 14; at < 14 + column; at += 2) {
    const last = table.readUInt16BE(at);
    const first = table.readUInt16BE(at + column + 2);
    const delta = table.readUInt16BE(at + 2 * column + 2);
    const offset = table.readUInt16BE(at + 3 * column + 2);
    for (let code = first; code <= last && code < 0xffff; code++) {
      const glyph =
        offset === 0 ? (code + delta) & 0xffff : table.readUInt16BE(at + 3 * column + 2 + offset + (code - first) * 2);
      if (glyph !== 0) drawn[code] = 1;
    }
  }
}
