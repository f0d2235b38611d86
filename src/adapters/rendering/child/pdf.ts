import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { DocumentToRender } from "../../../domain/kernel/ports/document-renderer.ts";
import { blocksOf } from "./blocks.ts";
import { fontFiles, fontOrder } from "./fonts.ts";
import { headingIds, idOfLink, startsWithTitle } from "./headings.ts";
import { type Images, openImages } from "./images.ts";
import { parseMarkdown } from "./parse.ts";
import { openRuns } from "./runs.ts";
import { guessLanguage, scriptOf } from "./script.ts";
import { attributeOf, type Token } from "./token.ts";

type Typst = typeof import("@myriaddreamin/typst-ts-node-compiler");
type Compiler = InstanceType<Typst["NodeCompiler"]>;

/** A folder that is never read: all files are in memory. */
const WORKSPACE = import.meta.dirname;
const TEMPLATE = readFileSync(new URL("template.typ", import.meta.url), "utf8");

/** Returns a function that renders PDFs. @throws if there is no Typst for this platform */
export async function openPdf(): Promise<(document: DocumentToRender) => Buffer> {
  const { NodeCompiler } = await import("@myriaddreamin/typst-ts-node-compiler");
  const compiler = NodeCompiler.create({ workspace: WORKSPACE, fontArgs: [{ fontPaths: fontFiles() }] });

  return (document) => {
    const tokens = parseMarkdown(document);
    const images = openImages();
    try {
      return (
        compile(compiler, contentOf(document, tokens, images), images.files) ??
        // An image whose size can be read may still be damaged. Then the document shows descriptions instead.
        compile(compiler, contentOf(document, tokens, NO_IMAGES), NO_IMAGES.files) ??
        fail()
      );
    } finally {
      // Otherwise Typst keeps the layout of earlier documents.
      compiler.evictCache(0);
      compiler.resetShadow();
    }
  };
}

const NO_IMAGES: Images = { add: () => null, files: new Map() };

function fail(): never {
  throw new Error("Typst cannot lay out the document.");
}

/** Returns the PDF; null if Typst reports an error. */
function compile(compiler: Compiler, content: object, images: ReadonlyMap<string, Buffer>): Buffer | null {
  compiler.mapShadow(join(WORKSPACE, "document.json"), Buffer.from(JSON.stringify(content)));
  for (const [name, bytes] of images) compiler.mapShadow(join(WORKSPACE, name), bytes);
  const { result } = compiler.compile({ mainFileContent: TEMPLATE, resetRead: true });
  return result && compiler.pdf(result);
}

/** What template.typ reads. */
function contentOf(document: DocumentToRender, tokens: Token[], images: Images): object {
  const { title, markdown, names = {}, changedAt } = document;
  const language = document.language ?? guessLanguage(markdown);
  const [year, month, day] = changedAt.slice(0, 10).split("-").map(Number);
  const ids = headingIds(tokens);
  const linked = linkedHeadings(tokens, new Set(ids.values()));
  const targetOf = (href: string) => {
    if (!href.startsWith("#")) return href || null;
    const id = idOfLink(href);
    return linked.has(id) ? `#${id}` : null;
  };
  const labels: Record<string, true> = {};
  const nameOf = (heading: Token) => {
    const id = ids.get(heading) ?? "";
    if (!linked.has(id)) return null;
    labels[id] = true;
    return id;
  };
  return {
    title,
    language: language?.slice(0, 2) ?? null,
    fonts: fontOrder([title, markdown, ...Object.values(names)].join("\n")),
    date: { year, month, day },
    heading: startsWithTitle(tokens, title)
      ? null
      : { title, script: scriptOf(title, language), date: changedAt.slice(0, 10) },
    blocks: blocksOf(tokens, { language, runsOf: openRuns(images, targetOf), nameOf }),
    labels,
  };
}

/** Returns the ids of headings that links of the document lead to. Only these get a label, which takes time. */
function linkedHeadings(tokens: readonly Token[], ids: ReadonlySet<string>): Set<string> {
  const linked = new Set<string>();
  for (const { children } of tokens) {
    for (const token of children ?? []) {
      const href = token.type === "link_open" ? attributeOf(token, "href") : "";
      if (href.startsWith("#") && ids.has(idOfLink(href))) linked.add(idOfLink(href));
    }
  }
  return linked;
}
