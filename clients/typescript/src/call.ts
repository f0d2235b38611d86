import type { Warning } from "./generated/schema.ts";

/** A reply with what stands around its data. */
export type Reply<Data> = {
  data: Data;
  status: number;
  /** Pass it as `ifMatch` to change the object only if nobody else has changed it. `null` for lists. */
  etag: string | null;
  requestId: string | null;
  /** Whether this is the stored reply to an earlier call with the same Idempotency-Key. */
  isReplayed: boolean;
  warnings: Warning[];
  headers: Headers;
};

/** The result of a call. `await` gives its data. The call is sent at once. */
export class Call<Data> implements Promise<Data> {
  readonly [Symbol.toStringTag] = "Call";
  readonly #reply: Promise<Reply<Data>>;

  constructor(reply: Promise<Reply<Data>>) {
    this.#reply = reply;
  }

  /** The whole reply, such as for its `etag`. */
  withReply(): Promise<Reply<Data>> {
    return this.#reply;
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise
  then<Result = Data, Other = never>(
    onDone?: ((data: Data) => Result | PromiseLike<Result>) | null,
    onFailed?: ((reason: unknown) => Other | PromiseLike<Other>) | null,
  ): Promise<Result | Other> {
    return this.#reply.then(({ data }) => data).then(onDone, onFailed);
  }

  catch<Other = never>(onFailed?: ((reason: unknown) => Other | PromiseLike<Other>) | null): Promise<Data | Other> {
    return this.then(null, onFailed);
  }

  finally(onSettled?: (() => void) | null): Promise<Data> {
    return this.then().finally(onSettled);
  }
}
