/** An answer that takes long to make and needs no database. It is made after the call gave its connection back. */
export class AfterRead {
  /** Rate limit units besides the one that every call costs. */
  readonly cost: number;
  /** @param closed aborted when the client disconnects */
  readonly make: (closed: AbortSignal) => Promise<unknown>;

  constructor(cost: number, make: (closed: AbortSignal) => Promise<unknown>) {
    this.cost = cost;
    this.make = make;
  }
}
