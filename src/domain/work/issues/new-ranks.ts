import { writeRecorded } from "../../events/events.sql.ts";
import type { InProject, Writing } from "../../kernel/context.ts";
import { lockIssues } from "../mass-changes/settle.ts";
import type { Ranked } from "../positions.ts";
import { readSome } from "./change-many.sql.ts";
import { recordComparedIssue } from "./history.ts";
import { setRanks } from "./ranks.sql.ts";

/** Number of issues that are changed and recorded at a time. One may contain 64 kB of text. */
const BATCH_SIZE = 200;

/**
 * Gives issues new ranks because there is no room between them. Their order stays the same, but clients see other ranks,
 * so each issue gets a new version, its event and its line of history. The caller has locked the board.
 */
export async function giveRanks(ctx: InProject & Writing, issues: Ranked[], ranks: string[]): Promise<void> {
  const next = new Map(issues.map(({ id }, n) => [id, ranks[n]!]));
  await lockIssues(ctx, [...next.keys()]);
  const earlier = ctx.recorded.length;
  for (let from = 0; from < issues.length; from += BATCH_SIZE) {
    const ids = issues.slice(from, from + BATCH_SIZE).map(({ id }) => id);
    const before = (await readSome(ctx, ids)).filter(({ id, rank }) => rank !== next.get(id));
    await setRanks(
      ctx,
      before.map(({ id }) => ({ id, rank: next.get(id)! })),
    );
    for (const issue of before) {
      const after = { ...issue, rank: next.get(issue.id)!, version: issue.version + 1, updated_at: ctx.now };
      recordComparedIssue(ctx, issue, after, new Map());
    }
    await writeRecorded(ctx, ctx.recorded.splice(earlier));
  }
}
