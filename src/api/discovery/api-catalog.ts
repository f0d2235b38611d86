import { PROTECTED_DOCUMENT, REST, TOOL_SERVER } from "../oauth/resources.ts";
import type { Json } from "../openapi/schemas.ts";
import { CREDITS, DOCUMENTS } from "./facts.ts";

/** Media type of the catalog (RFC 9264, RFC 9727). */
export const CATALOG_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/** The catalog at `/.well-known/api-catalog` (RFC 9727): the three APIs, and what describes each of them. */
export function apiCatalog(baseUrl: string): Json {
  const link = (path: string, type: string) => [{ href: baseUrl + path, type }];
  const apis = [
    {
      path: REST,
      "service-desc": link(DOCUMENTS.description, "application/json"),
      "service-doc": [...link(DOCUMENTS.reference, "text/html"), ...link(DOCUMENTS.agentGuide, "text/plain")],
    },
    {
      path: TOOL_SERVER,
      "service-desc": link(DOCUMENTS.serverCard, "application/mcp-server-card+json"),
      "service-doc": link(DOCUMENTS.agentGuide, "text/plain"),
    },
    {
      path: CREDITS,
      "service-desc": link(DOCUMENTS.payments, "application/json"),
      "service-doc": link(DOCUMENTS.agentGuide, "text/plain"),
    },
  ];
  return {
    linkset: [
      { anchor: baseUrl + DOCUMENTS.apiCatalog, item: apis.map(({ path }) => ({ href: baseUrl + path })) },
      ...apis.map(({ path, ...links }) => ({
        anchor: baseUrl + path,
        ...links,
        "service-meta": [
          ...link(PROTECTED_DOCUMENT + (path === CREDITS ? "" : path), "application/json"),
          ...link(path === CREDITS ? DOCUMENTS.commerceProfile : DOCUMENTS.agentCard, "application/json"),
        ],
        status: link("/healthz", "application/json"),
      })),
    ],
  };
}

/** The `Link` header of the home page and of the catalog (RFC 8288, RFC 8631). Its addresses are relative. */
export const CATALOG_LINKS = [
  `<${DOCUMENTS.apiCatalog}>; rel="api-catalog"; type="application/linkset+json"`,
  `<${DOCUMENTS.description}>; rel="service-desc"; type="application/json"`,
  `<${DOCUMENTS.reference}>; rel="service-doc"; type="text/html"`,
  `<${DOCUMENTS.agentGuide}>; rel="describedby"; type="text/plain"`,
].join(", ");
