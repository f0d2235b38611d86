import type { Db } from "../../kernel/ports/ports.ts";

const CLEAR = {
  name: "automation_tally_clear",
  text: `update automation_tally set failure_count = 0, failures_in_a_row = 0, loops_at = '{}' where automation_id = $1`,
};

/** Clears the failures of an automation: their number, those in a row, and the times of its loops. */
export async function clearFailures(db: Db, automationId: string): Promise<void> {
  await db.query(CLEAR, [automationId]);
}
