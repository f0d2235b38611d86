import { Call, type Reply } from "./call.ts";
import { EventStream, type Opening, type StreamOptions } from "./event-stream.ts";
import type { Pagination, PaymentReceipt, Purchase, Warning } from "./generated/schema.ts";
import { List, type Page } from "./list.ts";
import type { CallOptions, MusterOptions } from "./options.ts";
import { type MusterPaymentUnknown, type Pack, Payments, paying } from "./payment.ts";
import { MusterProblem } from "./problem.ts";
import { isGenuineReceipt, type SigningKey } from "./receipt.ts";
import type { Received } from "./retries.ts";
import type { Frame } from "./sse-parser.ts";
import { type Request, Transport } from "./transport.ts";

/** Makes calls, lists and streams of requests, and pays where a call asks for it. */
export class Connection {
  readonly #transport: Transport;
  readonly #payments: Payments | null;

  constructor(options: MusterOptions) {
    this.#transport = new Transport(options);
    this.#payments = options.payment ? new Payments(options.payment) : null;
  }

  call<Data>(
    method: string,
    path: string,
    names: readonly string[],
    inputs: { body?: unknown; query?: object },
    options: CallOptions = {},
  ): Call<Data> {
    return new Call(this.#paid<Data>({ method, path, names, ...inputs }, options));
  }

  list<Row>(path: string, names: readonly string[], query: object = {}, options: CallOptions = {}): List<Row> {
    const { cursor: start, ...rest } = query as { cursor?: string };
    const fetchPage = async (cursor: string | undefined): Promise<Page<Row>> => {
      const request = { method: "GET", path, names, query: { ...rest, cursor } };
      const { reply, pagination } = await this.#json<Row[]>(request, options);
      return { ...reply, nextCursor: pagination?.next_cursor ?? null };
    };
    return new List(fetchPage, start);
  }

  /** An object or a list in another format than JSON. */
  blob(
    path: string,
    names: readonly string[],
    accept: string,
    inputs: { query?: object },
    options: CallOptions = {},
  ): Call<Blob> {
    const get = async (): Promise<Reply<Blob>> => {
      const received = await this.#transport.send({ method: "GET", path, names, accept, ...inputs }, options);
      return replyOf(received, received.body, []);
    };
    return new Call(get());
  }

  stream<Event>(
    path: string,
    names: readonly string[],
    read: (frame: Frame) => Event | null,
    options: StreamOptions = {},
  ): EventStream<Event> {
    const connect = ({ headers, query, signal }: Opening) =>
      this.#transport.open({ path, names, query }, { headers, signal });
    return new EventStream({ connect, read }, options);
  }

  /** Whether the service has signed a receipt, by the keys that it publishes. */
  async isGenuine(receipt: PaymentReceipt): Promise<boolean> {
    const { signing_keys } = (await this.#transport.document("/.well-known/ucp")) as { signing_keys: SigningKey[] };
    return isGenuineReceipt(receipt, signing_keys);
  }

  /** Sends a call. If it asks for a payment, or for credits, and there is a way to pay: pays and sends it again. */
  async #paid<Data>(
    request: Request,
    given: CallOptions,
    refill = this.#payments?.refill ?? null,
  ): Promise<Reply<Data>> {
    const payments = this.#payments;
    if (given.credential) return this.#continued(request, given);
    if (!payments || request.method === "GET") return (await this.#json<Data>(request, given)).reply;
    const options = { ...given, idempotencyKey: given.idempotencyKey ?? crypto.randomUUID() };
    const send = async (more?: CallOptions) => (await this.#json<Data>(request, { ...options, ...more })).reply;
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof MusterProblem)) throw error;
      if (error.code === "payment_required") {
        return payments.pay(error, options.idempotencyKey, (credential) => send({ credential }));
      }
      if (error.code !== "credits_exhausted" || !refill) throw error;
      await payments.refilled((unknown) => this.#buy(refill, unknown));
      return send();
    }
  }

  /** Goes on with a purchase whose outcome is not known. */
  #continued<Data>(request: Request, options: CallOptions): Promise<Reply<Data>> {
    const idempotencyKey = options.idempotencyKey ?? crypto.randomUUID();
    return paying(options.credential!, idempotencyKey, async (credential) => {
      return (await this.#json<Data>(request, { ...options, idempotencyKey, credential })).reply;
    });
  }

  /** A purchase itself never waits for another one. One whose outcome is not known is continued before the next. */
  async #buy(pack: Pack, unknown: MusterPaymentUnknown | null): Promise<void> {
    const request = { method: "POST", path: `/api/mpp/v1/credits/${pack}`, names: [], body: {} };
    if (unknown) {
      const { credential, idempotencyKey } = unknown;
      const isPaid = await this.#continued(request, { credential, idempotencyKey }).then(
        () => true,
        (error) => {
          if (error instanceof MusterProblem) return false;
          throw error;
        },
      );
      if (isPaid) return;
    }
    await this.#paid<Purchase>(request, {}, null);
  }

  async #json<Data>(request: Request, options: CallOptions) {
    const received = await this.#transport.send(request, options);
    const { data, warnings, pagination } = received.json as Envelope<Data>;
    return { reply: replyOf(received, data, warnings ?? []), pagination };
  }
}

type Envelope<Data> = { data: Data; warnings?: Warning[]; pagination?: Pagination };

const replyOf = <Data>({ status, headers }: Received, data: Data, warnings: Warning[]): Reply<Data> => ({
  ...{ data, status, warnings, headers },
  etag: headers.get("etag"),
  requestId: headers.get("x-request-id"),
  isReplayed: headers.get("idempotent-replayed") === "true",
});
