import { createHash, randomBytes } from "node:crypto";
import { expect } from "vitest";
import { freePort } from "../../src/dev/ports.ts";
import { configure } from "./app.ts";
import { type Browser, browser, type Page } from "./browser.ts";
import type { World } from "./world.ts";

/** A client of the OAuth endpoints, step by step. */

/** Sets the public address to the one that this file's process listens on, because some clients compare them. */
export async function servePublicly(more: Record<string, string> = {}): Promise<string> {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  configure({ PORT: String(port), BASE_URL: baseUrl, ...WIDE, ...more });
  return baseUrl;
}

/** Tests send many calls from one address. */
export const WIDE = {
  OAUTH_REGISTRATIONS_PER_HOUR: "10000",
  OAUTH_REGISTRATIONS_PER_DAY: "10000",
  OAUTH_AUTHORIZATIONS_PER_MINUTE: "10000",
  OAUTH_TOKEN_REQUESTS_PER_MINUTE: "10000",
  BAD_CREDENTIALS_PER_MINUTE: "10000",
};

export const REDIRECT = "http://127.0.0.1:7777/callback";

// biome-ignore lint/suspicious/noExplicitAny: tests look into replies freely
type Json = any;
export type Answer = { status: number; headers: Headers; body: Json; text: string };

async function answer(response: Response): Promise<Answer> {
  const text = await response.text();
  const body = /json/.test(response.headers.get("content-type") ?? "") ? JSON.parse(text) : undefined;
  return { status: response.status, headers: response.headers, text, body };
}

export const register = async (here: World, metadata: object, headers: Record<string, string> = {}): Promise<Answer> =>
  answer(
    await fetch(`${here.app.baseUrl}/api/oauth/register`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(metadata),
    }),
  );

/** A registered client's id. */
export async function newClient(here: World, more: object = {}): Promise<string> {
  const reply = await register(here, { client_name: "Robot", redirect_uris: [REDIRECT], scope: "read write", ...more });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.client_id;
}

export const post = async (
  here: World,
  path: "token" | "revoke",
  form: Record<string, string> | [string, string][],
  headers: Record<string, string> = {},
): Promise<Answer> =>
  answer(
    await fetch(`${here.app.baseUrl}/api/oauth/${path}`, { method: "POST", headers, body: new URLSearchParams(form) }),
  );

export const verifierOf = () => randomBytes(32).toString("base64url");
export const challengeOf = (verifier: string) => createHash("sha256").update(verifier).digest("base64url");

export type Ask = {
  clientId: string;
  verifier?: string;
  scope?: string;
  state?: string;
  redirectUri?: string;
  more?: Record<string, string>;
};

export function authorizePath({ clientId, verifier = verifierOf(), scope, state, redirectUri, more }: Ask): string {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri ?? REDIRECT,
    code_challenge: challengeOf(verifier),
    code_challenge_method: "S256",
    state: state ?? "the-state",
    ...(scope === undefined ? {} : { scope }),
    ...more,
  });
  return `/api/oauth/authorize?${query}`;
}

/** Opens the consent page of an authorization request in a browser. Returns the page and its path. */
export async function openConsent(visitor: Browser, path: string): Promise<{ page: Page; path: string }> {
  const first = await visitor.get(path);
  expect(first.status, first.text).toBe(303);
  const location = first.headers.get("location")!;
  expect(location).toMatch(/\/oauth\/consent\/[\w-]{43}$/);
  return { page: await visitor.get(location), path: location };
}

export type Choice = { decision?: "approve" | "deny"; scope?: string[]; workspace?: string };

/** Submits a consent page and follows redirects until one leaves the service. Returns that redirect's address. */
export async function answerConsent(visitor: Browser, path: string, here: World, choice: Choice = {}): Promise<URL> {
  const { decision = "approve", scope = ["read", "write"], workspace = here.workspace.slug } = choice;
  const sent = await visitor.post(path, { decision, scope, workspace });
  expect(sent.status, sent.text).toBe(303);
  const last = await visitor.follow(sent);
  expect(last.status, last.text).toBe(303);
  return new URL(last.headers.get("location")!);
}

/** From the authorization request to the client's redirect address. */
export async function consent(here: World, userId: string, ask: Ask, choice: Choice = {}): Promise<URL> {
  const visitor = await browser(here.app, userId);
  const { page, path } = await openConsent(visitor, authorizePath(ask));
  expect(page.status, page.text).toBe(200);
  const asked = ask.scope?.split(" ");
  return answerConsent(visitor, path, here, { ...(asked ? { scope: asked } : {}), ...choice });
}

export type Tokens = { access_token: string; refresh_token: string; scope: string; agent_id: string };

/** A code with the parameters to exchange it. */
export async function newCode(here: World, userId: string, ask: Partial<Ask> = {}, choice: Choice = {}) {
  const clientId = ask.clientId ?? (await newClient(here));
  const verifier = ask.verifier ?? verifierOf();
  const back = await consent(here, userId, { scope: "read write", ...ask, clientId, verifier }, choice);
  const code = back.searchParams.get("code")!;
  expect(code, back.href).toBeTruthy();
  return { clientId, verifier, code, redirect_uri: ask.redirectUri ?? REDIRECT };
}

type Code = Awaited<ReturnType<typeof newCode>>;

export const exchange = (here: World, { clientId, verifier, code, redirect_uri }: Code, more = {}) =>
  post(here, "token", {
    grant_type: "authorization_code",
    client_id: clientId,
    code,
    code_verifier: verifier,
    redirect_uri,
    ...more,
  });

export const refresh = (here: World, clientId: string, token: string, more: Record<string, string> = {}) =>
  post(here, "token", { grant_type: "refresh_token", client_id: clientId, refresh_token: token, ...more });

/** The whole flow, from registration to tokens. */
export async function connect(here: World, userId: string, ask: Partial<Ask> = {}, choice: Choice = {}) {
  const code = await newCode(here, userId, ask, choice);
  const reply = await exchange(here, code);
  expect(reply.status, reply.text).toBe(200);
  return { ...(reply.body as Tokens), clientId: code.clientId };
}

export const me = async (here: World, token: string): Promise<Answer> =>
  answer(await fetch(`${here.app.baseUrl}/v1/me`, { headers: { authorization: `Bearer ${token}` } }));
