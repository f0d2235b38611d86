import type { Connection } from "./connection.ts";

/** Operations of one kind of object. */
export class Group {
  protected readonly connection: Connection;

  constructor(connection: Connection) {
    this.connection = connection;
  }
}
