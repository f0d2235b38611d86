import { z } from "zod";

/** A deliberate fault for coming requests. */
export const Fault = z.strictObject({
  action: z
    .enum(["delay", "error", "drop", "decline"])
    .describe("delay: only wait. error: answer `status`. drop: close the connection. decline: the card refuses."),
  when: z.enum(["before", "after"]).default("before").describe("Before or after the request has been carried out."),
  delay_ms: z.number().int().min(0).default(0),
  status: z.number().int().min(400).max(599).default(500),
  decline_code: z.string().default("generic_decline"),
  on: z
    .string()
    .default("charge")
    .describe(
      '`charge`: creating or confirming payment intents; else a method and the beginning of a path: "GET /v1/".',
    ),
  times: z.union([z.number().int().min(1), z.literal("always")]).default(1),
});
export type Fault = z.output<typeof Fault>;

export type Faults = ReturnType<typeof openFaults>;

/** Faults form a queue. Each request takes the first one that matches it. */
export function openFaults() {
  let waiting: Fault[] = [];

  return {
    add(fault: Fault) {
      waiting.push({ ...fault });
    },

    clear() {
      waiting = [];
    },

    left: () => waiting,

    /** @param replayed the reply is stored already, so only the connection can still fail */
    take(method: string, path: string, replayed: boolean): Fault | undefined {
      const fault = waiting.find(
        ({ on, action }) => meant(on, method, path) && (!replayed || action === "drop" || action === "delay"),
      );
      if (fault && fault.times !== "always") fault.times -= 1;
      waiting = waiting.filter(({ times }) => times !== 0);
      return fault;
    },
  };
}

const meant = (on: string, method: string, path: string) =>
  on === "charge"
    ? method === "POST" && /^\/v1\/payment_intents(\/\w+\/confirm)?$/.test(path)
    : `${method} ${path}`.startsWith(on);
