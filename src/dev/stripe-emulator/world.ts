import type { Behaviour } from "./cards.ts";
import type { Form } from "./form.ts";
import type { Kind, Objects } from "./objects.ts";
import type { Store } from "./store.ts";

/** The context of all parts of the emulator. */
export type World = {
  store: Store;
  /** Unix seconds. */
  now(): number;
  /** Records an event about an object and sends it to the webhook endpoint. */
  emit(type: string, object: Objects[Exclude<Kind, "event">], cause?: Cause): void;
  /** The emulator's base address. */
  url: string;
  /** A payment in `processing` succeeds after this time. Undefined: when the control `endProcessing` is called. */
  processingMs: number | undefined;
};

/** The request that caused the event. */
export type Cause = { requestId: string; key: string | null };

/** One call of the API. */
export type Call = Cause & {
  world: World;
  /** Parameters of the body or, without one, of the query. Another layer handles `expand`. */
  form: Form;
  /** The id in the path, or empty. */
  id: string;
  /** Stripe-Version. */
  version: string;
  path: string;
  /** Set by a fault: the card behaves like this, whichever it is. */
  forced: Behaviour | undefined;
  /** Set by a handler: the work is done, but the caller gets no reply. */
  silent: boolean;
};

export type Handler = (call: Call) => unknown;
