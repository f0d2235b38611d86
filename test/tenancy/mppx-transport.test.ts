import { setTimeout as sleep } from "node:timers/promises";
import { Mppx, stripe } from "mppx/client";
import { expect, test } from "vitest";
import { app, configure } from "../support/app.ts";
import { expectBalanced, grantedToken, notifyAt, pathOf, quiet, topup } from "../support/buyer.ts";
import { emulator, prepareFaults, start } from "../support/faulty.ts";
import type { Process } from "../support/process.ts";
import { type Random, seeded } from "../support/random.ts";
import { sampled } from "../support/sample.ts";
import { type World, world } from "../support/world.ts";

/**
 * The stock client of the Payment scheme behind a network that repeats, drops and reorders calls, with web processes
 * that die and a processor that misbehaves, without an Idempotency-Key: one purchase is one charge.
 */

await prepareFaults();
const UNLIMITED = { CHALLENGES_PER_MINUTE: "1000" };
configure(UNLIMITED);

/** What the network does with a call, and how often. */
const FATES = {
  plain: 3,
  /** The service never hears of it. */
  "lost on the way": 1,
  /** The service has done it, and nobody hears of that. */
  "answer lost": 2,
  /** The connection breaks at some moment. */
  cut: 2,
  /** The service hears of it several times at once, or one after the other, and the client of any of the answers. */
  "sent at once": 2,
  "sent again": 2,
  /** One more copy arrives when the client is past it. */
  "overtaken copy": 2,
} as const;
const DECK = Object.entries(FATES).flatMap(([fate, times]) =>
  Array<keyof typeof FATES>(times).fill(fate as keyof typeof FATES),
);

/** A network that tries again until it has an answer, as proxies and clients do; 429 and 503 say to come again. */
function network(random: Random, bases: () => string[]) {
  const stragglers: Promise<unknown>[] = [];
  const transport = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const path = new URL(String(input)).pathname;
    const send = async (signal?: AbortSignal) => {
      const response = await fetch(random.pick(bases()) + path, { ...init, signal: signal ?? null });
      return { status: response.status, headers: response.headers, text: await response.text() };
    };
    const attempts: Record<keyof typeof FATES, () => Promise<Awaited<ReturnType<typeof send>> | null>> = {
      plain: send,
      "lost on the way": async () => null,
      "answer lost": () => send().then(() => null),
      cut: () => send(AbortSignal.timeout(random.below(400))),
      "sent at once": async () => random.pick(await Promise.all([send(), send(), send()])),
      "sent again": async () => random.pick([await send(), await send()]),
      "overtaken copy": async () => {
        const late = sleep(random.below(3_000)).then(() => send());
        stragglers.push(late.catch(() => null));
        return send();
      },
    };
    for (const end = Date.now() + 45_000; Date.now() < end; await sleep(50 + random.below(150))) {
      const answer = await attempts[random.pick(DECK)]().catch(() => null);
      if (!answer || answer.status === 429 || answer.status >= 500) continue;
      // Without the address of the process that answered, which the client would take for another site.
      return new Response(answer.text, { status: answer.status, headers: answer.headers });
    }
    throw new Error("The network never got an answer.");
  };
  return { transport, settled: () => Promise.all(stragglers) };
}

/** What goes wrong at the processor; most charges go through. */
function misbehave(random: Random): void {
  const when = random.pick(["before", "after"] as const);
  const faults = [
    { action: "error", when } as const,
    { action: "drop", when } as const,
    { action: "delay", when, delay_ms: random.below(1_500) } as const,
    { action: "decline" } as const,
  ];
  emulator.fault(random.pick(faults));
}

/** Kills, freezes and starts processes until stopped. */
async function torment(random: Random, processes: { web: Process; worker: Process }, stopping: AbortSignal) {
  const again = (name: "web" | "worker") => start(name, UNLIMITED);
  while (!stopping.aborted) {
    await sleep(500 + random.below(1_500));
    misbehave(random);
    const name = random.pick(["web", "web", "worker"] as const);
    if (random.below(3) === 0) {
      processes[name].child.kill("SIGSTOP");
      await sleep(random.below(1_500));
      processes[name].child.kill("SIGCONT");
    } else if (random.below(2) === 0) {
      await processes[name].kill();
      processes[name] = await again(name);
    }
  }
}

const SEEDS = process.env.TRANSPORT_SEED
  ? [Number(process.env.TRANSPORT_SEED)]
  : sampled([0, 1, 2], 1).map((n) => (Date.now() + n) % 2 ** 31);
const [BUYERS, PURCHASES] = [4, 6];

test.each(SEEDS)(
  "one purchase of the stock client is one charge, whatever the network does (TRANSPORT_SEED=%i)",
  async (seed) => {
    const random = seeded(seed);
    const { baseUrl } = await app();
    const processes = { web: await start("web", UNLIMITED), worker: await start("worker", UNLIMITED) };
    notifyAt(emulator, baseUrl);
    const stopping = new AbortController();
    const tormented = torment(random, processes, stopping.signal);
    const { transport, settled } = network(random, () => [baseUrl, processes.web.url]);

    const buyer = async (here: World) => {
      const createToken = () => grantedToken(emulator, "pm_card_visa");
      const client = Mppx.create({
        polyfill: false,
        fetch: transport as typeof fetch,
        methods: [stripe({ paymentMethod: "pm_card_visa", createToken })],
      });
      const ends: number[] = [];
      for (let purchase = 0; purchase < PURCHASES; purchase++) {
        const headers = { "X-Api-Key": here.owner.key ?? "" };
        const reply = await client.fetch(baseUrl + pathOf("small"), { method: "POST", headers });
        ends.push(reply.status);
      }
      return ends;
    };
    const buyers = await Promise.all(Array.from({ length: BUYERS }, () => world()));
    const ends = await Promise.all(buyers.map(buyer));
    stopping.abort();
    await tormented;
    await settled();
    emulator.clearFaults();

    for (const [n, here] of buyers.entries()) {
      const paid = ends[n]!.filter((status) => status === 200).length;
      // A decline three times in a row is the only other end.
      for (const status of ends[n]!) expect([200, 402]).toContain(status);
      expect(chargesOf(here), `buyer ${n} of seed ${seed}: ${ends[n]!.join(" ")}`).toBe(paid);
      await expect.poll(() => topup(here.owner), { timeout: 20_000 }).toBe(paid * 2_000);
      await quiet(here);
      await expectBalanced(here);
    }
  },
  240_000,
);

/** Charges that were kept; each challenge was charged once at most. */
function chargesOf({ workspace }: World): number {
  for (const { charges } of Object.values(emulator.captured())) expect(charges).toBe(1);
  return emulator
    .charges()
    .filter(
      ({ status, metadata, refunded }) => status === "succeeded" && metadata.workspace_id === workspace.id && !refunded,
    ).length;
}
