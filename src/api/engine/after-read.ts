/** An answer that takes long to make and needs no database. It is made after the call gave its connection back. */
export class AfterRead {
  /** Rate limit units besides the one that every call costs. */
  readonly cost: number;
  readonly make: () => Promise<unknown>;

  constructor(cost: number, make: () => Promise<unknown>) {
    this.cost = cost;
    this.make = make;
  }
}
