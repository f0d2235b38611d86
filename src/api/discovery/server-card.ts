import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { TOOL_SERVER } from "../oauth/resources.ts";
import type { Json } from "../openapi/schemas.ts";
import { DOCUMENTS, MUSTER, reversedHost } from "./facts.ts";

/** The tool server also speaks the revision that has no handshake. */
export const PROTOCOL_VERSIONS = ["2026-07-28", ...SUPPORTED_PROTOCOL_VERSIONS];

/**
 * The card of the tool server (MCP Server Cards, SEP-2127). It names no tools, because they depend on the caller's scopes.
 * It says nothing about credentials either: the server's 401 leads to the authorization server.
 */
export const serverCard = (baseUrl: string): Json => ({
  $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
  name: `${reversedHost(baseUrl)
    .map((part) => part.replaceAll(/[^a-zA-Z0-9-]/g, "-"))
    .join(".")}/muster`,
  title: MUSTER.name,
  description: MUSTER.description,
  version: MUSTER.version,
  websiteUrl: baseUrl,
  icons: [{ src: baseUrl + DOCUMENTS.icon, mimeType: "image/svg+xml", sizes: ["any"] }],
  remotes: [{ type: "streamable-http", url: baseUrl + TOOL_SERVER, supportedProtocolVersions: PROTOCOL_VERSIONS }],
});
