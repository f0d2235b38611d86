import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Receipt } from "mppx";
import { Mppx, stripe } from "mppx/client";
import * as oauth from "oauth4webapi";
import { expect, test } from "vitest";
import { app } from "../support/app.ts";
import { Browser } from "../support/browser.ts";
import { cardProcessorAtWork } from "../support/buyer.ts";
import { linkIn, startMailbox } from "../support/mailbox.ts";
import { REDIRECT, servePublicly } from "../support/oauth.ts";
import { linkOn, open, sendForm } from "../support/page-forms.ts";

/**
 * An agent that knows nothing but the base URL, and a person who has never been here. The agent takes every address from
 * the documents, and uses stock clients.
 */

const mailbox = await startMailbox();
const baseUrl = await servePublicly();
const processor = await cardProcessorAtWork();

// biome-ignore lint/suspicious/noExplicitAny: tests look into replies freely
type Json = any;

const insecure = { [oauth.allowInsecureRequests]: true };
const textOf = async (address: string) => (await fetch(address)).text();
const jsonOf = async (address: string): Promise<Json> => (await fetch(address)).json();

/** The target of a link of a Markdown document, by its label. */
function linkOf(text: string, label: string): string {
  const found = new RegExp(`\\[${label}\\]\\(([^)]+)\\)`).exec(text)?.[1];
  expect(found, `a link "${label}" in ${text}`).toBeDefined();
  return found!;
}

/** The introduction for agents, to which the home page's Link header leads. */
async function findGuide(): Promise<string> {
  const { headers } = await fetch(baseUrl);
  const relation = /<([^>]+)>; rel="describedby"/.exec(headers.get("link") ?? "")?.[1];
  return textOf(new URL(relation!, baseUrl).href);
}

/** The person: opens the agent's link, signs in by mail, founds a workspace, and approves. Returns where they are sent. */
async function personApproves(address: string): Promise<URL> {
  const visitor = new Browser(baseUrl);
  const email = "newcomer@people.test";
  const signIn = await open(visitor, address);
  await sendForm(visitor, signIn, { email });
  const mailed = await open(visitor, linkIn(await mailbox.latest(email)).href);
  const nowhere = await sendForm(visitor, mailed, {
    token: new URL(linkIn(await mailbox.latest(email))).searchParams.get("token")!,
  });
  expect(nowhere.text).toContain("You are not in a workspace yet");
  const founding = await open(visitor, linkOn(nowhere, "Create a workspace"));
  const asked = await sendForm(visitor, founding, { your_name: "Nova", name: "Nova's", slug: "novas" });
  expect(asked.text).toContain("Connect Newcomer?");
  const scope = ["read", "write", "admin"];
  const sent = await sendForm(visitor, asked, { decision: "approve", scope });
  return new URL(sent.headers.get("location")!);
}

/** Registers as the guide for connecting says, and returns an access token. */
async function connect(guide: string, resource: string): Promise<string> {
  // The tool server's own challenge leads to the same authorization server.
  const refused = await fetch(resource, { method: "POST" });
  expect(refused.status).toBe(401);
  const metadata = /resource_metadata="([^"]+)"/.exec(refused.headers.get("www-authenticate") ?? "")?.[1];
  const { authorization_servers } = await jsonOf(metadata!);
  const issuer = new URL(authorization_servers[0]);
  const as = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure }),
  );
  expect(guide).toContain(as.registration_endpoint);
  const registration = { client_name: "Newcomer", redirect_uris: [REDIRECT], scope: "read write admin" };
  const client = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(as, registration, insecure),
  );
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const address = new URL(as.authorization_endpoint!);
  address.search = new URLSearchParams({
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: REDIRECT,
    scope: "read write admin",
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  }).toString();
  const back = oauth.validateAuthResponse(as, client, await personApproves(address.href), state);
  const { access_token, scope } = await oauth.processAuthorizationCodeResponse(
    as,
    client,
    await oauth.authorizationCodeGrantRequest(as, client, oauth.None(), back, REDIRECT, verifier, insecure),
  );
  expect(scope).toBe("read write admin");
  return access_token;
}

/** A wallet of the person, which pays what the challenge says. */
async function pay({ amount, currency, expiresAt }: { amount: string; currency: string; expiresAt: number }) {
  const reply = await fetch(`${processor.url}/v1/test_helpers/shared_payment/granted_tokens`, {
    method: "POST",
    headers: { authorization: "Bearer sk_test_wallet", "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({
      payment_method: "pm_card_visa",
      "usage_limits[currency]": currency,
      "usage_limits[max_amount]": amount,
      "usage_limits[expires_at]": String(expiresAt),
    }),
  });
  return ((await reply.json()) as { id: string }).id;
}

test("an agent that knows only the base URL gets approved, lists tools, creates an issue and buys credits", async () => {
  await app();
  const guide = await findGuide();
  const { remotes } = await jsonOf(linkOf(guide, "Tool server card"));
  const token = await connect(await textOf(linkOf(guide, "Connecting")), remotes[0].url);
  const headers = { authorization: `Bearer ${token}` };

  const client = new Client({ name: "newcomer", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(remotes[0].url), { requestInit: { headers } }));
  const call = async (name: string, given: Record<string, unknown> = {}): Promise<Json> => {
    const { structuredContent, isError } = await client.callTool({ name, arguments: given });
    expect(isError ?? false, JSON.stringify(structuredContent)).toBe(false);
    return structuredContent;
  };
  const { tools } = await client.listTools();
  expect(tools.length).toBeLessThanOrEqual(25);
  const { data: self } = await call("whoami");
  expect(self).toMatchObject({ workspace: { slug: "novas" }, agent: { name: "Newcomer" } });

  // The workspace is new, so it has no project yet. There is no tool for that, but there is one that finds the call.
  expect((await call("list_projects")).data).toEqual([]);
  const { data: found } = await call("find_operation", { query: "create a project" });
  const operation = found.find(({ path, method }: Json) => method === "POST" && /\/projects$/.test(path)).operation;
  const { data: described } = await call("describe_operation", { operation });
  expect(JSON.stringify(described)).toContain('"name"');
  await call("call_operation", { operation, body: { name: "Website", key: "WEB" } });
  const { data: issue } = await call("create_issue", { project: "WEB", title: "Say hello" });
  expect(issue).toMatchObject({ key: "WEB-1", title: "Say hello" });

  const shop = await jsonOf(linkOf(guide, "Credit purchases"));
  const [path] = Object.entries<Json>(shop.paths).find(([, { post }]) => post["x-payment-info"].amount === "2000")!;
  const purchase = await Mppx.create({
    polyfill: false,
    maxPaymentRetries: 1,
    methods: [stripe({ paymentMethod: "pm_card_visa", createToken: pay })],
  }).fetch(shop.servers[0].url + path, { method: "POST", headers: { "X-Api-Key": token } });
  const { data: bought } = (await purchase.json()) as Json;
  expect(`${purchase.status} ${bought.credits_status}`).toBe("200 granted");
  expect(Receipt.fromResponse(purchase)).toMatchObject({ status: "success", credits: 2_000, purchaseId: bought.id });

  const { data: reads } = await call("find_operation", { query: "usage of the workspace, credits" });
  const usage = reads.find(({ path: one }: Json) => /\{slug\}\/usage$/.test(one)).operation;
  const { data: balance } = await call("call_operation", { operation: usage });
  expect(balance.ai_credits.topup_balance).toBe(2_000);
  await client.close();
});
