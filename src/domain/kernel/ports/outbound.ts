/** Why there was no reply. Each value is something that the receiver's owner can act on. */
export type Unreachable = "dns" | "timeout" | "tls" | "private_address" | "connect" | "reset" | "protocol";

/**
 * The outcome of a POST. `body` is the first 4 KiB as text, with invalid UTF-8 replaced and NUL (which Postgres
 * refuses) removed.
 */
export type Outcome =
  | { kind: "answered"; status: number; latency_ms: number; retry_after_seconds: number | null; body: string }
  | { kind: "unreachable"; reason: Unreachable; latency_ms: number; message: string };

/** `headers` were checked by the caller; `timeout_ms` covers everything from the look-up of the name to the last byte read. */
export type OutboundRequest = { url: string; headers: Record<string, string>; body: string; timeout_ms: number };

/** Sends one POST. Does not throw for errors of the network or the receiver. */
export type SendOutbound = (request: OutboundRequest) => Promise<Outcome>;
