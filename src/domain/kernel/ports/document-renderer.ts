/** A document as Markdown, and how to render it. */
export type DocumentToRender = {
  format: "html" | "pdf";
  /**
   * `file`: the bytes of the file. `json`: the JSON string that contains the file, which is base64 for a PDF. It is made
   * by the renderer, because escaping megabytes would block the caller.
   */
  as: "file" | "json";
  title: string;
  /** At most 524,288 characters. */
  markdown: string;
  /** A BCP 47 tag; null: guessed from the script of the text. */
  language: string | null;
  /** When the document was last changed, RFC 3339. */
  changedAt: string;
  /** The page of the workspace. Pages of its issues are below it. */
  workspaceUrl: string;
};

export interface DocumentRenderer {
  /**
   * Renders a document in another process. Tenants take turns.
   * @param givenUp aborted when nobody wants the document any more; then it is not begun
   * @throws RendererBusy, DocumentTooComplex, FormatUnavailable
   */
  render(document: DocumentToRender, tenant: string, givenUp?: AbortSignal): Promise<Buffer>;
}

/** Too many documents are waiting, or the renderer was stopped. Try again later. */
export class RendererBusy extends Error {}

/** Rendering the document takes more time or memory than allowed. Trying again would fail too. */
export class DocumentTooComplex extends Error {}

/** This installation cannot make this format, because a package for its platform is missing. */
export class FormatUnavailable extends Error {}
