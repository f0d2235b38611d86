import type Router from "@koa/router";
import type { Jwk } from "../../domain/kernel/ports/receipt-keys.ts";
import { AUTH_GUIDE_PATH } from "../oauth/paths.ts";
import { served } from "../pages/served.ts";
import { agentGuide } from "./agent-guide.ts";
import { authGuide } from "./auth-guide.ts";
import { commerceProfile } from "./commerce-profile.ts";
import { authorizationServer, PROTECTED, protectedResource } from "./oauth-metadata.ts";
import { paymentDocument } from "./payment-document.ts";

export type DiscoveryOptions = {
  /** Without a trailing slash. */
  baseUrl: string;
  /** The payment method's name on the wire. */
  method: string;
  /** Public keys that verify receipts. They stay the same while the process runs. */
  signingKeys: () => readonly Jwk[];
};

/**
 * Documents for programs: how to authenticate, and what can be bought and how. They are public, the same for
 * everyone, and never redirect.
 */
export function discoveryPages({ baseUrl, method, signingKeys }: DiscoveryOptions): (router: Router) => void {
  const offer = { baseUrl, method };
  return (router) => {
    router.get(
      "/.well-known/ucp",
      json(() => commerceProfile(baseUrl, signingKeys())),
    );
    router.get(
      "/openapi.json",
      json(() => paymentDocument("standard", offer)),
    );
    router.get(
      "/api/mpp/v1/openapi.json",
      json(() => paymentDocument("full", offer)),
    );
    router.get(
      "/.well-known/oauth-authorization-server",
      json(() => authorizationServer(baseUrl)),
    );
    for (const { resource, document } of PROTECTED) {
      router.get(
        document,
        json(() => protectedResource(baseUrl, resource)),
      );
    }
    router.get(
      AUTH_GUIDE_PATH,
      fresh("text/markdown; charset=utf-8", () => authGuide(baseUrl)),
    );
    router.get(
      "/llms.txt",
      fresh("text/plain; charset=utf-8", () => agentGuide(offer)),
    );
  };
}

const json = (make: () => unknown) => fresh("application/json", () => JSON.stringify(make()));

const fresh = (type: string, make: () => string) =>
  served({ type, maxAge: 300, make: async () => Buffer.from(make()) });
