import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect } from "vitest";
import { type EmulatorOptions, type StripeEmulator, startStripeEmulator } from "../../src/dev/stripe-emulator/start.ts";
import { type Background, backgroundOf } from "../../src/domain/events/background.ts";
import { UNBALANCED } from "../../src/domain/tenancy/credits/account.sql.ts";
import { startWorker } from "../../src/start-worker.ts";
import { app, configure } from "./app.ts";
import type { Client, Exchange, Reply } from "./client.ts";
import type { World } from "./world.ts";

/** Buyers of credits, and the card processor that this file's processes use. */

export const NOTICE_SECRET = "whsec_test";

/**
 * Starts this file's card processor. Call it before the first world. `listen` is the address for its notifications.
 */
export async function cardProcessor(options: EmulatorOptions = {}) {
  const emulator = await startStripeEmulator({ webhookRetryMs: [50, 100, 200, 500, 1000], ...options });
  afterAll(() => emulator.stop());
  configure({ STRIPE_API_BASE: emulator.url, STRIPE_WEBHOOK_SECRET: NOTICE_SECRET });
  return emulator;
}

export const notifyAt = (emulator: StripeEmulator, baseUrl: string) =>
  emulator.endpoint({ url: `${baseUrl}/api/webhooks/stripe`, secret: NOTICE_SECRET });

/** The same, with a worker that serves this file's workspaces and processes the processor's notices. */
export async function cardProcessorAtWork(): Promise<StripeEmulator> {
  const emulator = await cardProcessor();
  let stop = async () => {};
  beforeAll(async () => {
    const { baseUrl, config } = await app();
    notifyAt(emulator, baseUrl);
    ({ stop } = await startWorker(config));
  });
  afterAll(async () => {
    await emulator.idle();
    await stop();
  });
  return emulator;
}

/** A call of the processor's API, as its dashboard makes it. */
export async function atProcessor(
  { url }: StripeEmulator,
  route: string,
  form: Record<string, string> = {},
): Promise<{ id: string }> {
  const [method = "", path = ""] = route.split(" ");
  const response = await fetch(url + path, {
    method,
    headers: { authorization: "Bearer sk_test_dashboard", "content-type": "application/x-www-form-urlencoded" },
    ...(method === "POST" ? { body: new URLSearchParams(form) } : {}),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as { id: string };
}

/** The context of workers, at a chosen time. */
export const background = async (now = new Date().toISOString()): Promise<Background> =>
  backgroundOf((await app()).resources, now);

/** Waits until workers have nothing left to do for a workspace. */
export async function quiet({ sql, workspace }: World): Promise<void> {
  const open = () =>
    sql<{ open: number }>(
      `select (select count(*) from outbox where workspace_id = $1)
            + (select count(*) from reaction where workspace_id = $1) as open`,
      [workspace.id],
    );
  await expect.poll(() => open().then(([row]) => row?.open), { timeout: 20_000 }).toBe(0);
}

export type Pack = "small" | "medium" | "large" | "custom";

export const base64url = (value: unknown): string =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

/** The parameters of a `WWW-Authenticate: Payment` challenge. */
export function challengeOf({ headers }: Reply): Record<string, string> {
  const value = headers.get("www-authenticate") ?? "";
  expect(value).toMatch(/^Payment id="/);
  return Object.fromEntries(
    [...value.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, text]) => [name, text]),
  );
}

export const newToken = (word = "ok"): string => `spt_test_${word}_${randomBytes(6).toString("hex")}`;

/** A wallet token for one of the processor's test cards, valid for any pack. */
export const grantedToken = async (emulator: StripeEmulator, card: string): Promise<string> =>
  (
    await atProcessor(emulator, "POST /v1/test_helpers/shared_payment/granted_tokens", {
      payment_method: card,
      "usage_limits[currency]": "usd",
      "usage_limits[max_amount]": "100000",
    })
  ).id;

export type Paying = {
  body?: unknown;
  /** The credential's payload. Default: a new token. */
  with?: Record<string, unknown>;
  headers?: Record<string, string>;
};

export const pathOf = (pack: Pack) => `/api/mpp/v1/credits/${pack}`;

/** A call with the key in X-Api-Key. */
export const ask = (client: Client, pack: Pack, { body, headers }: Paying = {}): Exchange =>
  client.post(pathOf(pack), body, { headers: { "x-api-key": client.key ?? "", ...headers } });

/** The call that pays a challenge, in the spec's own shape. */
export const pay = (client: Client, pack: Pack, challenge: string, { with: means, ...more }: Paying = {}): Exchange =>
  ask(client, pack, {
    ...more,
    headers: {
      authorization: `Payment payload=${base64url({ challenge_id: challenge, ...(means ?? { shared_payment_token: newToken() }) })}`,
      ...more.headers,
    },
  });

/** A fresh challenge's id. */
export async function challenged(client: Client, pack: Pack, paying: Paying = {}): Promise<string> {
  return challengeOf(await ask(client, pack, paying).expect(402, "payment_required")).id!;
}

/** Requests a challenge and pays it. */
export async function buy(client: Client, pack: Pack, paying: Paying = {}): Promise<Reply> {
  return pay(client, pack, await challenged(client, pack, paying), paying);
}

/** Stores a workspace's card, as if its owner had saved it on the processor's page. */
export async function giveCard(
  emulator: StripeEmulator,
  { sql, workspace }: World,
  name = "pm_card_visa",
): Promise<void> {
  const customer = await atProcessor(emulator, "POST /v1/customers");
  const card = await atProcessor(emulator, `POST /v1/payment_methods/${name}/attach`, { customer: customer.id });
  await sql(
    `insert into saved_card (workspace_id, customer, payment_method, updated_at) values ($1, $2, $3, now())
     on conflict (workspace_id) do update set customer = excluded.customer, payment_method = excluded.payment_method`,
    [workspace.id, customer.id, card.id],
  );
}

export const topup = (client: Client) => balances(client).then(({ topup_balance }) => topup_balance);

export const balances = async (client: Client): Promise<Record<string, number>> =>
  (await client.get("W/usage").expect(200)).data.ai_credits;

/** In the whole database every balance equals the sum of its entries, and every charge is granted once. */
export async function expectBalanced({ sql }: Pick<World, "sql">): Promise<void> {
  expect(await sql(UNBALANCED)).toEqual([]);
  expect(
    await sql(`
      select p.id from purchase p
      where (p.granted_at is not null) <> exists (
        select 1 from credit_entry e where e.purchase_id = p.id and e.kind = 'purchase' and e.amount = p.credits)
      or (select count(*) from credit_entry e where e.purchase_id = p.id and e.kind = 'purchase') > 1
      or (p.granted_at is not null and p.state <> 'succeeded')`),
  ).toEqual([]);
}
