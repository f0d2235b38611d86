import { isHeavy } from "../domain/kernel/heavy-markdown.ts";
import type { DocumentRenderer, DocumentToRender, ToRender } from "../domain/kernel/ports/document-renderer.ts";
import type { Log } from "../domain/kernel/ports/ports.ts";
import { renderPart } from "./rendering/child/html.ts";
import { openGlyphs } from "./rendering/glyphs.ts";
import { openRendererProcess, type ProcessOptions } from "./rendering/renderer-process.ts";
import { openTurns } from "./rendering/turns.ts";

export type RendererOptions = ProcessOptions & {
  /** Documents that are rendered at once. */
  processes: number;
};

/** The text of each is in memory. */
const WAITING = 40;
const WAITING_OF_TENANT = 10;
const PATIENCE_MS = 15_000;

/** Texts that take this process no longer than a comment does. A reference would repeat its address with each use. */
const isShort = (document: ToRender): document is DocumentToRender =>
  document.format !== "svg" &&
  document.format !== "chart" &&
  document.as === "part" &&
  !isHeavy(document.markdown) &&
  !document.markdown.includes("]:");

/** Renders documents in processes of their own. No process runs until the first document comes. */
export function openDocumentRenderer(
  { processes, ...options }: RendererOptions,
  log: Log,
): DocumentRenderer & { close(): void } {
  const turns = openTurns({
    slots: processes,
    waiting: WAITING,
    waitingOfTenant: WAITING_OF_TENANT,
    patienceMs: PATIENCE_MS,
  });
  const all = Array.from({ length: processes }, () => openRendererProcess(options, log));
  const free = [...all];
  let glyphs: ReturnType<typeof openGlyphs> | undefined;

  return {
    render: async (document, tenant, givenUp) => {
      if (isShort(document)) return Buffer.from(renderPart(document));
      return turns.run(tenant, givenUp, async () => {
        // The one used last, so that the others may end.
        const renderer = free.pop()!;
        try {
          return await renderer.render(document);
        } finally {
          free.push(renderer);
        }
      });
    },
    findUndrawn: async (text) => {
      glyphs ??= openGlyphs();
      return (await glyphs)(text);
    },
    close() {
      turns.close();
      for (const renderer of all) renderer.close();
    },
  };
}
