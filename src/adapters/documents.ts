import { Agent } from "undici";
import type { FetchedDocument } from "../domain/kernel/ports/ports.ts";
import { checkedConnector, openResolver, type Resolve } from "./outbound-connect.ts";

/** `resolve` replaces DNS in tests. */
export type DocumentsOptions = { allowLoopback: boolean; resolve?: Resolve };

const TIMEOUT_MS = 2_500;
/** The size limit of client metadata documents (draft-ietf-oauth-client-id-metadata-document §6.6). */
const MAX_BYTES = 5 * 1024;

/** Reads small documents from untrusted addresses: https, public addresses only, no redirects, no retry. */
export function openDocuments({ allowLoopback, resolve = openResolver() }: DocumentsOptions) {
  const agent = new Agent({
    connect: checkedConnector({ allowLoopback, resolve, stale: new WeakSet() }),
    allowH2: false,
    connections: 4,
    maxHeaderSize: 16_384,
    keepAliveTimeout: 1,
  });

  async function read(url: URL, signal: AbortSignal): Promise<FetchedDocument> {
    const headers = { accept: "application/json", "user-agent": "Muster-OAuth/1" };
    const path = url.pathname + url.search;
    const response = await agent.request({ origin: url.origin, path, method: "GET", headers, signal });
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response.body) {
      size += chunk.length;
      // Leaving the loop destroys the connection, so an endless document ends here.
      if (size > MAX_BYTES) throw new Error(`The document has more than ${MAX_BYTES} bytes.`);
      chunks.push(chunk);
    }
    const received = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
    return { status: response.statusCode, headers: Object.fromEntries(received), body: Buffer.concat(chunks) };
  }

  return {
    async fetch(address: string): Promise<FetchedDocument> {
      const url = new URL(address);
      if (url.protocol !== "https:") throw new Error("Documents are read over https only.");
      const { promise: late, reject } = Promise.withResolvers<never>();
      const controller = new AbortController();
      // undici checks a signal only after connecting. The race also ends a slow look-up or handshake.
      const timer = setTimeout(() => {
        const error = new Error("The document did not come in time.");
        controller.abort(error);
        reject(error);
      }, TIMEOUT_MS);
      try {
        return await Promise.race([read(url, controller.signal), late]);
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => agent.destroy(),
  };
}
