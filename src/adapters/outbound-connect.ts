import { Resolver } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { buildConnector } from "undici";
import type { Unreachable } from "../domain/kernel/ports/outbound.ts";
import { mayReach } from "../domain/kernel/public-address.ts";

/** Gives every address of a host name. */
export type Resolve = (hostname: string) => Promise<string[]>;

/** No connection could be made; `code` is the system's word for it. */
export class ConnectFailure extends Error {
  readonly reason: Unreachable;
  readonly code: string | undefined;

  constructor(reason: Unreachable, code?: string) {
    super(`no connection: ${reason}`);
    this.reason = reason;
    this.code = code;
  }
}

/**
 * Connects only to addresses it has checked: the socket is opened to the very addresses that passed, so a name that
 * changes its mind between check and use (DNS rebinding) gains nothing. One private address among several refuses the
 * host, for no honest receiver mixes them.
 * `stale` collects the errors of connections that had brought bytes before, which tells kept ones from fresh ones.
 */
export function checkedConnector(options: {
  allowLoopback: boolean;
  resolve: Resolve;
  stale: WeakSet<Error>;
}): buildConnector.connector {
  const connect = buildConnector({
    allowH2: false,
    timeout: CONNECT_TIMEOUT_MS,
    maxCachedSessions: 1000,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_TIMEOUT_MS,
    lookup: checkedLookup(options.resolve, (address) => mayReach(address, options)),
  });

  return (target, callback) => {
    if (target.protocol !== "https:" && !options.allowLoopback) return refuse(callback, new ConnectFailure("protocol"));
    // Sockets look up names only; a literal address would pass unseen.
    if (isIP(target.hostname) && !mayReach(target.hostname, options)) {
      return refuse(callback, new ConnectFailure("private_address"));
    }

    connect(target, (error, socket) => {
      if (error) return callback(toFailure(error, target.protocol), null);
      socket.on("error", (failure) => {
        if (socket.bytesRead > 0) options.stale.add(failure);
      });
      callback(null, socket);
    });
  };
}

/**
 * Looks names up over DNS alone, without the hosts file, search domains or multicast names, which lead into private
 * networks. Unlike getaddrinfo it takes none of the four threads that files and DNS share, so that slow name servers of
 * some receivers hold up nobody else.
 */
export function openResolver(): Resolve {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });

  return async (hostname) => {
    if (/(^|\.)localhost\.?$/.test(hostname)) return ["127.0.0.1", "::1"]; // RFC 6761 §6.3
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    const failed = answers.find((answer) => answer.status === "rejected");
    if (addresses.length === 0) throw failed?.reason ?? new Error("no address");
    return addresses;
  };
}

const CONNECT_TIMEOUT_MS = 10_000;

// For one of several addresses. Node's 250 ms cuts off far receivers whose other address family does not work.
const ATTEMPT_TIMEOUT_MS = 2000;

function checkedLookup(resolve: Resolve, mayConnect: (address: string) => boolean): LookupFunction {
  return (hostname, { all }, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (!first) return callback(new ConnectFailure("dns", "ENODATA"), "", 0);
        if (!addresses.every(mayConnect)) return callback(new ConnectFailure("private_address"), "", 0);
        if (!all) return callback(null, first, isIP(first));
        callback(
          null,
          addresses.map((address) => ({ address, family: isIP(address) })),
        );
      },
      (error: NodeJS.ErrnoException) => callback(new ConnectFailure("dns", error.code), "", 0),
    );
  };
}

// Later, as undici does not expect an answer while it is still asking.
const refuse = (callback: buildConnector.Callback, failure: ConnectFailure) =>
  process.nextTick(() => callback(failure, null));

function toFailure(error: NodeJS.ErrnoException, protocol: string): ConnectFailure {
  if (error instanceof ConnectFailure) return error;
  if (error.code === "UND_ERR_CONNECT_TIMEOUT" || error.code === "ETIMEDOUT") {
    return new ConnectFailure("timeout", error.code);
  }
  // What fails after TCP is up, on https, is the handshake.
  const duringTcp = error.syscall === "connect" || error instanceof AggregateError;
  return new ConnectFailure(duringTcp || protocol !== "https:" ? "connect" : "tls", error.code);
}
