import { Agent, Client, type Dispatcher } from "undici";
import type { OutboundRequest, Outcome, SendOutbound, Unreachable } from "../domain/kernel/ports/outbound.ts";
import { ConnectFailure, checkedConnector, openResolver, type Resolve } from "./outbound-connect.ts";

/** `resolve` replaces DNS in tests. */
export type OutboundOptions = { allowLoopback: boolean; userAgent?: string; resolve?: Resolve };

export type Outbound = {
  send: SendOutbound;
  /** Resolves when active requests have ended. */
  close(): Promise<void>;
};

/**
 * POSTs to untrusted receivers over kept-alive connections: public addresses only, TLS verified, no redirects; time,
 * headers and body are limited.
 */
export function openOutbound({ allowLoopback, userAgent = "Muster-Webhooks/1", resolve }: OutboundOptions): Outbound {
  const stale = new WeakSet<Error>();
  const settings = {
    connect: checkedConnector({ allowLoopback, resolve: resolve ?? openResolver(), stale }),
    allowH2: false,
    pipelining: 1,
    maxHeaderSize: 16_384,
    // The deadline of the whole exchange replaces these.
    headersTimeout: 0,
    bodyTimeout: 0,
    // An origin is dropped when its last connection closes, so these limits bound the cost of idle receivers.
    keepAliveTimeout: 4000,
    keepAliveMaxTimeout: 30_000,
  };
  const agent = new Agent({ ...settings, connections: 256 });

  async function post(url: URL, { headers, body }: OutboundRequest, signal: AbortSignal) {
    const options: Dispatcher.RequestOptions = {
      origin: url.origin,
      path: url.pathname + url.search,
      method: "POST",
      headers: { "user-agent": userAgent, ...headers },
      body,
      signal,
    };
    try {
      return await agent.request(options);
    } catch (error) {
      // The receiver closed an idle connection while it was being reused. That is not a failure of this message.
      if (signal.aborted || !(error instanceof Error && stale.has(error)) || reasonFor(error) !== "reset") throw error;
    }
    const client = new Client(url.origin, settings);
    try {
      return await client.request(options);
    } finally {
      client.close().catch(() => undefined); // once the body has been read
    }
  }

  async function exchange(request: OutboundRequest): Promise<Outcome> {
    const url = new URL(request.url);
    const startedAt = performance.now();
    const latency = () => Math.round(performance.now() - startedAt);
    const deadline = startDeadline(request.timeout_ms);
    try {
      const response = await Promise.race([post(url, request, deadline.signal), deadline.passed]);
      const body = await readBeginning(response.body);
      const retry_after_seconds = readRetryAfter(response.headers["retry-after"]);
      return { kind: "answered", status: response.statusCode, latency_ms: latency(), retry_after_seconds, body };
    } catch (error) {
      const reason = reasonFor(error);
      return { kind: "unreachable", reason, latency_ms: latency(), message: explain(reason, error) };
    } finally {
      deadline.clear();
    }
  }

  const inFlight = new Set<Promise<Outcome>>();

  return {
    send(request) {
      const outcome = exchange(request).finally(() => inFlight.delete(outcome));
      inFlight.add(outcome);
      return outcome;
    },

    async close() {
      await Promise.allSettled(inFlight);
      // Not agent.close(), which also waits for abandoned connections.
      await agent.destroy();
    },
  };
}

const BODY_LIMIT = 4096;

class DeadlinePassed extends Error {}

/**
 * undici checks a signal only once a request has a connection. `passed` also rejects while the request waits for one.
 */
function startDeadline(ms: number) {
  const controller = new AbortController();
  const { promise: passed, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new DeadlinePassed();
    controller.abort(error);
    reject(error);
  }, ms);
  passed.catch(() => undefined); // it may pass while only the body is awaited
  return { signal: controller.signal, passed, clear: () => clearTimeout(timer) };
}

/** A body that breaks off, or is incomplete at the deadline, does not change the status received before it. */
async function readBeginning(body: Dispatcher.ResponseData["body"]): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > BODY_LIMIT) break; // leaving the loop destroys the connection, so an endless body ends here
    }
  } catch {
    // The part that was received is kept.
  }
  return Buffer.concat(chunks).subarray(0, BODY_LIMIT).toString("utf8").replaceAll("\0", "");
}

/** RFC 9110 §10.2.3: seconds, or a date, which is converted to seconds. */
function readRetryAfter(header: string | string[] | undefined): number | null {
  const text = (Array.isArray(header) ? header[0] : header)?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const date = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(date)) return null;
  return Math.min(Math.max(0, Math.ceil((date - Date.now()) / 1000)), 999_999_999);
}

const EXPLANATIONS: Record<Unreachable, string> = {
  dns: "The host name could not be resolved",
  timeout: "No answer came in time",
  tls: "The TLS handshake failed",
  private_address: "The host has an address that is not public",
  connect: "The connection could not be made",
  reset: "The connection was closed before an answer came",
  protocol: "The answer was not HTTP as expected",
};

// Errors of the caller or of this process. They must not count against the receiver.
const OUR_FAULTS = new Set(["UND_ERR_INVALID_ARG", "UND_ERR_CLOSED", "UND_ERR_DESTROYED"]);

/** @throws the error itself if neither the network nor the receiver caused it */
function reasonFor(error: unknown): Unreachable {
  if (error instanceof DeadlinePassed) return "timeout";
  if (error instanceof ConnectFailure) return error.reason;

  const { name, code, message } = error as NodeJS.ErrnoException;
  if (name === "HTTPParserError") return "protocol";
  if (!code || OUR_FAULTS.has(code)) throw error;
  if (code === "ETIMEDOUT") return "timeout";
  if (code.startsWith("ERR_SSL_")) return "tls"; // TLS 1.3 may refuse us after the handshake
  if (code === "UND_ERR_SOCKET") return /closed$/.test(message) ? "reset" : "protocol";
  return code.startsWith("E") && !code.startsWith("ERR_") ? "reset" : "protocol";
}

// Without the error's own text, which would reveal internal addresses to a webhook's owner.
function explain(reason: Unreachable, error: unknown) {
  const { code } = error as NodeJS.ErrnoException;
  return `${EXPLANATIONS[reason]}${code ? ` (${code})` : ""}.`;
}
