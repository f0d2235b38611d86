import type { PageAnswer, Site, WorkspaceCall } from "../site/site.ts";
import { inPath } from "./paths.ts";

/** A doc as a file. */
export async function exportFile(site: Site, call: WorkspaceCall): Promise<PageAnswer> {
  const { content, encoding, content_type, filename } = await site.perform<{
    content: string;
    encoding: BufferEncoding;
    content_type: string;
    filename: string;
  }>(call, "docs.export", { params: inPath(call), query: { format: call.params.format ?? "" } });
  return { file: Buffer.from(content, encoding), type: content_type, name: filename };
}
