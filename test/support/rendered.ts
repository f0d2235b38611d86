import { afterAll } from "vitest";
import { openDocumentRenderer, type RendererOptions } from "../../src/adapters/document-renderer.ts";
import type { DocumentToRender } from "../../src/domain/kernel/ports/document-renderer.ts";
import type { Log } from "../../src/domain/kernel/ports/ports.ts";

/** Renders documents without a server, in the same processes as a server does. */

export type Lines = { level: string; fields: object; sentence: string }[];

export function openRenderer(options: Partial<RendererOptions> = {}) {
  const lines: Lines = [];
  const note = (level: string) => (fields: object, sentence: string) => void lines.push({ level, fields, sentence });
  const log: Log = { debug: note("debug"), info: note("info"), warn: note("warn"), error: note("error") };
  // The time limit is for a machine that has much else to do.
  const renderer = openDocumentRenderer({ processes: 1, timeoutMs: 60_000, memoryMb: 768, ...options }, log);
  afterAll(() => renderer.close());

  const render = (markdown: string, more: Partial<DocumentToRender> = {}, tenant = "one"): Promise<Buffer> =>
    renderer.render({ ...DOCUMENT, markdown, ...more }, tenant);
  const html = async (markdown: string, more: Partial<DocumentToRender> = {}) =>
    (await render(markdown, { format: "html", ...more })).toString();
  return { render, html, findUndrawn: renderer.findUndrawn, close: renderer.close, lines };
}

export const DOCUMENT: DocumentToRender = {
  format: "pdf",
  as: "file",
  title: "A document",
  markdown: "",
  language: null,
  changedAt: "2026-11-22T10:20:30.456Z",
  workspaceUrl: "https://muster.test/w/acme",
};
