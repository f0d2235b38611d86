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
const MOST_BYTES = 48 * 1024 * 1024;
/** Bytes of a reply that fit into the operating system's buffers. */
const SMALL_ANSWER = 16 * 1024;

type Request = Context["req"];
type Response = Context["res"];

type Share = {
  request: Request;
  network: string;
  bytes: number;
  /** Ends the request. Null while the server is working on it. */
  giveUp: (() => void) | null;
};

/** In the order of arrival. */
const shares = new Map<Request, Share>();
let total = 0;

/**
 * Reserves memory for the request's head and its body: the announced length, or up to `max` bytes.
 * @throws Refusal unavailable
 */
export function keepBody(ctx: Context, most: number): void {
  const announced = ctx.get("content-encoding") ? "" : ctx.get("content-length");
  const share = shareOf(ctx);
  const turnAwayThis = () => turnAway(ctx.req, ctx.res);
  share.giveUp = turnAwayThis;
  ctx.req.once("end", () => {
    if (share.giveUp === turnAwayThis) share.giveUp = null;
  });
  const head = ctx.req.rawHeaders.reduce((sum, text) => sum + text.length, 0);
  if (!add(share, head + (announced === "" ? most : Math.min(Number(announced) || 0, most)))) refuseForMemory();
}

/** Reserves memory for the values parsed from a body. @throws Refusal unavailable */
export function keepMore(ctx: Context, bytes: number): void {
  if (!add(shareOf(ctx), bytes)) refuseForMemory();
}

/** Reserves memory for the reply. The reply is sent in any case, because the change is already committed. */
export function keepAnswer(ctx: Context, bytes: number): void {
  if (bytes <= SMALL_ANSWER && !shares.has(ctx.req)) return;
  const share = shareOf(ctx);
  add(share, bytes);
  share.giveUp = () => ctx.req.destroy();
}

function shareOf({ req, res, ip }: Context): Share {
  let share = shares.get(req);
  if (!share) {
    share = { request: req, network: wideNetworkOf(ip), bytes: 0, giveUp: null };
    // If the response has closed already, no event would remove the entry.
    if (!res.closed) shares.set(req, share);
    res.once("close", () => release(req));
  }
  return share;
}

/** Adds to the memory in use. Returns false if there is no room. May end other requests to make room. */
function add(share: Share, bytes: number): boolean {
  if (shares.get(share.request) !== share) return true;
  share.bytes += bytes;
  total += bytes;
  while (total > MOST_BYTES) {
    const heaviest = heaviestWaiting();
    if (!heaviest || heaviest === share) {
      share.bytes -= bytes;
      total -= bytes;
      return false;
    }
    release(heaviest.request);
    heaviest.giveUp?.();
  }
  return true;
}

function refuseForMemory(): never {
  refuse("unavailable", {
    message: "Too many large requests are under way; retry shortly.",
    headers: { "Retry-After": "2" },
  });
}

function release(request: Request): void {
  total -= shares.get(request)?.bytes ?? 0;
  shares.delete(request);
}

/** The oldest request that can be ended, of the network that uses most among those with such a request. */
function heaviestWaiting(): Share | undefined {
  const networks = new Map<string, { bytes: number; oldest: Share | undefined }>();
  for (const share of shares.values()) {
    const network = networks.get(share.network) ?? { bytes: 0, oldest: undefined };
    networks.set(share.network, network);
    network.bytes += share.bytes;
    if (share.giveUp) network.oldest ??= share;
  }
  const waiting = [...networks.values()].filter(({ oldest }) => oldest);
  return waiting.reduce((most, one) => (one.bytes > most.bytes ? one : most), { bytes: -1, oldest: undefined }).oldest;
}

const TURNED_AWAY = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\nConnection: close\r\n\r\n";

/** Ends a request whose body is still being sent. */
function turnAway(request: Request, response: Response): void {
  request.unpipe();
  request.pause();
  if (response.headersSent || response.socket === null) request.destroy();
  else request.socket.end(TURNED_AWAY, () => request.destroy());
}
