import type { Db } from "../../kernel/ports/ports.ts";

const CLEAR = {
  name: "automation_tally_clear",
  text: `update automation_tally set failures_in_a_row = 0, loops_at = '{}' where automation_id = $1`,
};

/** Clears what disables an automation: its errors in a row, and the times of its loops. */
export async function clearFailures(db: Db, automationId: string): Promise<void> {
  await db.query(CLEAR, [automationId]);
}
