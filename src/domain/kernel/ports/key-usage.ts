/** The calls of a key on a UTC day, or a part of them. */
export type KeyUsage = {
  key_id: string;
  /** `YYYY-MM-DD`. */
  day: string;
  client_errors: number;
  server_errors: number;
  rate_limited: number;
  /** See latency-histogram.ts. Every call is in one bucket. */
  latencies: number[];
};

/**
 * Counts of one process, in the order in which they have to be added. The number is one above that of the last flush
 * of the process.
 */
export type KeyUsageFlush = { process: string; number: number; usage: KeyUsage[] };

/** Collects the counts of all web processes on their way to Postgres. Each call may throw if the store is away. */
export interface KeyUsageBuffer {
  /** Adds counts to the open slice. Adding the same flush again does nothing. */
  add(flush: KeyUsageFlush): Promise<void>;
  /**
   * Closes the open slice, so that nothing is added to it any more. Returns the numbers of all closed ones, ascending. No
   * number is used again.
   */
  close(): Promise<number[]>;
  /** Returns the counts of a closed slice, one for each key and day. */
  read(slice: number): Promise<KeyUsage[]>;
  /** Removes a closed slice. */
  remove(slice: number): Promise<void>;
}
