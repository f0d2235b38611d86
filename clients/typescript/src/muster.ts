import { Connection } from "./connection.ts";
import { Operations } from "./generated/operations.ts";
import type { MusterOptions } from "./options.ts";

/**
 * A client of one workspace. The operations are in groups: `muster.issues.create("WEB", { title })`.
 *
 * All calls throw MusterProblem if they are refused, and MusterConnectionError if there is no reply.
 */
export class Muster extends Operations {
  constructor(options: MusterOptions) {
    super(new Connection(options));
  }
}
