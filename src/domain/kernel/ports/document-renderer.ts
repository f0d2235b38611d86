import type { ChartToDraw } from "./chart.ts";

/** A document as Markdown, and how to render it. */
export type DocumentToRender = {
  format: "html" | "pdf";
  /**
   * `file`: the bytes of the file. `json`: the JSON string that contains the file, which is base64 for a PDF. It is made
   * by the renderer, because escaping megabytes would block the caller. `part`: HTML of the text alone, for a page that
   * shows the title itself.
   */
  as: "file" | "json" | "part";
  title: string;
  /** At most 524,288 characters. */
  markdown: string;
  /** A BCP 47 tag; null: guessed from the script of the text. */
  language: string | null;
  /** When the document was last changed, RFC 3339. */
  changedAt: string;
  /**
   * The present names of those whom the text mentions, by id. Others stay plain text. A `part` has the ids instead: the page
   * asks for the names of all of its texts together.
   */
  names?: Readonly<Record<string, string>>;
  /** The page of the workspace. Pages of its issues are below it. */
  workspaceUrl: string;
};

/** A graph without cycles, to draw as SVG from top to bottom. */
export type PictureToDraw = {
  format: "svg";
  title: string;
  /** What the picture shows, for those who do not see it. */
  description: string;
  /** At most 200. */
  nodes: readonly PictureNode[];
  /** At most 400. */
  edges: readonly PictureEdge[];
};

export type PictureNode = {
  id: string;
  kind: string;
  /** What the node is called, and more about it. */
  title: string;
  detail: string;
  /** Null: states are not shown. */
  state: { name: string; words: string } | null;
};

export type PictureEdge = {
  source: string;
  target: string;
  label: string | null;
  /** Whether it is drawn stronger than others. */
  strong: boolean;
};

/** What another process renders. */
export type ToRender = DocumentToRender | PictureToDraw | ChartToDraw;

export interface DocumentRenderer {
  /**
   * Renders a document or a picture in another process, and a short part in this one. Tenants take turns.
   * @param givenUp aborted when nobody wants the document any more; then it is not begun
   * @throws RendererBusy, DocumentTooComplex, FormatUnavailable
   */
  render(document: ToRender, tenant: string, givenUp?: AbortSignal): Promise<Buffer>;

  /** Returns the characters of a text that a PDF shows as boxes, because no font has them; at most a hundred. */
  findUndrawn(text: string): Promise<string[]>;
}

/** Too many documents are waiting, or the renderer was stopped. Try again later. */
export class RendererBusy extends Error {}

/** Rendering the document takes more time or memory than allowed. Trying again would fail too. */
export class DocumentTooComplex extends Error {}

/** This installation cannot make this format, because a package for its platform is missing. */
export class FormatUnavailable extends Error {}
