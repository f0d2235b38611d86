import type { DocumentToRender, ToRender } from "../../../domain/kernel/ports/document-renderer.ts";
import { renderHtml, renderPart } from "./html.ts";
import { openPdf } from "./pdf.ts";
import { draw } from "./picture/draw.ts";

/**
 * The renderer's process. It receives one document at a time. It runs apart from the web process, because rendering takes
 * seconds, and a native library cannot be interrupted otherwise.
 */

export type Rendered =
  | { kind: "done"; content: Uint8Array }
  /** There is no Typst for this platform. */
  | { kind: "unavailable" }
  | { kind: "failed"; message: string };

let pdf: ReturnType<typeof openPdf> | undefined;

async function render(document: DocumentToRender): Promise<Rendered> {
  if (document.as === "part") return { kind: "done", content: Buffer.from(renderPart(document)) };
  if (document.format === "html") {
    const html = renderHtml(document);
    return { kind: "done", content: Buffer.from(document.as === "json" ? JSON.stringify(html) : html) };
  }
  pdf ??= openPdf();
  const makePdf = await pdf.catch(() => null);
  if (!makePdf) return { kind: "unavailable" };
  const bytes = makePdf(document);
  return { kind: "done", content: document.as === "json" ? Buffer.from(`"${bytes.toString("base64")}"`) : bytes };
}

async function make(received: ToRender): Promise<Rendered> {
  if (received.format === "chart") {
    // It takes a tenth of a second to load, and most documents are no charts.
    const { drawChart } = await import("./chart/draw.ts");
    return { kind: "done", content: Buffer.from(drawChart(received)) };
  }
  if (received.format === "svg") return { kind: "done", content: Buffer.from(draw(received)) };
  // Half a surrogate pair is no character, and JSON with one cannot be read by Typst.
  const [title, markdown] = [received.title.toWellFormed(), received.markdown.toWellFormed()];
  return render({ ...received, title, markdown });
}

process.on("message", async (received: ToRender) => {
  const reply = await make(received).catch(
    (error): Rendered => ({ kind: "failed", message: (error as Error).message }),
  );
  process.send!(reply);
});
// The process that started this one ends it, or has died.
process.on("disconnect", () => process.exit());
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => {});
