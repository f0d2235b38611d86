import { fromBase64Url, toBase64Url } from "./base64.ts";
import type { PaymentChallenge } from "./generated/schema.ts";
import { MusterProblem } from "./problem.ts";

/** What is asked for. Amounts are in the currency's minor unit. */
export type PaymentRequest = PaymentChallenge & {
  /** The scheme's own request. Its `methodDetails` say for whom a payment token is made out. */
  request: { methodDetails?: { networkId?: string; paymentMethodTypes?: string[] } } & Record<string, unknown>;
  /** With it and the credential, the purchase can be continued by another process. */
  idempotencyKey: string;
};

export type PaymentMeans = { shared_payment_token: string } | { use_saved_card: true };

/** A way to pay for one challenge. */
export type PaymentCredential = { challenge_id: string } & PaymentMeans;

export type Pack = "small" | "medium" | "large";

export type PaymentOptions = {
  /** Returns what to pay with. It is asked once for each purchase, and may ask a person. */
  pay: (asked: PaymentRequest) => PaymentMeans | Promise<PaymentMeans>;
  /** The most that one purchase may cost, in cents of USD. */
  maxAmount?: number;
  /** The most that all purchases of this client may cost, in cents of USD. */
  maxTotal?: number;
  /** Buys this pack when a call is refused with `credits_exhausted`, and then repeats the call once. */
  refill?: Pack;
};

/** The price is above the limits. Nothing was paid. */
export class MusterPaymentRefused extends Error {
  override readonly name = "MusterPaymentRefused";
  readonly challenge: PaymentChallenge;

  constructor(message: string, challenge: PaymentChallenge) {
    super(message);
    this.challenge = challenge;
  }
}

/**
 * Whether the payment has succeeded is not known yet. Repeat the same call with this `credential` and
 * `idempotencyKey`: it is charged at most once. A call without them may charge again.
 */
export class MusterPaymentUnknown extends Error {
  override readonly name = "MusterPaymentUnknown";
  readonly credential: PaymentCredential;
  readonly idempotencyKey: string;

  constructor(credential: PaymentCredential, idempotencyKey: string, cause: unknown) {
    super("Whether the payment has succeeded is not known yet. Repeat the call with the same credential.", { cause });
    this.credential = credential;
    this.idempotencyKey = idempotencyKey;
  }
}

/** Pays for calls within the limits. */
export class Payments {
  readonly #options: PaymentOptions;
  #total = 0;
  #refilling: Promise<void> | undefined;
  /** The last refill, if its outcome is not known. */
  #unknown: MusterPaymentUnknown | null = null;

  constructor(options: PaymentOptions) {
    this.#options = options;
  }

  get refill(): Pack | undefined {
    return this.#options.refill;
  }

  /** Pays a challenge, and sends the call again with the credential. */
  async pay<Result>(
    problem: MusterProblem,
    idempotencyKey: string,
    send: (credential: PaymentCredential) => Promise<Result>,
  ): Promise<Result> {
    const challenge = problem.document.challenge as PaymentChallenge;
    const amount = this.#reserve(challenge);
    try {
      const request = requestIn(problem.headers);
      const means = await this.#options.pay({ ...challenge, request, idempotencyKey });
      return await paying({ challenge_id: challenge.challenge_id, ...means }, idempotencyKey, send);
    } catch (error) {
      if (!(error instanceof MusterPaymentUnknown)) this.#total -= amount;
      throw error;
    }
  }

  /**
   * Calls that run out of credits at the same time buy once.
   * @param buy continues the given purchase, if there is one
   */
  async refilled(buy: (unknown: MusterPaymentUnknown | null) => Promise<void>): Promise<void> {
    this.#refilling ??= this.#refill(buy).finally(() => {
      this.#refilling = undefined;
    });
    await this.#refilling;
  }

  async #refill(buy: (unknown: MusterPaymentUnknown | null) => Promise<void>): Promise<void> {
    try {
      await buy(this.#unknown);
      this.#unknown = null;
    } catch (error) {
      this.#unknown = error instanceof MusterPaymentUnknown ? error : null;
      throw error;
    }
  }

  /** @throws MusterPaymentRefused */
  #reserve(challenge: PaymentChallenge): number {
    const { maxAmount = Number.POSITIVE_INFINITY, maxTotal = Number.POSITIVE_INFINITY } = this.#options;
    const { amount: text, currency } = challenge;
    const amount = Number(text);
    const price = `${text} ${currency} (minor units)`;
    if (!(amount >= 0) || currency.toUpperCase() !== "USD") {
      throw new MusterPaymentRefused(`The limits are in USD, and the price is ${price}.`, challenge);
    }
    if (amount > maxAmount) throw new MusterPaymentRefused(`The price ${price} is above maxAmount.`, challenge);
    if (this.#total + amount > maxTotal) {
      throw new MusterPaymentRefused(`With ${price} the purchases would be above maxTotal.`, challenge);
    }
    this.#total += amount;
    return amount;
  }
}

/**
 * Statuses with which the service says that this payment was not made. Others tell nothing about an earlier attempt whose
 * reply was lost, and an answer of a proxy tells nothing at all.
 */
const NOT_PAID = new Set([400, 402, 409]);

const isOutcome = (error: unknown): boolean =>
  error instanceof MusterProblem && NOT_PAID.has(error.status) && "code" in error.document;

/** @throws MusterPaymentUnknown if the call ends without an outcome */
export async function paying<Result>(
  credential: PaymentCredential,
  idempotencyKey: string,
  send: (credential: PaymentCredential) => Promise<Result>,
): Promise<Result> {
  try {
    return await send(credential);
  } catch (error) {
    if (isOutcome(error)) throw error;
    throw new MusterPaymentUnknown(credential, idempotencyKey, error);
  }
}

/** Beside the key, which is in Authorization. */
export const paymentHeader = (credential: PaymentCredential): Record<string, string> => ({
  "Payment-Authorization": `Payment payload=${toBase64Url(JSON.stringify(credential))}`,
});

/** The `request` of a challenge in WWW-Authenticate. */
function requestIn(headers: Headers): PaymentRequest["request"] {
  const encoded = /\brequest="([\w-]+)"/.exec(headers.get("www-authenticate") ?? "")?.[1];
  return encoded ? JSON.parse(new TextDecoder().decode(fromBase64Url(encoded))) : {};
}
