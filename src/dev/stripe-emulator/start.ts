import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { openApi } from "./api.ts";
import { endProcessingAfterDelay } from "./confirm.ts";
import { type Control, type Logged, openControl } from "./control.ts";
import { openFaults } from "./faults.ts";
import { openHttp } from "./http.ts";
import { openStore } from "./store.ts";
import { openWebhooks } from "./webhooks.ts";
import type { World } from "./world.ts";

export type EmulatorOptions = {
  /** Default: a free port. */
  port?: number;
  /** Address for events. Without it they are only listed. */
  webhookUrl?: string;
  webhookSecret?: string;
  /** Delays between attempts to deliver an event, in milliseconds. */
  webhookRetryMs?: number[];
  /** A payment in `processing` succeeds after this time. Default: when the control `endProcessing` is called. */
  processingMs?: number;
  /** File that keeps the state over a restart. Without it a restart loses cards, payments and idempotency keys. */
  stateFile?: string;
};

export type StripeEmulator = Control & {
  /** The API base for the card processor. */
  url: string;
  port: number;
  stop(): Promise<void>;
};

const RETRY_MS = [500, 2_000, 5_000, 15_000, 60_000, 300_000];

/**
 * Starts an emulator on loopback of the part of Stripe's HTTP API that this service uses, for development and tests:
 * payment intents, shared payment tokens, saved cards, refunds, disputes, idempotency and signed webhooks.
 */
export async function startStripeEmulator(options: EmulatorOptions = {}): Promise<StripeEmulator> {
  const { port = 0, webhookUrl, webhookSecret = "", webhookRetryMs = RETRY_MS, processingMs, stateFile } = options;
  const now = () => Math.floor(Date.now() / 1000);
  const store = openStore(stateFile);
  const faults = openFaults();
  const requests: Logged[] = [];
  const webhooks = openWebhooks({
    store,
    now,
    endpoint: endpointOf(webhookUrl, webhookSecret),
    retryMs: webhookRetryMs,
  });
  const world: World = { store, now, emit: webhooks.emit, url: "", processingMs };
  const control = openControl({ world, faults, webhooks, requests });
  const server = createServer(openHttp({ world, control, serve: openApi(world, faults), requests }));

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const listening = (server.address() as AddressInfo).port;
  world.url = `http://127.0.0.1:${listening}`;
  webhooks.resume();
  for (const intent of store.all("payment_intent"))
    if (intent.status === "processing") endProcessingAfterDelay(world, intent);

  return {
    ...control,
    url: world.url,
    port: listening,

    /** Ends at once and aborts requests in progress. */
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await Promise.all([closed, webhooks.stop()]);
      store.flush();
    },
  };
}

const endpointOf = (url: string | undefined, secret: string) => (url === undefined ? undefined : { url, secret });
