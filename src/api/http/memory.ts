import type { Context } from "koa";
import { wideNetworkOf } from "../../domain/kernel/addresses.ts";
import { refuse } from "../../domain/kernel/errors.ts";

/**
 * Limits the memory that all requests of this process use together. A body counts from the announcement of its length
 * until the reply is sent, and a reply until the client has received it. Otherwise a client could bring down the
 * process with a few hundred bodies that never end, or with replies that it never reads.  If the limit is exceeded,
 * the server ends the oldest waiting request of the network that uses most.
 */

/** A sixth of the process's heap. Processing bodies and replies needs the rest. */
const MAX_BYTES = 48 * 1024 * 1024;
/** Bytes of a reply that fit into the operating system's buffers. */
const SMALL_REPLY = 16 * 1024;

type Request = Context["req"];
type Response = Context["res"];

type Usage = {
  request: Request;
  address: string;
  /** Of the address; null until somebody asks, because finding out costs more than all else here. */
  network: string | null;
  bytes: number;
  /** Ends the request. Null while the server is working on it. */
  end: (() => void) | null;
};

/** In the order of arrival. */
const usages = new Map<Request, Usage>();
let total = 0;

/**
 * Reserves memory for the request's head and its body: the announced length, or up to `max` bytes.
 * @throws Refusal unavailable
 */
export function reserveBody(ctx: Context, max: number): void {
  const announced = ctx.get("content-encoding") ? "" : ctx.get("content-length");
  const usage = usageOf(ctx);
  const rejectThis = () => rejectRequest(ctx.req, ctx.res);
  usage.end = rejectThis;
  ctx.req.once("end", () => {
    if (usage.end === rejectThis) usage.end = null;
  });
  const head = ctx.req.rawHeaders.reduce((sum, text) => sum + text.length, 0);
  if (!add(usage, head + (announced === "" ? max : Math.min(Number(announced) || 0, max)))) refuseForMemory();
}

/** Reserves memory for the values parsed from a body. @throws Refusal unavailable */
export function reserveMemory(ctx: Context, bytes: number): void {
  if (!add(usageOf(ctx), bytes)) refuseForMemory();
}

/** Reserves memory for the reply. The reply is sent in any case, because the change is already committed. */
export function reserveReply(ctx: Context, bytes: number): void {
  if (bytes <= SMALL_REPLY && !usages.has(ctx.req)) return;
  const usage = usageOf(ctx);
  add(usage, bytes);
  usage.end = () => ctx.req.destroy();
}

function usageOf({ req, res, ip }: Context): Usage {
  let usage = usages.get(req);
  if (!usage) {
    usage = { request: req, address: ip, network: null, bytes: 0, end: null };
    // If the response has closed already, no event would remove the entry.
    if (!res.closed) usages.set(req, usage);
    res.once("close", () => release(req));
  }
  return usage;
}

/** Adds to the memory in use. Returns false if there is no room. May end other requests to make room. */
function add(usage: Usage, bytes: number): boolean {
  if (usages.get(usage.request) !== usage) return true;
  usage.bytes += bytes;
  total += bytes;
  while (total > MAX_BYTES) {
    const heaviest = heaviestWaiting();
    if (!heaviest || heaviest === usage) {
      usage.bytes -= bytes;
      total -= bytes;
      return false;
    }
    release(heaviest.request);
    heaviest.end?.();
  }
  return true;
}

function refuseForMemory(): never {
  refuse("unavailable", {
    message: "Too many large requests are in progress; retry shortly.",
    headers: { "Retry-After": "2" },
  });
}

function release(request: Request): void {
  total -= usages.get(request)?.bytes ?? 0;
  usages.delete(request);
}

/** The oldest request that can be ended, of the network that uses most among those with such a request. */
function heaviestWaiting(): Usage | undefined {
  const networks = new Map<string, { bytes: number; oldest: Usage | undefined }>();
  for (const usage of usages.values()) {
    usage.network ??= wideNetworkOf(usage.address);
    const network = networks.get(usage.network) ?? { bytes: 0, oldest: undefined };
    networks.set(usage.network, network);
    network.bytes += usage.bytes;
    if (usage.end) network.oldest ??= usage;
  }
  const waiting = [...networks.values()].filter(({ oldest }) => oldest);
  return waiting.reduce((max, one) => (one.bytes > max.bytes ? one : max), { bytes: -1, oldest: undefined }).oldest;
}

const UNAVAILABLE_REPLY = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\nConnection: close\r\n\r\n";

const rejected = new WeakSet<Request>();

/** For the error that reading a body ends with. @throws Refusal unavailable if the body was rejected while it was sent */
export function refuseIfRejected({ req }: Context): void {
  if (rejected.has(req)) refuseForMemory();
}

/** Ends a request whose body is still being sent. */
function rejectRequest(request: Request, response: Response): void {
  rejected.add(request);
  request.unpipe();
  request.pause();
  if (response.headersSent || response.socket === null) request.destroy();
  else request.socket.end(UNAVAILABLE_REPLY, () => request.destroy());
}
