import { z } from "zod";
import type { InWorkspace, Warning } from "../../kernel/context.ts";
import { inputPart, view } from "../../kernel/described.ts";
import { refuse } from "../../kernel/errors.ts";
import type { Names } from "../../kernel/markdown-names.ts";
import {
  DocumentTooComplex,
  type DocumentToRender,
  FormatUnavailable,
  RendererBusy,
} from "../../kernel/ports/document-renderer.ts";
import { flattened } from "../../kernel/text.ts";
import { choice } from "../../kernel/wire.ts";
import { aboutDocExport, aboutDocExportQuery } from "./descriptions.ts";
import { docErrors } from "./errors.ts";
import type { DocRow } from "./view.ts";

/** Exporting a doc as a file, without its comments. */

export type Format = keyof typeof CONTENT_TYPES;

const CONTENT_TYPES = {
  md: "text/markdown; charset=utf-8",
  html: "text/html; charset=utf-8",
  pdf: "application/pdf",
};
const FORMATS = ["md", "html", "pdf"] as const;

export const EXPORT_TYPES = Object.values(CONTENT_TYPES);

export const DocExportQuery = inputPart(aboutDocExportQuery, { format: choice(FORMATS).optional() });

export const DocExportView = view("DocExport", aboutDocExport, {
  format: z.enum(FORMATS),
  content: z.string(),
  encoding: z.enum(["utf8", "base64"]),
  content_type: z.string(),
  filename: z.string(),
});

/** Returns the format of a media type. */
export const formatOf = (type: string | null): Format | null =>
  FORMATS.find((format) => CONTENT_TYPES[format] === type) ?? null;

/** What an export tells about its file. */
export const describeExport = ({ title }: DocRow, format: Format) => ({
  format,
  encoding: format === "pdf" ? ("base64" as const) : ("utf8" as const),
  content_type: CONTENT_TYPES[format],
  filename: `${fileNameOf(title)}.${format}`,
});

/**
 * Renders a doc. Waits for another process, so it must not run while the call has a connection.
 * @param options.as `json`: the JSON string that contains the file
 * @param options.givenUp aborted when the client has disconnected; then the doc is not rendered
 * @throws Refusal too_complex_to_export, pdf_unavailable, unavailable if too many exports are waiting
 */
export async function renderDoc(
  { ports, settings, workspace }: InWorkspace,
  doc: DocRow,
  {
    format,
    as,
    names,
    givenUp,
  }: Pick<DocumentToRender, "format" | "as"> & {
    /** Of those whom the text mentions. */
    names: Names;
    givenUp: AbortSignal;
  },
): Promise<Buffer> {
  const document: DocumentToRender = {
    format,
    as,
    title: doc.title,
    markdown: doc.body_md ?? "",
    names: Object.fromEntries([...names].map(([id, { name }]) => [id, name])),
    language: null,
    changedAt: doc.updated_at,
    workspaceUrl: `${settings.baseUrl}/w/${workspace.slug}`,
  };
  try {
    return await ports.documentRenderer.render(document, workspace.id, givenUp);
  } catch (error) {
    if (error instanceof DocumentTooComplex) refuse(docErrors.too_complex_to_export);
    if (error instanceof FormatUnavailable) refuse(docErrors.pdf_unavailable);
    if (error instanceof RendererBusy) {
      refuse("unavailable", {
        message: "Too many exports are waiting. Retry after the seconds in Retry-After, or use format=md now.",
        headers: { "Retry-After": "5" },
      });
    }
    throw error;
  }
}

/** Returns the warning that a PDF of a doc shows boxes; null if its fonts have all characters of the text. */
export async function warnOfBoxes({ ports }: Pick<InWorkspace, "ports">, text: string): Promise<Warning | null> {
  const characters = await ports.documentRenderer.findUndrawn(text);
  if (characters.length === 0) return null;
  const scripts = RARE_SCRIPTS.filter(({ letter }) => characters.some((character) => letter.test(character)));
  const others = characters.filter((character) => !scripts.some(({ letter }) => letter.test(character)));
  const named = [...scripts.map(({ name }) => name), ...others.slice(0, MAX_NAMED).map(withCode)];
  if (others.length > MAX_NAMED) named.push("others");
  const message = `A PDF shows boxes for ${new Intl.ListFormat("en").format(named)}, because its fonts do not have these characters. HTML and Markdown have them.`;
  return { code: "characters_without_font", message, characters, scripts: scripts.map(({ name }) => name) };
}

/** Characters that a message names one by one. */
const MAX_NAMED = 10;

const withCode = (character: string): string =>
  `${character} (U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")})`;

/** Scripts without a font that are in use (UAX #31, limited use) or well known, by their codes (ISO 15924). */
const LETTERS_OF = {
  ...{ Adlm: /\p{Script=Adlm}/u, Bali: /\p{Script=Bali}/u, Bamu: /\p{Script=Bamu}/u },
  ...{ Batk: /\p{Script=Batk}/u, Bugi: /\p{Script=Bugi}/u, Cakm: /\p{Script=Cakm}/u },
  ...{ Cans: /\p{Script=Cans}/u, Cham: /\p{Script=Cham}/u, Cher: /\p{Script=Cher}/u },
  ...{ Copt: /\p{Script=Copt}/u, Egyp: /\p{Script=Egyp}/u, Goth: /\p{Script=Goth}/u },
  ...{ Hmnp: /\p{Script=Hmnp}/u, Java: /\p{Script=Java}/u, Kali: /\p{Script=Kali}/u },
  ...{ Lana: /\p{Script=Lana}/u, Lepc: /\p{Script=Lepc}/u, Lisu: /\p{Script=Lisu}/u },
  ...{ Mand: /\p{Script=Mand}/u, Mong: /\p{Script=Mong}/u, Mtei: /\p{Script=Mtei}/u },
  ...{ Newa: /\p{Script=Newa}/u, Nkoo: /\p{Script=Nkoo}/u, Olck: /\p{Script=Olck}/u },
  ...{ Osge: /\p{Script=Osge}/u, Phnx: /\p{Script=Phnx}/u, Plrd: /\p{Script=Plrd}/u },
  ...{ Rohg: /\p{Script=Rohg}/u, Runr: /\p{Script=Runr}/u, Saur: /\p{Script=Saur}/u },
  ...{ Sund: /\p{Script=Sund}/u, Sylo: /\p{Script=Sylo}/u, Syrc: /\p{Script=Syrc}/u },
  ...{ Tale: /\p{Script=Tale}/u, Talu: /\p{Script=Talu}/u, Tavt: /\p{Script=Tavt}/u },
  ...{ Tfng: /\p{Script=Tfng}/u, Vaii: /\p{Script=Vaii}/u, Wcho: /\p{Script=Wcho}/u },
  ...{ Xsux: /\p{Script=Xsux}/u, Yiii: /\p{Script=Yiii}/u },
};
const nameOfScript = new Intl.DisplayNames("en", { type: "script" });
const RARE_SCRIPTS = Object.entries(LETTERS_OF).map(([code, letter]) => ({ name: nameOfScript.of(code)!, letter }));

/** Characters that pay for one block. */
const BLOCK = 64 * 1024;
const UNITS_PER_BLOCK = { html: 2, pdf: 5 };

/** Rate limit units for rendering, besides the one of the call. 64 KiB of HTML take 0.1 s, of a PDF 0.25 s. */
export const renderingCost = ({ body_md }: DocRow, format: "html" | "pdf"): number =>
  Math.ceil((body_md?.length ?? 0) / BLOCK) * UNITS_PER_BLOCK[format];

/** What file systems forbid: control characters, marks of direction, and separators. */
const FORBIDDEN = /[\p{Cc}\p{Cs}/\\:*?"<>|]/gu;
/** A file that begins with a dot is hidden, and some systems remove dots and spaces at the end. */
const BEGINNING = /^[.\s]+/;
const END = new Set([".", " "]);
/** In UTF-8 no more than 255 bytes, the limit of common file systems. */
const MAX_NAME = 60;

function fileNameOf(title: string): string {
  const name = [...flattened(title).replace(FORBIDDEN, "-").replace(BEGINNING, "")].slice(0, MAX_NAME);
  while (END.has(name.at(-1) ?? "")) name.pop();
  return name.join("") || "document";
}
