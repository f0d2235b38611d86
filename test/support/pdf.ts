import { PDFiumLibrary } from "@hyzyla/pdfium";
import { getDocument, OPS } from "pdfjs-dist/legacy/build/pdf.mjs";

/** Returns the text of a PDF as Chrome's viewer copies it. */
export async function copiedFrom(bytes: Buffer): Promise<string> {
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(bytes);
  const text = [...document.pages()].map((page) => page.getText()).join("\n");
  document.destroy();
  library.destroy();
  return text;
}

/** Returns the number of boxes in a PDF: of glyphs that its fonts draw for characters they do not have. */
export async function boxesIn(bytes: Buffer): Promise<number> {
  const pdf = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
  let boxes = 0;
  for (let number = 1; number <= pdf.numPages; number++) {
    const { fnArray, argsArray } = await (await pdf.getPage(number)).getOperatorList();
    for (const [at, operator] of fnArray.entries()) {
      if (operator !== OPS.showText) continue;
      for (const glyph of argsArray[at][0]) if (glyph.unicode === NO_GLYPH) boxes++;
    }
  }
  await pdf.loadingTask.destroy();
  return boxes;
}

/** The text that the library gives for the first glyph of a font, which is its box. */
const NO_GLYPH = "\0";

/** Reads a PDF with the library of Firefox' viewer. */
export async function readPdf(bytes: Buffer) {
  const pdf = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
  const pages = await Promise.all(
    Array.from({ length: pdf.numPages }, async (_, index) => {
      const page = await pdf.getPage(index + 1);
      const { items } = await page.getTextContent();
      const texts = items.flatMap((item) => ("str" in item ? [item] : []));
      return {
        text: texts.map(({ str, hasEOL }) => (hasEOL ? `${str}\n` : str)).join(""),
        /** The right end of each piece of text, in points. */
        ends: texts.filter(({ str }) => str.trim() !== "").map(({ transform, width }) => transform[4] + width),
        links: (await page.getAnnotations()).flatMap(({ url, dest }) => url ?? (dest ? "#" : [])) as string[],
        width: page.view[2]!,
      };
    }),
  );
  const { info } = await pdf.getMetadata();
  const structure = await (await pdf.getPage(1)).getStructTree();
  const outline = ((await pdf.getOutline()) ?? []).map(({ title }) => title);
  const read = { pages, text: pages.map(({ text }) => text).join("\n"), outline, info, structure };
  await pdf.loadingTask.destroy();
  return { ...read, title: (info as { Title?: string }).Title, language: (info as { Language?: string }).Language };
}
