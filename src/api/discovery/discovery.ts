import type Router from "@koa/router";
import type { Jwk } from "../../domain/kernel/ports/receipt-keys.ts";
import type { Operation } from "../engine/operation.ts";
import { REST, TOOL_SERVER } from "../oauth/resources.ts";
import { served } from "../pages/served.ts";
import { agentCard } from "./agent-card.ts";
import { agentGuide } from "./agent-guide.ts";
import { apiCatalog, CATALOG_LINKS, CATALOG_TYPE } from "./api-catalog.ts";
import { authGuide } from "./auth-guide.ts";
import { checkoutProfile } from "./checkout-profile.ts";
import { commerceProfile } from "./commerce-profile.ts";
import { CREDITS, DOCUMENTS } from "./facts.ts";
import { authorizationServer, PROTECTED, protectedResource } from "./oauth-metadata.ts";
import { operationsGuide } from "./operations-guide.ts";
import { paymentDocument } from "./payment-document.ts";
import { serverCard } from "./server-card.ts";

export type DiscoveryOptions = {
  /** Without a trailing slash. */
  baseUrl: string;
  /** The payment method's name on the wire. */
  method: string;
  /** All calls of the API. */
  operations: readonly Operation[];
  /** Public keys that verify receipts. They stay the same while the process runs. */
  signingKeys: () => readonly Jwk[];
};

const MARKDOWN = "text/markdown; charset=utf-8";

type Page = { paths: string | string[]; type?: string; headers?: Record<string, string>; make: () => unknown };

/**
 * Documents for programs: what there is, how to authenticate, and what can be bought and how. They are public, the same
 * for everyone, and never redirect.
 */
export function discoveryPages(options: DiscoveryOptions): (router: Router) => void {
  return (router) => {
    for (const { paths, type = "application/json", headers = {}, make } of documents(options)) {
      const text = () => {
        const made = make();
        return typeof made === "string" ? made : JSON.stringify(made);
      };
      router.get(paths, served({ type, maxAge: 300, headers, make: async () => Buffer.from(text()) }));
    }
  };
}

function documents({ baseUrl, method, operations, signingKeys }: DiscoveryOptions): Page[] {
  const offer = { baseUrl, method };
  return [
    {
      // A program that asks the address of an API itself is told where to read on.
      paths: [DOCUMENTS.apiCatalog, REST, `/api${REST}`, CREDITS],
      type: CATALOG_TYPE,
      headers: { Link: CATALOG_LINKS },
      make: () => apiCatalog(baseUrl),
    },
    { paths: DOCUMENTS.agentCard, make: () => agentCard(baseUrl) },
    {
      // Its reserved place, and those at which earlier drafts have it.
      paths: [`${TOOL_SERVER}/server-card`, DOCUMENTS.serverCard, "/.well-known/mcp.json"],
      type: "application/mcp-server-card+json",
      make: () => serverCard(baseUrl),
    },
    { paths: DOCUMENTS.commerceProfile, make: () => commerceProfile(baseUrl, signingKeys()) },
    { paths: DOCUMENTS.checkout, make: () => checkoutProfile(baseUrl) },
    { paths: DOCUMENTS.offers, make: () => paymentDocument("standard", offer) },
    { paths: DOCUMENTS.payments, make: () => paymentDocument("full", offer) },
    { paths: DOCUMENTS.authorizationServer, make: () => authorizationServer(baseUrl) },
    ...PROTECTED.map(({ resource, document }) => ({
      paths: document,
      make: () => protectedResource(baseUrl, resource),
    })),
    // The second name is the one by which clients look for it.
    { paths: [DOCUMENTS.authGuide, "/oauth.md"], type: MARKDOWN, make: () => authGuide(baseUrl) },
    {
      paths: DOCUMENTS.agentGuide,
      type: "text/plain; charset=utf-8",
      make: () => agentGuide({ ...offer, operations }),
    },
    { paths: DOCUMENTS.operations, type: MARKDOWN, make: () => operationsGuide(baseUrl, operations) },
  ];
}
