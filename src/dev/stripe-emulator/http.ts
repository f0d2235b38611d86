import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { isLoopbackHost } from "../../api/http/own-host.ts";
import type { ApiAnswer, ApiRequest } from "./api.ts";
import { checkoutPage, completeSession, findSession } from "./checkout.ts";
import type { Control, Logged } from "./control.ts";
import { invalid, Refusal } from "./refusal.ts";
import type { World } from "./world.ts";

type Parts = {
  world: World;
  control: Control;
  serve: (request: ApiRequest) => Promise<ApiAnswer>;
  requests: Logged[];
};

const BODY_LIMIT = 1024 * 1024;
const REQUESTS_KEPT = 500;

const READS: ReadonlySet<string> = new Set(["faults", "attempts", "charges", "captured", "requests"]);

/** The emulator's HTTP interfaces: Stripe's API, its page for saving a card, and the controls. */
export function openHttp({ world, control, serve, requests }: Parts) {
  async function handle(request: IncomingMessage, response: ServerResponse) {
    if (!isLoopbackHost(request.headers.host)) throw invalid(`Ask at ${world.url}.`, { status: 421 });
    const body = await readBody(request);
    const { pathname, search } = new URL(request.url ?? "/", world.url);
    const [, face = "", name = ""] = /^\/(_control|checkout)\/(\w*)$/.exec(pathname) ?? [];
    if (face === "_control") return sendJson(response, 200, await act(name, request, body));
    if (face === "checkout") return showCheckout(response, name, request.method, body);

    const headers = request.headers as ApiRequest["headers"];
    const asked = { method: request.method ?? "", path: pathname, query: search.slice(1), headers, body };
    const logged = log(asked);
    const answer = await serve(asked);
    if (answer === "drop") request.socket.destroy();
    if (typeof answer === "string") return;
    logged.status = answer.status;
    logged.replayed = answer.headers["idempotent-replayed"] === "true";
    sendJson(response, answer.status, answer.body, answer.headers);
  }

  function log({ method, path, query, headers, body }: ApiRequest): Logged {
    const logged: Logged = {
      ...{ method, path, query, body },
      version: headers["stripe-version"] ?? null,
      idempotencyKey: headers["idempotency-key"] ?? null,
      status: null,
      replayed: false,
    };
    requests.push(logged);
    if (requests.length > REQUESTS_KEPT) requests.shift();
    return logged;
  }

  async function act(name: string, { method, headers }: IncomingMessage, body: string): Promise<unknown> {
    if (!Object.hasOwn(control, name)) throw invalid(`There are: ${Object.keys(control).join(", ")}.`, { status: 404 });
    // A page of another origin cannot send this type without a preflight request.
    if (!(method === "GET" && READS.has(name)) && !headers["content-type"]?.startsWith("application/json")) {
      throw invalid("Send a POST of type application/json.", { status: 415 });
    }
    const run = control[name as keyof Control] as (input: unknown) => unknown;
    return (await run(body ? JSON.parse(body) : {})) ?? {};
  }

  function showCheckout(response: ServerResponse, id: string, method: string | undefined, body: string) {
    if (method === "POST") {
      const card = new URLSearchParams(body).get("card") ?? undefined;
      response.writeHead(303, { location: completeSession(world, id, card).next }).end();
      return;
    }
    const page = checkoutPage(findSession({ world, id }));
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" }).end(page);
  }

  return (request: IncomingMessage, response: ServerResponse): void => {
    handle(request, response).catch((error) => fail(response, error));
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > BODY_LIMIT) throw invalid("The body is too large.", { status: 413 });
  }
  return Buffer.concat(chunks).toString("utf8");
}

function sendJson(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body, null, 2));
}

function fail(response: ServerResponse, error: unknown) {
  // The caller disconnected during its body, or was answered already.
  if (response.destroyed || response.headersSent) return;
  if (error instanceof Refusal) return sendJson(response, error.status, error.body);
  if (error instanceof z.ZodError) return fail(response, invalid(z.prettifyError(error)));
  if (error instanceof SyntaxError || error instanceof URIError) return fail(response, invalid(error.message));
  console.error(error);
  sendJson(response, 500, { error: { type: "api_error", message: String(error) } });
}
