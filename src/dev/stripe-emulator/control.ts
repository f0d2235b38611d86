import { z } from "zod";
import { completeSession } from "./checkout.ts";
import { endProcessing } from "./confirm.ts";
import { closeDispute, openDispute } from "./disputes.ts";
import { Fault, type Faults } from "./faults.ts";
import type { Kind, Objects } from "./objects.ts";
import { failRefund } from "./refunds.ts";
import { noSuch } from "./refusal.ts";
import type { Webhooks } from "./webhooks.ts";
import type { World } from "./world.ts";

/** A received request, and the status of its reply (null: the connection was dropped or left open). */
export type Logged = {
  method: string;
  path: string;
  query: string;
  body: string;
  version: string | null;
  idempotencyKey: string | null;
  status: number | null;
  replayed: boolean;
};

/**
 * The charges for one value of a metadata field: number of successful charges, amount charged and amount returned, in
 * cents.
 */
export type Captured = { charges: number; amount: number; refunded: number };

export type Control = ReturnType<typeof openControl>;

const Nothing = z.strictObject({});

/**
 * Controls without an equivalent in Stripe's API: faults, and events caused by banks, people and time. Every action
 * is a function here and `POST /_control/<name>` with the same JSON.
 */
export function openControl({ world, faults, webhooks, requests }: Parts) {
  const { store } = world;
  const of = <K extends Kind>(kind: K, id: string): Objects[K] => {
    const object = store.get(kind, id);
    if (!object) throw noSuch(kind, id, "id", 404);
    return object;
  };

  return {
    fault: action(Fault, (fault) => faults.add(fault)),
    clearFaults: action(Nothing, () => faults.clear()),
    faults: action(Nothing, () => faults.left()),

    endpoint: action(z.strictObject({ url: z.url().nullable(), secret: z.string().default("") }), ({ url, secret }) =>
      webhooks.setEndpoint(url === null ? null : { url, secret }),
    ),
    holdEvents: action(Nothing, () => webhooks.hold()),
    releaseEvents: action(z.strictObject({ reverse: z.boolean().default(false) }), (how) => webhooks.release(how)),
    discardEvents: action(Nothing, () => webhooks.discard()),
    /** An event's id, or a type for all events of that type. */
    resend: action(z.strictObject({ event: z.string() }), ({ event }) => webhooks.resend(event)),
    attempts: action(Nothing, () => webhooks.attempts),
    idle: action(Nothing, () => webhooks.idle()),

    /** A person presses the button of the page that saves a card. */
    completeSession: action(z.strictObject({ session: z.string(), card: z.string().optional() }), ({ session, card }) =>
      completeSession(world, session, card),
    ),
    /** Ends a payment in `processing`. */
    endProcessing: action(
      z.strictObject({ payment_intent: z.string(), outcome: z.enum(["succeeded", "failed"]).default("succeeded") }),
      ({ payment_intent, outcome }) => endProcessing(world, of("payment_intent", payment_intent), outcome),
    ),
    dispute: action(
      z.strictObject({
        payment_intent: z.string(),
        amount: z.number().int().min(1).optional(),
        reason: z.string().optional(),
        inquiry: z.boolean().optional(),
      }),
      ({ payment_intent, ...how }) =>
        openDispute(world, of("charge", of("payment_intent", payment_intent).latest_charge ?? ""), how),
    ),
    closeDispute: action(
      z.strictObject({ dispute: z.string(), status: z.enum(["won", "lost"]) }),
      ({ dispute, status }) => closeDispute(world, of("dispute", dispute), status),
    ),
    failRefund: action(z.strictObject({ refund: z.string() }), ({ refund }) => failRefund(world, of("refund", refund))),

    /** Charges, newest first, with the idempotency key of their intent. */
    charges: action(Nothing, () =>
      store.all("charge").map((charge) => ({
        ...charge,
        idempotency_key: store.get("payment_intent", charge.payment_intent)?._key ?? null,
      })),
    ),
    captured: action(z.strictObject({ by: z.string().default("challenge_id") }), ({ by }) => {
      const totals: Record<string, Captured> = {};
      for (const { metadata, status, amount_captured, amount_refunded } of store.all("charge")) {
        if (status !== "succeeded") continue;
        totals[metadata[by] ?? ""] ??= { charges: 0, amount: 0, refunded: 0 };
        const total = totals[metadata[by] ?? ""] as Captured;
        total.charges += 1;
        total.amount += amount_captured;
        total.refunded += amount_refunded;
      }
      return totals;
    }),
    requests: action(Nothing, () => requests),

    reset: action(Nothing, () => {
      store.clear();
      store.changed();
      faults.clear();
      webhooks.clear();
      requests.length = 0;
    }),
  };
}

type Parts = { world: World; faults: Faults; webhooks: Webhooks; requests: Logged[] };

/** Without input if no field is required. */
type Action<Input, Output> = Record<never, never> extends Input ? (input?: Input) => Output : (input: Input) => Output;

/** Over HTTP the input is untyped; within the process it is typed. Both are validated, so that defaults apply. */
const action = <Schema extends z.ZodType, Output>(schema: Schema, run: (input: z.output<Schema>) => Output) =>
  ((input = {}) => run(schema.parse(input))) as Action<z.input<Schema>, Output>;
