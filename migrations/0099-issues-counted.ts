import { Migration } from "@mikro-orm/migrations";

/**
 * Counts the issues that were there before migration 0094. That one only begins to append steps, so it is over at once; this
 * one takes half a minute for a million issues, and nobody waits for it. Processes that read the counts start afterwards.
 */
export class IssuesCounted extends Migration {
  /** The procedure commits for each project. */
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql(`call tally_all_issues()`);
  }
}
