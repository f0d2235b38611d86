import { addressOf } from "./address.ts";
import type { Me } from "./generated/schema.ts";
import type { CallOptions, MusterOptions } from "./options.ts";
import { paymentHeader } from "./payment.ts";
import { MusterProblem } from "./problem.ts";
import { DEFAULT_LIMITS, type Received, withRetries } from "./retries.ts";

export type Request = {
  method: string;
  path: string;
  /** Values of the path's parameters but for the workspace. */
  names: readonly string[];
  query?: object;
  body?: unknown;
  accept?: string;
};

const JSON_TYPE = "application/json";

/** Sends requests with the key, and again after failures that pass. */
export class Transport {
  readonly #options: MusterOptions;
  readonly #base: string;
  readonly #fetch: typeof fetch;
  #workspace: Promise<string> | undefined;

  constructor(options: MusterOptions) {
    this.#options = options;
    this.#base = options.url.replace(/\/+$/, "");
    this.#fetch = options.fetch ?? ((input, init) => fetch(input, init));
  }

  /** @throws MusterProblem if the reply is a refusal, or not what was asked for */
  async send(request: Request, options: CallOptions): Promise<Received> {
    const { retries, timeoutMs, totalTimeoutMs } = { ...DEFAULT_LIMITS, ...this.#options, ...options };
    const url = await this.#address(request);
    const reads = request.method === "GET";
    const idempotencyKey = reads ? null : keyOf(options);
    const received = await withRetries({
      ...{ retries, timeoutMs, totalTimeoutMs, idempotencyKey },
      isRepeatable: reads || idempotencyKey !== null,
      signal: options.signal,
      attempt: async (signal) => {
        const headers = headersOf(request, options, idempotencyKey);
        const init = request.body === undefined ? {} : { body: JSON.stringify(request.body) };
        return receive(await this.#fetchWithKey(url, { ...init, method: request.method, headers, signal }));
      },
    });
    const isWanted = request.accept !== undefined || isObject(received.json);
    if (received.status >= 200 && received.status < 300 && isWanted) return received;
    throw new MusterProblem({ ...received, text: await received.body.text() });
  }

  /** Opens a stream. Its failures are the caller's. */
  async open(request: Pick<Request, "path" | "names" | "query">, init: RequestInit): Promise<Response> {
    return this.#fetchWithKey(await this.#address(request), init);
  }

  /** A public document of the service. */
  async document(path: string): Promise<unknown> {
    return (await this.#fetch(this.#base + path)).json();
  }

  async #fetchWithKey(url: string, init: RequestInit): Promise<Response> {
    const { key } = this.#options;
    const token = typeof key === "string" ? key : await key();
    // A redirect would pass on the key, and turn a POST into a GET.
    return this.#fetch(url, {
      ...{ ...init, redirect: "manual" },
      headers: { ...(init.headers as Record<string, string>), Authorization: `Bearer ${token}` },
    });
  }

  async #address({ path, names, query }: Pick<Request, "path" | "names" | "query">): Promise<string> {
    const all = path.includes("{slug}") ? [await this.#slug(), ...names] : names;
    return addressOf(this.#base, path, all, query);
  }

  /** The slug of the workspace, asked once if it was not given. */
  async #slug(): Promise<string> {
    if (this.#options.workspace) return this.#options.workspace;
    this.#workspace ??= this.#askForSlug().catch((error: unknown) => {
      // The next call asks again.
      this.#workspace = undefined;
      throw error;
    });
    return this.#workspace;
  }

  async #askForSlug(): Promise<string> {
    const { json } = await this.send({ method: "GET", path: "/v1/me", names: [] }, {});
    return (json as { data: Me }).data.workspaceSlug;
  }
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;

/** A new key for each call that writes, unless the caller has one or wants none. */
const keyOf = ({ idempotencyKey }: CallOptions): string | null =>
  idempotencyKey === undefined ? crypto.randomUUID() : idempotencyKey;

const headersOf = (
  { body, accept = JSON_TYPE }: Request,
  { ifMatch, lenient, credential, headers }: CallOptions,
  idempotencyKey: string | null,
): Record<string, string> => ({
  Accept: accept,
  ...(body === undefined ? {} : { "Content-Type": JSON_TYPE }),
  ...(idempotencyKey === null ? {} : { "Idempotency-Key": idempotencyKey }),
  ...(ifMatch === undefined ? {} : { "If-Match": ifMatch }),
  ...(lenient ? { Prefer: "handling=lenient" } : {}),
  ...(credential === undefined ? {} : paymentHeader(credential)),
  ...headers,
});

/** @throws SyntaxError if JSON was cut off: a connection that only ends does not show that something is missing */
async function receive(response: Response): Promise<Received> {
  const { status, headers, ok } = response;
  const body = await response.blob();
  const isJson = /^application\/([\w.-]+\+)?json\b/i.test(headers.get("content-type") ?? "");
  const json: unknown = isJson && (ok || body.size > 0) ? JSON.parse(await body.text()) : undefined;
  return { status, headers, body, json };
}
