import { writeRecorded } from "../events/events.sql.ts";
import { recordChange } from "../events/record.ts";
import type { InWorkspace, Writing } from "../kernel/context.ts";
import { clearLeadOfPortfolios, clearOwnerOfGoals, clearOwnerOfKeyResults, unwatchGoals } from "./clear-person.sql.ts";
import { recordGoals } from "./goals/roll-up.ts";
import { keyResultUpdated } from "./key-results/events.ts";
import { readKeyResults } from "./key-results/key-results.sql.ts";
import { portfolioUpdated } from "./portfolios/events.ts";
import { readPortfolios } from "./portfolios/portfolios.sql.ts";
import { announcedView } from "./portfolios/view.ts";

/**
 * Removes a user who leaves the workspace as owner of goals and key results, as lead of portfolios, and as watcher. What
 * they created stays in their name, and automatic key results still count their issues. The caller has locked the
 * workspace.
 */
export async function clearPersonFromKnowledge(ctx: InWorkspace & Writing, userId: string): Promise<void> {
  await unwatchGoals(ctx, userId);
  const owned = { owner_user_id: userId };
  await inBatches(ctx, userId, clearOwnerOfGoals, (ids) => recordGoals(ctx, new Map(ids.map((id) => [id, owned]))));
  await inBatches(ctx, userId, clearOwnerOfKeyResults, async (ids) => {
    for (const view of await readKeyResults(ctx, ids)) recordChange(ctx, keyResultUpdated, owned, view);
  });
  await inBatches(ctx, userId, clearLeadOfPortfolios, async (ids) => {
    for (const row of await readPortfolios(ctx, ids)) {
      recordChange(ctx, portfolioUpdated, { lead_user_id: userId }, announcedView(row));
    }
  });
}

const BATCH = 100;

/** Each batch is stored at once, so that memory never contains more than one. */
async function inBatches(
  ctx: InWorkspace & Writing,
  userId: string,
  clear: (ctx: InWorkspace, userId: string, limit: number) => Promise<string[]>,
  recordAll: (ids: string[]) => Promise<unknown>,
): Promise<void> {
  for (let ids = await clear(ctx, userId, BATCH); ids.length > 0; ids = await clear(ctx, userId, BATCH)) {
    await recordAll(ids);
    await writeRecorded(ctx, ctx.recorded.splice(0));
  }
}
