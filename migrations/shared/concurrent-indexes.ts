import { Migration } from "@mikro-orm/migrations";

/**
 * A migration of indexes of tables that may have millions of rows. Nobody waits for it: indexes are built beside the work
 * that goes on, which no transaction can do. If it ends before it is done, its next run begins anew.
 */
export abstract class ConcurrentIndexes extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  /**
   * Builds an index, and removes the one of its name and those that it replaces only then.
   * @param on what follows `create index … on`
   */
  protected build(name: string, on: string, replaced: readonly string[] = []): void {
    // What an interrupted run may have left is not valid.
    this.addSql(`drop index concurrently if exists ${name}_new`);
    this.addSql(`create index concurrently ${name}_new on ${on}`);
    for (const old of [name, ...replaced]) this.addSql(`drop index concurrently if exists ${old}`);
    this.addSql(`alter index ${name}_new rename to ${name}`);
  }
}
