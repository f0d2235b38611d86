import type { PaymentCredential, PaymentOptions } from "./payment.ts";
import type { Limits } from "./retries.ts";

export type MusterOptions = Partial<Limits> & {
  /** Address of the service, such as `https://muster.example`. */
  url: string;
  /** An API key or access token. A function is asked before each attempt, so it may refresh a token. */
  key: string | (() => string | Promise<string>);
  /** Slug of the workspace. Default: the one that the key belongs to, asked once. */
  workspace?: string;
  /** How to pay when a call for credits is answered with 402. */
  payment?: PaymentOptions;
  /** Replaces the global `fetch`, such as for a proxy. */
  fetch?: typeof fetch;
};

export type CallOptions = Partial<Limits> & {
  /** Ends the call with the signal's reason. */
  signal?: AbortSignal;
  /** Default: a new one for each call that writes, the same for all its attempts. `null` sends none: no retries. */
  idempotencyKey?: string | null;
  /** The `etag` of the object as you know it. If it has changed since: 412 `precondition_failed`. */
  ifMatch?: string;
  /** Fields that the service does not know give a warning instead of a refusal. */
  lenient?: boolean;
  /** Pays with it at once. It continues a purchase that was interrupted, together with its `idempotencyKey`. */
  credential?: PaymentCredential;
  headers?: Record<string, string>;
};
