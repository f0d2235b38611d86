import type { Behaviour } from "./cards.ts";
import type { Form } from "./form.ts";
import type { Kind, Objects } from "./objects.ts";
import type { Store } from "./store.ts";

/** What every part of the emulator works with. */
export type World = {
  store: Store;
  /** Unix seconds. */
  now(): number;
  /** Records that something happened to an object and tells the webhook endpoint. */
  emit(type: string, object: Objects[Exclude<Kind, "event">], cause?: Cause): void;
  /** Where the emulator is reached. */
  url: string;
  /** A payment in `processing` succeeds after this time; undefined: when the control surface says so. */
  settleAfterMs: number | undefined;
};

/** The request that made something happen. */
export type Cause = { requestId: string; key: string | null };

/** One call of the API. */
export type Call = Cause & {
  world: World;
  /** Parameters of the body or, without one, of the query. `expand` is taken care of elsewhere. */
  form: Form;
  /** The id in the path, or empty. */
  id: string;
  /** Stripe-Version. */
  version: string;
  path: string;
  /** Set by a fault: the card behaves like this, whatever it is. */
  forced: Behaviour | undefined;
  /** Set by a handler: the work is done, but the caller never hears of it. */
  silent: boolean;
};

export type Handler = (call: Call) => unknown;
