import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { declineOf } from "./cards.ts";
import type { Fault, Faults } from "./faults.ts";
import { listed, parseForm } from "./form.ts";
import { expanded } from "./lists.ts";
import { invalid, Refusal, serverError } from "./refusal.ts";
import { routeFor } from "./routes.ts";
import { newId } from "./store.ts";
import type { Call, World } from "./world.ts";

export type ApiRequest = {
  method: string;
  path: string;
  query: string;
  headers: Partial<Record<string, string>>;
  body: string;
};

/** `drop`: the connection is closed. `never`: it stays open without a reply. */
export type ApiAnswer = { status: number; body: unknown; headers: Record<string, string> } | "drop" | "never";

type Result = { status: number; body: unknown; silent?: boolean };

const CURRENT_VERSION = "2026-10-28.endive";

/** Answers requests like Stripe. Authentication, idempotency and errors are the same for every route. */
export function openApi(world: World, faults: Faults) {
  const inFlight = new Set<string>();

  return async function serve(request: ApiRequest): Promise<ApiAnswer> {
    const { method, path, headers } = request;
    const requestId = newId("req");
    const reply = (result: Result, more: Record<string, string> = {}): ApiAnswer =>
      result.silent
        ? "never"
        : { status: result.status, body: result.body, headers: { ...headersOf(request, requestId, result), ...more } };
    if (!isAuthorized(headers.authorization)) return reply(answerTo(UNAUTHORIZED));

    // Only POST is idempotent by key. For other methods Stripe ignores the header.
    const key = (method === "POST" && headers["idempotency-key"]) || null;
    const fingerprint = createHash("sha256").update(`${method} ${path}\n${request.body}`).digest("hex");
    const kept = key === null ? undefined : world.store.kept.get(key);
    if (kept && kept.request !== fingerprint) return reply(answerTo(OTHER_PARAMETERS));
    if (key !== null && inFlight.has(key)) return reply(answerTo(IN_USE));

    const fault = faults.take(method, path, kept !== undefined);
    let result: Result;
    if (key !== null) inFlight.add(key);
    try {
      if (fault?.when === "before") {
        await sleep(fault.delay_ms);
        if (fault.action === "drop") return "drop";
      }
      result = kept ?? run(world, request, { requestId, key }, fault);
      if (key !== null && !kept && isKept(result)) {
        const { status, body } = result;
        world.store.kept.set(key, { request: fingerprint, requestId, status, body, at: world.now() });
      }
      world.store.changed();
    } finally {
      if (key !== null) inFlight.delete(key);
    }
    if (fault?.when === "after") {
      await sleep(fault.delay_ms);
      if (fault.action === "drop") return "drop";
    }
    return reply(result, kept && { "idempotent-replayed": "true", "original-request": kept.requestId });
  };
}

function run(
  world: World,
  request: ApiRequest,
  cause: { requestId: string; key: string | null },
  fault?: Fault,
): Result {
  const error = fault?.action === "error" ? fault : undefined;
  if (error?.when === "before") return answerTo(serverError(error.status));
  const result = carryOut(world, request, cause, fault);
  return error ? answerTo(serverError(error.status)) : result;
}

function carryOut(world: World, request: ApiRequest, cause: { requestId: string; key: string | null }, fault?: Fault) {
  const { method, path, headers } = request;
  try {
    const route = routeFor(method, path);
    if (!route) throw invalid(`Unrecognized request URL (${method}: ${path}).`, { status: 404 });
    const { expand, ...form } = parseForm(method === "POST" ? request.body : request.query);
    const call: Call = {
      ...cause,
      world,
      form,
      id: decodeURIComponent(route.id),
      path,
      version: headers["stripe-version"] ?? CURRENT_VERSION,
      forced: fault?.action === "decline" ? declineOf(fault.decline_code) : undefined,
      silent: false,
    };
    const body = expanded(world.store, route.handler(call), listed(expand));
    return { status: 200, body, silent: call.silent };
  } catch (error) {
    if (error instanceof Refusal) return answerTo(error);
    throw error;
  }
}

const answerTo = ({ status, body }: Refusal): Result => ({ status, body });

const UNAUTHORIZED = invalid("Invalid API Key provided.", { status: 401 });

const OTHER_PARAMETERS = new Refusal(400, {
  type: "idempotency_error",
  message: "Keys for idempotent requests can only be used with the same parameters they were first used with.",
});

const IN_USE = invalid("There is currently another in-progress request using this Idempotent Key.", {
  status: 409,
  code: "idempotency_key_in_use",
});

/** Bearer, or the key as the user name of Basic. Only test keys, so that a real key is never sent here by mistake. */
function isAuthorized(authorization = ""): boolean {
  const [scheme = "", credentials = ""] = authorization.split(" ");
  const key =
    scheme.toLowerCase() === "basic" ? Buffer.from(credentials, "base64").toString().split(":")[0] : credentials;
  return /^(sk|rk)_test_\w+$/.test(key ?? "");
}

/** Stripe stores every reply of a request that it executed, including errors, but not rejections before that. */
const isKept = ({ status, body }: Result) => status !== 401 && status !== 429 && !/^parameter_/.test(codeOf(body));

const codeOf = (body: unknown) => String((body as Partial<Refusal["body"]> | null)?.error?.code ?? "");

function headersOf({ headers }: ApiRequest, requestId: string, { status }: Result): Record<string, string> {
  const key = headers["idempotency-key"];
  return {
    "content-type": "application/json",
    "request-id": requestId,
    "stripe-version": headers["stripe-version"] ?? CURRENT_VERSION,
    ...(key && { "idempotency-key": key }),
    ...(status >= 500 && { "stripe-should-retry": "false" }),
  };
}
