import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Challenge, Receipt } from "mppx";
import { Mppx, stripe } from "mppx/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../../src/dev/ports.ts";
import { startWeb } from "../../src/start-web.ts";
import { startWorker } from "../../src/start-worker.ts";
import { app } from "../support/app.ts";
import { balances, cardProcessor, expectBalanced, notifyAt, type Pack, pathOf } from "../support/buyer.ts";
import { inheritedEnv } from "../support/compiled.ts";
import { world } from "../support/world.ts";

/** The stock client of the Payment scheme, as it comes from the registry, against the running service. */

const emulator = await cardProcessor();
const TOKENS = `${emulator.url}/v1/test_helpers/shared_payment/granted_tokens`;

let base = "";
const stops: (() => Promise<void>)[] = [];
beforeAll(async () => {
  const { config } = await app();
  // Documents name the address that they are read from, as in earnest.
  const port = await freePort();
  base = `http://127.0.0.1:${port}`;
  const web = await startWeb({ ...config, PORT: port, BASE_URL: base });
  stops.push(web.stop, (await startWorker(config)).stop);
  notifyAt(emulator, base);
});
afterAll(async () => {
  await emulator.idle();
  for (const stop of stops.reverse()) await stop();
});

/** Asks for a token that pays no more than the challenge says, as a buyer's wallet does. */
async function createToken(asked: { amount: string; currency: string; expiresAt: number }, minted: string[]) {
  const response = await fetch(TOKENS, {
    method: "POST",
    headers: { authorization: "Bearer sk_test_wallet", "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({
      payment_method: "pm_card_visa",
      "usage_limits[currency]": asked.currency,
      "usage_limits[max_amount]": asked.amount,
      "usage_limits[expires_at]": String(asked.expiresAt),
    }),
  });
  expect(response.status).toBe(200);
  const { id } = (await response.json()) as { id: string };
  minted.push(id);
  return id;
}

function client(minted: string[]) {
  return Mppx.create({
    polyfill: false,
    maxPaymentRetries: 1,
    methods: [stripe({ paymentMethod: "pm_card_visa", createToken: (asked) => createToken(asked, minted) })],
  });
}

const PACKS: [pack: Pack, credits: number, body: unknown][] = [
  ["small", 2_000, undefined],
  ["medium", 5_500, undefined],
  ["large", 12_000, undefined],
  ["custom", 3_000, { credits: 3_000 }],
];

describe.each([
  ["X-Api-Key", (key: string) => ({ "X-Api-Key": key }), undefined],
  [
    "Bearer, through Payment-Authorization",
    (key: string) => ({ Authorization: `Bearer ${key}` }),
    "Payment-Authorization",
  ],
])("with the key as %s", (_, headersOf, field) => {
  test.each(PACKS)("it buys the %s pack", async (pack, credits, body) => {
    const here = await world();
    const headers = { ...headersOf(here.owner.key ?? ""), "content-type": "application/json" };
    const call = { method: "POST", headers, ...(body ? { body: JSON.stringify(body) } : {}) };

    const unpaid = await fetch(base + pathOf(pack), call);
    const challenge = Challenge.fromResponse(unpaid);
    expect(challenge).toMatchObject({ method: "stripe", intent: "charge", realm: "127.0.0.1" });
    expect(challenge.header).toBe(field);

    const minted: string[] = [];
    const paid = await client(minted).fetch(base + pathOf(pack), call);
    const { data } = (await paid.json()) as { data: Record<string, unknown> };
    expect(`${paid.status} ${data.credits_status}`).toBe("200 granted");
    expect(minted).toHaveLength(1);
    const receipt = Receipt.fromResponse(paid);
    expect(receipt).toMatchObject({ method: "stripe", status: "success", credits, pack, purchaseId: data.id });
    expect(await balances(here.owner)).toMatchObject({ topup_balance: credits });
    await expectBalanced(here);
  });
});

test("a declined card uses up one token and gives no receipt", async () => {
  const { owner } = await world();
  const minted: string[] = [];
  const decline = { action: "decline" as const };
  emulator.fault(decline);
  emulator.fault(decline);
  const refused = await client(minted).fetch(base + pathOf("small"), {
    method: "POST",
    headers: { "X-Api-Key": owner.key ?? "" },
  });
  expect(refused.status).toBe(402);
  expect(minted).toHaveLength(1);
  emulator.clearFaults();
  expect(await balances(owner)).toMatchObject({ topup_balance: 0 });
});

test("mppx validate passes", async () => {
  const here = await world();
  const bin = join(dirname(createRequire(import.meta.url).resolve("mppx/cli")), "..", "bin.js");
  const { code, output } = await run(bin, ["validate", base, "-H", `X-Api-Key: ${here.owner.key}`, "--yes"]);
  expect(output).toMatch(/Paid endpoints found \(4 /);
  // Its malformed credential comes without a key, and keys come first; it warns that we say 401 then.
  expect(output).toMatch(/Summary: \d+ passed, 4 warning\(s\)\s*$/);
  expect(output).not.toMatch(/[1-9]\d* failed/);
  expect(code, output).toBe(0);
  // It pays each of the four packs.
  expect(await balances(here.owner)).toMatchObject({ topup_balance: 2_000 + 5_500 + 12_000 + 500 });
  await expectBalanced(here);
}, 120_000);

function run(file: string, parameters: string[]): Promise<{ code: number; output: string }> {
  const env = {
    ...inheritedEnv(),
    HOME: process.env.HOME,
    NO_COLOR: "1",
    MPPX_STRIPE_SECRET_KEY: "sk_test_wallet",
    MPPX_STRIPE_SPT_URL: TOKENS,
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [file, ...parameters], { env, timeout: 100_000 }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr });
    });
  });
}
