import { Connection } from "./connection.ts";
import { Operations } from "./generated/operations.ts";
import type { PaymentReceipt } from "./generated/schema.ts";
import type { MusterOptions } from "./options.ts";

/**
 * A client of one workspace. The operations are in groups: `muster.issues.create("WEB", { title })`.
 *
 * A call throws MusterProblem if it is refused, and MusterConnectionError if there is no reply.
 */
export class Muster extends Operations {
  readonly #connection: Connection;

  constructor(options: MusterOptions) {
    const connection = new Connection(options);
    super(connection);
    this.#connection = connection;
  }

  /** Whether the service has signed the receipt of a purchase. */
  isGenuine(receipt: PaymentReceipt): Promise<boolean> {
    return this.#connection.isGenuine(receipt);
  }
}
