import { addressOf } from "./address.ts";
import { Call, type Reply } from "./call.ts";
import { EventStream, type Opening, type StreamOptions } from "./event-stream.ts";
import type { Me, Pagination, Warning } from "./generated/schema.ts";
import { List, type Page } from "./list.ts";
import type { CallOptions, MusterOptions } from "./options.ts";
import { MusterProblem } from "./problem.ts";
import { DEFAULT_LIMITS, type Received, withRetries } from "./retries.ts";
import type { Frame } from "./sse-parser.ts";

type Request = {
  method: string;
  path: string;
  names: readonly string[];
  query?: object;
  body?: unknown;
  accept?: string;
};

/** Sends calls with the key, and again after failures that pass. */
export class Connection {
  readonly #options: MusterOptions;
  readonly #base: string;
  readonly #fetch: typeof fetch;
  #workspace: Promise<string> | undefined;

  constructor(options: MusterOptions) {
    this.#options = options;
    this.#base = options.url.replace(/\/+$/, "");
    this.#fetch = options.fetch ?? ((input, init) => fetch(input, init));
  }

  call<Data>(
    method: string,
    path: string,
    names: readonly string[],
    inputs: { body?: unknown; query?: object },
    options: CallOptions = {},
  ): Call<Data> {
    return new Call(this.#json<Data>({ method, path, names, ...inputs }, options).then(({ reply }) => reply));
  }

  list<Row>(path: string, names: readonly string[], query: object = {}, options: CallOptions = {}): List<Row> {
    const { cursor: start, ...rest } = query as { cursor?: string };
    const fetchPage = async (cursor: string | undefined): Promise<Page<Row>> => {
      const request = { method: "GET", path, names, query: { ...rest, cursor } };
      const { reply, rest: more } = await this.#json<Row[]>(request, options);
      return { ...reply, nextCursor: (more.pagination as Pagination).next_cursor };
    };
    return new List(fetchPage, start);
  }

  /** An object in another format than JSON. */
  blob(path: string, names: readonly string[], accept: string, options: CallOptions = {}): Call<Blob> {
    const get = async (): Promise<Reply<Blob>> => {
      const received = await this.#send({ method: "GET", path, names, accept }, options);
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
    const connect = async ({ headers, query, signal }: Opening): Promise<Response> => {
      const url = await this.#address({ path, names, query });
      return this.#fetch(url, {
        headers: { ...headers, ...(await this.#authorization()) },
        signal,
        redirect: "manual",
      });
    };
    return new EventStream({ connect, read }, options);
  }

  async #json<Data>(request: Request, options: CallOptions) {
    const received = await this.#send(request, options);
    const { data, warnings, ...rest } = JSON.parse(await received.body.text()) as {
      data: Data;
      warnings?: Warning[];
    } & Record<string, unknown>;
    return { reply: replyOf(received, data, warnings ?? []), rest };
  }

  /** @throws MusterProblem if the reply is a refusal */
  async #send(request: Request, options: CallOptions): Promise<Received> {
    const { retries, timeoutMs, totalTimeoutMs } = { ...DEFAULT_LIMITS, ...this.#options, ...options };
    const url = await this.#address(request);
    const reads = request.method === "GET";
    const idempotencyKey = reads
      ? null
      : options.idempotencyKey === undefined
        ? crypto.randomUUID()
        : options.idempotencyKey;
    const received = await withRetries({
      ...{ retries, timeoutMs, totalTimeoutMs, idempotencyKey },
      isRepeatable: reads || idempotencyKey !== null,
      signal: options.signal,
      attempt: async (signal) => {
        const headers = { ...headersOf(request, options, idempotencyKey), ...(await this.#authorization()) };
        return receive(
          await this.#fetch(url, {
            ...{ method: request.method, headers, signal, redirect: "manual" },
            ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
          }),
        );
      },
    });
    if (received.status < 200 || received.status >= 300)
      throw new MusterProblem({ ...received, text: await received.body.text() });
    return received;
  }

  async #address({ path, names, query }: Pick<Request, "path" | "names" | "query">): Promise<string> {
    if (!path.includes("{slug}")) return addressOf(this.#base, path, names, query);
    return addressOf(this.#base, path, [await this.workspace(), ...names], query);
  }

  /** The slug of the workspace, asked once if it was not given. */
  async workspace(): Promise<string> {
    if (this.#options.workspace) return this.#options.workspace;
    this.#workspace ??= this.call<Me>("GET", "/v1/me", [], {}).then(({ workspaceSlug }) => workspaceSlug);
    try {
      return await this.#workspace;
    } catch (error) {
      // The next call asks again.
      this.#workspace = undefined;
      throw error;
    }
  }

  async #authorization(): Promise<{ Authorization: string }> {
    const { key } = this.#options;
    return { Authorization: `Bearer ${typeof key === "string" ? key : await key()}` };
  }
}

const headersOf = (
  { body, accept }: Request,
  { ifMatch, lenient, headers }: CallOptions,
  idempotencyKey: string | null,
): Record<string, string> => ({
  Accept: accept ?? "application/json",
  ...(body === undefined ? {} : { "Content-Type": "application/json" }),
  ...(idempotencyKey === null ? {} : { "Idempotency-Key": idempotencyKey }),
  ...(ifMatch === undefined ? {} : { "If-Match": ifMatch }),
  ...(lenient ? { Prefer: "handling=lenient" } : {}),
  ...headers,
});

const receive = async (response: Response): Promise<Received> => ({
  status: response.status,
  headers: response.headers,
  body: await response.blob(),
});

const replyOf = <Data>({ status, headers }: Received, data: Data, warnings: Warning[]): Reply<Data> => ({
  ...{ data, status, warnings, headers },
  etag: headers.get("etag"),
  requestId: headers.get("x-request-id"),
  isReplayed: headers.get("idempotent-replayed") === "true",
});
