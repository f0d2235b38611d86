import { API_VERSION } from "../openapi/version.ts";

/** What all discovery documents say about the service, in the same words. */

export const MUSTER = {
  name: "Muster",
  /** At most 100 characters, which server cards require. */
  description: "Projects, issues, docs, goals and chat for teams of people and software agents.",
  /** Version of the API, of the tool server and of the documents' facts. */
  version: API_VERSION,
} as const;

/** Paths of the documents that name each other. */
export const DOCUMENTS = {
  agentCard: "/.well-known/agent-card.json",
  apiCatalog: "/.well-known/api-catalog",
  authorizationServer: "/.well-known/oauth-authorization-server",
  serverCard: "/.well-known/mcp/server-card.json",
  commerceProfile: "/.well-known/ucp",
  checkout: "/.well-known/acp.json",
  agentGuide: "/llms.txt",
  authGuide: "/auth.md",
  operations: "/operations.md",
  reference: "/docs",
  description: "/api/v1/openapi.json",
  payments: "/api/mpp/v1/openapi.json",
  offers: "/openapi.json",
  icon: "/docs/assets/icon.svg",
} as const;

/** Where credits are bought. */
export const CREDITS = "/api/mpp/v1";

/** The labels of the service's host in reverse order, e.g. `["com", "example", "muster"]`. */
export const reversedHost = (baseUrl: string): string[] => new URL(baseUrl).hostname.split(".").reverse();
