import { Resolver } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { buildConnector } from "undici";
import type { Unreachable } from "../domain/kernel/ports/outbound.ts";
import { mayReach } from "../domain/kernel/public-address.ts";

/** Returns every address of a host name. */
export type Resolve = (hostname: string) => Promise<string[]>;

/** No connection could be made. `code` is the system's error code. */
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
 * Connects only to checked addresses. The socket is opened to the addresses that passed the check, so a name that
 * changes between check and use (DNS rebinding) has no effect. If one of several addresses is private, the host is
 * rejected: no legitimate receiver mixes them. `stale` collects the errors of connections that have received bytes
 * before, to tell reused connections from new ones.
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
    // Sockets look up only names. A literal address would skip the check.
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
 * Looks up names over DNS only, without the hosts file, search domains or multicast names, which lead into private
 * networks. Unlike getaddrinfo it uses none of the four threads shared by files and DNS, so one receiver's slow name
 * servers do not delay others.
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

// Per address, if there are several. Node's default of 250 ms fails for distant receivers with one broken address
// family.
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

// Called asynchronously, because undici does not expect a result during the call.
const refuse = (callback: buildConnector.Callback, failure: ConnectFailure) =>
  process.nextTick(() => callback(failure, null));

function toFailure(error: NodeJS.ErrnoException, protocol: string): ConnectFailure {
  if (error instanceof ConnectFailure) return error;
  if (error.code === "UND_ERR_CONNECT_TIMEOUT" || error.code === "ETIMEDOUT") {
    return new ConnectFailure("timeout", error.code);
  }
  // An error after the TCP connection, on https, belongs to the TLS handshake.
  const duringTcp = error.syscall === "connect" || error instanceof AggregateError;
  return new ConnectFailure(duringTcp || protocol !== "https:" ? "connect" : "tls", error.code);
}
