import { readMetadata } from "../../domain/access/oauth/registration.ts";
import type { Ports } from "../../domain/kernel/ports/ports.ts";
import { providerMetadata } from "./metadata-of-client.ts";

/**
 * Clients whose id is the address of a metadata document (CIMD). The document passes the same checks as a
 * registration, and the provider sees only the checked metadata. Any error is reported as "fetch failed".
 */
export async function fetchMetadata({ fetchDocument }: Ports, url: string): Promise<Response> {
  const { status, headers, body } = await fetchDocument(url);
  const kept = headers["cache-control"] ? { "cache-control": headers["cache-control"] } : {};
  if (status !== 200) return new Response(null, { status: status >= 200 && status < 600 ? status : 502 });

  const said = JSON.parse(body.toString("utf8")) as Record<string, unknown>;
  const { client_id, token_endpoint_auth_method: method = "none" } = said;
  // A document is public, so a secret in it is not secret. Keys in documents are not supported.
  if (method !== "none") throw new Error("token_endpoint_auth_method must be none");
  const metadata = readMetadata(said);
  if ("error" in metadata) throw new Error(metadata.error_description);
  return Response.json({ client_id, ...providerMetadata(metadata) }, { headers: kept });
}
